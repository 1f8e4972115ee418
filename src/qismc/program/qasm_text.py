"""The text of an OpenQASM file before it is parsed: comments, positions, version, and `//@` lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import repeat
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from qismc.common.source import Source
from qismc.errors import ProgramError, suggestion
from qismc.program.program import Annotation, check_mark

SKIPPED = re.compile(r"\"[^\"\n]*\"|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
SEPARATOR = re.compile(r"([;{}])")
MAX_DIGITS = 4000
"""Maximum number of digits of a number: Python converts 4,300. Strings of bits may be longer."""
ABSURD = re.compile(rf"(?<![\"\d])\d{{{MAX_DIGITS + 1},}}(?![\"\d])")


def blank_comments(text: str) -> str:
    """The text with comments turned into blanks, every other character in its place."""
    if "//" not in text and "/*" not in text:
        return text
    return SKIPPED.sub(lambda m: m[0] if m[0][0] == '"' else _blank(m[0]), text)


def _blank(comment: str) -> str:
    """As many blanks in as many lines. Line by line: letter by letter takes seconds for megabytes."""
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


STATED = re.compile(r"\s*OPENQASM\s+(\d+)")
ONLY_IN_THREE = re.compile(
    r"(?:^|[;{}])\s*(?:qubit|bit|bool|u?int|float|angle|complex|array|duration|stretch|const|let|def|defcal|extern"
    r"|input|output|for|while|switch|box|delay|end|break|continue|gphase|ctrl|negctrl|inv|pow|pragma|return)\b"
    r"|=\s*measure\b|stdgates\.inc|@|\$\d|\bif\s*\([^;{}]*\)\s*\{"
)
DECLARED = re.compile(r"(?:^|[;{}])\s*(?:qreg|creg|opaque)\b|qelib1\.inc|hqslib1\.inc")


class Version(NamedTuple):
    """The version of a text; `stated` by the text itself, or guessed."""

    number: int
    stated: bool


def version_of(text: str, file: str) -> Version:
    """The version that the first statement says, else the one that the words of the text belong to.

    Version 3 need not be stated, and public files of version 2 forget it.
    """
    bare = blank_comments(text)
    match = STATED.match(bare)
    if match is None:
        return Version(_guess(bare, file), stated=False)
    if match[1] in ("2", "3"):
        return Version(int(match[1]), stated=True)
    place = Locator(text, file).at(match.start(1))
    raise ProgramError(f"OpenQASM {match[1]} is not known", source=place, hint="versions 2 and 3 are")


def _guess(bare: str, file: str) -> int:
    """Words of version 3 decide first: `qreg` and `creg` are legal there, too."""
    if file.endswith((".qasm2", ".qasm3")):
        return 2 if file.endswith("2") else 3
    return 2 if DECLARED.search(bare) and not ONLY_IN_THREE.search(bare) else 3


@contextmanager
def telling(version: Version) -> Iterator[None]:
    """Errors of a text that states no version say as which version it was read."""
    try:
        yield
    except ProgramError as error:
        if version.stated:
            raise
        guess = f"no version is stated, so this was read as OpenQASM {version.number}"
        hint = f"{error.hint}; {guess}" if error.hint else guess
        raise type(error)(error.message, source=error.source, hint=hint) from None


KINDS = ("init", "prop", "spec", "mark", "annotate")
START = "//@"
LINE = re.compile(r"//@[ \t]*(?P<kind>\w*)[ \t]*(?P<rest>.*?)[ \t\r]*$")
NAME = r"[A-Za-z_]\w*"
PROPERTY = re.compile(rf"(?P<name>{NAME})\s*=(?!=)\s*(?P<text>.+)")
PLACED = re.compile(r"(?P<name>[^=]+?)\s*=(?!=)\s*(?P<text>.+)")
SPECIFICATION = re.compile(rf"(?:(?P<name>{NAME})\s*:\s*)?(?P<text>.+)")
SHAPES = {
    "init": (re.compile(r"(?:=(?!=)\s*)?(?P<text>.+)"), "//@ init |000>"),
    "prop": (PROPERTY, "//@ prop target = |01> + |10>"),
    "spec": (SPECIFICATION, "//@ spec safe: AG (leaf -> target)"),
    "mark": (re.compile(rf"(?P<text>{NAME})"), "//@ mark here"),
    "annotate": (PLACED, "//@ annotate here = |000>"),
}


def read_annotations(text: str, file: str) -> tuple[Annotation, ...]:
    """Every `//@` line of a program text, in order."""
    found: list[Annotation] = []
    for number, line in enumerate(text.split("\n") if START in text else (), 1):
        match = LINE.search(line) if START in line else None
        if match and _is_ours(match["kind"]):
            annotation = _annotation(match, Source(file, number, match.start() + 1))
            _check_new(annotation, found)
            found.append(annotation)
    return tuple(found)


def _check_new(annotation: Annotation, earlier: list[Annotation]) -> None:
    """Refuse a second start, and a second meaning of a proposition."""
    kind, name = annotation.kind, annotation.name
    if kind in ("init", "prop") and any(a.kind == kind and a.name == name for a in earlier):
        what = f"//@ prop {name}" if kind == "prop" else "//@ init"
        hint = "rename one of them" if kind == "prop" else "write one line: span(|00>, |11>)"
        raise ProgramError(f"a second '{what}'", source=annotation.source, hint=hint)


def _is_ours(kind: str) -> bool:
    """Is it one of our kinds, or nearly so (a typing error)? Other tools write lines such as `//@author`."""
    return kind in KINDS or suggestion(kind, KINDS) is not None


def _annotation(match: re.Match[str], source: Source) -> Annotation:
    kind, rest = match["kind"], match["rest"]
    if kind not in KINDS:
        raise ProgramError(f"unknown annotation '//@ {kind}'", source=source, hint=suggestion(kind, KINDS))
    shape, example = SHAPES[kind]
    parts = shape.fullmatch(rest)
    if parts is None:
        raise ProgramError(f"malformed '//@ {kind} {rest}'", source=source, hint=f"write it like '{example}'")
    groups = parts.groupdict()
    name = groups["text"] if kind == "mark" else groups.get("name")
    if kind == "mark":
        check_mark(groups["text"], source)
    return Annotation(kind, name, groups["text"], source)
