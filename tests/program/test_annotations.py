from __future__ import annotations

import pytest

from qismc.common.source import Source
from qismc.errors import ProgramError
from qismc.program.annotations import read_annotations
from qismc.program.program import Annotation


def test_each_kind() -> None:
    text = """OPENQASM 2.0;
//@ init  |000>
x q[0]; //@ mark enc
//@ prop  target = 1/sqrt(3) |001> + |011>
//@ spec  safe: AG (leaf -> target)
//@ spec EF (c == 1)
//@ annotate enc = span(|0>)
"""
    assert read_annotations(text, "f.qasm") == (
        Annotation("init", None, "|000>", Source("f.qasm", 2, 1)),
        Annotation("mark", "enc", "enc", Source("f.qasm", 3, 9)),
        Annotation("prop", "target", "1/sqrt(3) |001> + |011>", Source("f.qasm", 4, 1)),
        Annotation("spec", "safe", "AG (leaf -> target)", Source("f.qasm", 5, 1)),
        Annotation("spec", None, "EF (c == 1)", Source("f.qasm", 6, 1)),
        Annotation("annotate", "enc", "span(|0>)", Source("f.qasm", 7, 1)),
    )


def test_windows_line_ends() -> None:
    assert read_annotations("//@ init |0>\r\n", "f")[0].text == "|0>"


def test_a_start_may_be_written_with_an_equals_sign() -> None:
    assert read_annotations("//@ init = |0>", "f")[0].text == "|0>"


def test_comments_of_other_tools_are_left_alone() -> None:
    assert read_annotations("//@author somebody\n// plain\n//@\n", "f") == ()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("//@ sepc AG x", "f:1:1: unknown annotation '//@ sepc' (did you mean 'spec'?)"),
        ("//@ prop |0>", "f:1:1: malformed '//@ prop |0>' (write it like '//@ prop target = |01> + |10>')"),
        ("//@ mark two words", "malformed '//@ mark two words'"),
        ("  //@ mark", "f:1:3: malformed"),
        ("//@ init", "malformed"),
        ("//@ spec", "malformed"),
        ("//@ prop a = |0>\n//@ prop a = |1>", "f:2:1: a second '//@ prop a' (rename one of them)"),
        ("//@ init |0>\n//@ init |1>", "f:2:1: a second '//@ init'"),
    ],
)
def test_errors(line: str, message: str) -> None:
    with pytest.raises(ProgramError) as error:
        read_annotations(line, "f")
    assert message in str(error.value)
