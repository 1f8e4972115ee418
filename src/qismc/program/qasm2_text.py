"""Positions in a program text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import repeat

import numpy as np
import numpy.typing as npt

from qismc.common.source import Source
from qismc.errors import ProgramError

SKIPPED = re.compile(r"\"[^\"\n]*\"|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
SEPARATOR = re.compile(r"([;{}])")
MAX_DIGITS = 4000
"""Python converts no more than 4,300; strings of bits may be longer."""
ABSURD = re.compile(rf"(?<![\"\d])\d{{{MAX_DIGITS + 1},}}(?![\"\d])")


def blank_comments(text: str) -> str:
    """The text with comments turned into blanks, every other character in its place."""
    if "//" not in text and "/*" not in text:
        return text
    return SKIPPED.sub(lambda m: m[0] if m[0][0] == '"' else _blank(m[0]), text)


def _blank(comment: str) -> str:
    """So many blanks, in so many lines: letter by letter would take seconds for megabytes."""
    return "\n".join([" " * len(line) for line in comment.split("\n")])


def check_text(text: str, file: str) -> None:
    """Raise ProgramError for numbers that cannot be meant and comments that nothing closes.

    An open comment would swallow the rest of the program.
    """
    longest = max(map(len, text.split("\n")))
    if longest > MAX_DIGITS and (match := ABSURD.search(text)):
        message = f"a number of more than {MAX_DIGITS:,} digits"
        raise ProgramError(message, source=Locator(text, file).at(match.start()))
    if "/*" not in text:
        return
    for match in SKIPPED.finditer(text):
        if match[0].startswith("/*") and (len(match[0]) < 4 or not match[0].endswith("*/")):
            place = Locator(text, file).at(match.start())
            raise ProgramError("the comment is not closed", source=place, hint="end it with */")


class Locator:
    """Offsets in a text -> lines and columns."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self._starts = _starts(text.split("\n"))

    def at(self, offset: int) -> Source:
        return self.all([offset])[0]

    def all(self, offsets: Sequence[int]) -> list[Source]:
        """The same for many of them."""
        places = np.array(offsets, dtype=np.int64)
        lines = np.searchsorted(self._starts, places, side="right")
        made: Callable[..., Source] = tuple.__new__  # what a named tuple calls itself: one call less
        columns = places - self._starts[lines - 1] + 1
        return [*map(made, repeat(Source), zip(repeat(self.file), lines.tolist(), columns.tolist()))]

    def offset(self, source: Source) -> int:
        return int(self._starts[source.line - 1]) + (source.column or 1) - 1


def cut(text: str, begin: int) -> tuple[list[str], list[int]]:
    """The statements behind an offset without the blanks around them, and the offsets of their first letters.

    Those that no semicolon ends are left empty.
    """
    rest = text[begin:]
    whole = "{" not in rest and "}" not in rest
    parts = [] if whole else SEPARATOR.split(rest)
    pieces = rest.split(";") if whole else parts[::2]
    words = [*map(str.strip, pieces)]
    words[-1] = ""
    for number, end in enumerate(parts[1::2]):
        if end != ";":
            words[number] = ""
    offsets = begin + _starts(pieces) + _lengths(pieces) - _lengths([*map(str.lstrip, pieces)])
    return words, offsets.tolist()


def _lengths(pieces: list[str]) -> npt.NDArray[np.int64]:
    return np.fromiter(map(len, pieces), dtype=np.int64, count=len(pieces))


def _starts(pieces: list[str]) -> npt.NDArray[np.int64]:
    """Where pieces begin that one letter each separates."""
    lengths = _lengths(pieces)
    return np.cumsum(lengths + 1) - lengths - 1
