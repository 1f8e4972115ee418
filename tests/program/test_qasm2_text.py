from __future__ import annotations

import pytest

from qismc.errors import ProgramError
from qismc.program.qasm2_text import Locator, blank_comments, check_text
from qismc.program.source import Source

TEXT = 'a; // b\n"//c" /* d\ne */ f\n\ng'


def test_comments_become_blanks_in_place() -> None:
    assert blank_comments(TEXT) == 'a;     \n"//c"     \n     f\n\ng'
    assert blank_comments("no comment") == "no comment"
    assert blank_comments("/* open\nend").strip() == ""


def test_both_ways_of_locating_agree() -> None:
    locator, line, column = Locator(TEXT, "f"), 1, 1
    for offset, character in enumerate(TEXT):
        expected = Source("f", line, column)
        assert locator.at(offset) == expected == locator.advance(offset)
        assert locator.offset(expected) == offset
        line, column = (line + 1, 1) if character == "\n" else (line, column + 1)


def test_advance_may_skip_lines() -> None:
    assert Locator(TEXT, "f").advance(len(TEXT) - 1) == Source("f", 5, 1)


@pytest.mark.parametrize(
    "text", ["x;\n /* y;", "x;\n /*/", 'x;\n /* y; // */\n /* */ " */" /**', "x;\n /***"]
)
def test_comments_must_be_closed(text: str) -> None:
    with pytest.raises(ProgramError, match=r"f:\d:\d+: the comment is not closed"):
        check_text(text, "f")


@pytest.mark.parametrize(
    "text",
    ["", "/**/", "/* x */ // /* y", 'include "/*";', "// */ /*", "/* /* */ x;", '"' + "1" * 5000 + '"'],
)
def test_good_texts(text: str) -> None:
    check_text(text, "f")


@pytest.mark.parametrize(
    "text", ["qreg q[{}];", "if (c=={}) x q[0];", "rx({}) q;", "rx(0.{}) q;", "x q[{}];"]
)
def test_absurd_numbers(text: str) -> None:
    with pytest.raises(ProgramError, match=r"f:2:\d+: a number of more than 4,000 digits"):
        check_text("// long\n" + text.format("7" * 5000), "f")
