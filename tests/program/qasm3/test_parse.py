from __future__ import annotations

import pytest
from openqasm3 import ast

from qismc.errors import ProgramError
from qismc.program.qasm3.parse import _identifiers, parse
from qismc.program.qasm_text import read_annotations


def test_marks_become_statements() -> None:
    text = "OPENQASM 3;\nqubit q; //@ mark one\n//@ mark two\n"
    statements = parse(text, "f", read_annotations(text, "f")).statements
    assert [s.expression.name for s in statements[1:]] == ["qismc_mark_0", "qismc_mark_1"]
    assert [s.span.start_line for s in statements] == [2, 2, 3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f:1:1: the file is empty"),
        ("// nothing", "f:1:1: the file has no statements"),
        ("OPENQASM 3;\nqubit q", "f:2:8: unexpected the end of the file"),
        ("OPENQASM 3;\n qubit[2 q;", "f:2:10: syntax error at 'q'"),
        ("OPENQASM 3; continue;", "f:1:13: 'continue' statement outside loop"),
        ("OPENQASM 3;\n" + "{" * 301, "f:2:301: brackets are nested more than 300 deep"),
    ],
)
def test_errors(text: str, message: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ProgramError) as error:
        parse(text, "f")
    assert message in str(error.value)
    assert capfd.readouterr().err == ""


def test_columns_of_names() -> None:
    """The full parser's columns are those of its text as a whole; errors show those of the line."""
    text = "OPENQASM 3;\nqubit q;\nbox { x q; }\n  def f(qubit a) { x b; }"
    tree = parse(text, "f")
    names = {(name.name, name.span.start_line, name.span.start_column) for name in _identifiers(tree)}
    wanted = {("q", 2, 6), ("x", 3, 6), ("q", 3, 8), ("f", 4, 6), ("a", 4, 14), ("x", 4, 19), ("b", 4, 21)}
    assert names == wanted


UNTYPED = [
    "OPENQASM 3;\nqubit q;\n"
    "for     i in [0:2] { rx(0.5*i) q; } for     _ in {1, 5} { for     k in [0:2:5] x q; } y q;",
    "OPENQASM 3;\nqubit q; // for     i in\n/* for */ for     i\nin [0:2] { x q; } y q;",
    "OPENQASM 3;\nqubit q;\ndef f(qubit a) { for     i in [0:2] { x a; } y a; }\n"
    "box { nop q; for     i in [0:1] { x q; } }",
]


@pytest.mark.parametrize("text", UNTYPED)
def test_loops_without_a_type(text: str) -> None:
    """They are the loops over integers that stand at the same columns."""
    warnings: list[str] = []
    found = parse(text, "f", warn=lambda message, source: warnings.append(f"{source}: {message}"))
    assert _nodes(found) == _nodes(parse(text.replace("for     ", "for int "), "f"))
    place = {0: "3:1", 1: "3:11", 2: "3:18"}[UNTYPED.index(text)]
    assert warnings == [f"f:{place}: 'for' without a type: its variable is read as int"]


def test_errors_after_a_loop_without_a_type() -> None:
    with pytest.raises(ProgramError, match=r"f:2:34: syntax error at '\]'"):
        parse("OPENQASM 3;\nfor i in [0:2] { } for k in [0:2]] { }", "f")
    with pytest.raises(ProgramError, match="f:1:21: syntax error at 'in'"):
        parse("OPENQASM 3; for int in [0:2] { }", "f")


def _nodes(root: object) -> list[str]:
    """All nodes in order, with their places; a type that was not written has none."""
    if isinstance(root, list | tuple):
        return [line for node in root for line in _nodes(node)]
    if not isinstance(root, ast.QASMNode):
        return [repr(root)]
    place = None if isinstance(root, ast.IntType) or root.span is None else vars(root.span)
    parts = [part for name, part in vars(root).items() if name != "span"]
    return [f"{type(root).__name__} {place}", *_nodes(parts)]
