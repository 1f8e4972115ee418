"""Positions in a program text."""

from __future__ import annotations

import re
from bisect import bisect_right

from qismc.errors import ProgramError
from qismc.program.source import Source

SKIPPED = re.compile(r"\"[^\"\n]*\"|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
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
    if match := ABSURD.search(text):
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
        self.starts = [0, *(m.end() for m in re.finditer("\n", text))]
        self.line = 0
        self.limit = self.starts[1] if len(self.starts) > 1 else len(text) + 1
        self.end = len(text) + 1

    def at(self, offset: int) -> Source:
        line = bisect_right(self.starts, offset)
        return Source(self.file, line, offset - self.starts[line - 1] + 1)

    def advance(self, offset: int) -> Source:
        """The same for offsets that never decrease, in constant time."""
        while offset >= self.limit:
            self.line += 1
            self.limit = self.starts[self.line + 1] if self.line + 1 < len(self.starts) else self.end
            if self.limit == self.end and offset >= self.limit:
                break
        return Source(self.file, self.line + 1, offset - self.starts[self.line] + 1)

    def offset(self, source: Source) -> int:
        return self.starts[source.line - 1] + (source.column or 1) - 1
