from __future__ import annotations

from qismc.program.qasm2_text import Locator, blank_comments
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
