from __future__ import annotations

import pytest

from qismc.errors import ProgramError
from qismc.program.annotations import read_annotations
from qismc.program.qasm3.parse import _identifiers, parse


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
