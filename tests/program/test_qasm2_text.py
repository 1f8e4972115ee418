from __future__ import annotations

import pytest

from qismc.common.source import Source
from qismc.errors import ProgramError
from qismc.program.qasm2_text import Locator, blank_comments, check_text, cut

TEXT = 'a; // b\n"//c" /* d\ne */ f\n\ng'


def test_comments_become_blanks_in_place() -> None:
    assert blank_comments(TEXT) == 'a;     \n"//c"     \n     f\n\ng'
    assert blank_comments("no comment") == "no comment"
    assert blank_comments("/* open\nend").strip() == ""


def test_offsets_are_located() -> None:
    locator, line, column = Locator(TEXT, "f"), 1, 1
    expected = []
    for offset, character in enumerate(TEXT):
        expected.append(Source("f", line, column))
        assert locator.at(offset) == expected[-1]
        assert locator.offset(expected[-1]) == offset
        line, column = (line + 1, 1) if character == "\n" else (line, column + 1)
    assert locator.all(range(len(TEXT))) == expected


@pytest.mark.parametrize(
    "text", ["  ", " ;;a", "v; x\n y ; \n\tz;\n", "v;g a{b;c };;d;e}f{", "ä;\u2003b\x1f;c"]
)
@pytest.mark.parametrize("begin", [0, 2])
def test_statements_are_cut_where_they_end(text: str, begin: int) -> None:
    words, offsets = cut(text, begin)
    position, number = begin, 0
    while position <= len(text):  # as a reader of single letters would
        end = next((k for k in range(position, len(text)) if text[k] in ";{}"), len(text))
        piece = text[position:end]
        assert words[number] == (piece.strip() if text[end : end + 1] == ";" else "")
        assert offsets[number] == end - len(piece.lstrip())
        position, number = end + 1, number + 1
    assert len(words) == len(offsets) == number


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
