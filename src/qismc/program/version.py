"""Which OpenQASM a text is written in. Version 3 need not say so; public files of version 2 forget it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, NamedTuple

from qismc.errors import ProgramError
from qismc.program.qasm2_text import Locator, blank_comments

Number = Literal[2, 3]
STATED = re.compile(r"\s*OPENQASM\s+(\d+)")
ONLY_IN_THREE = re.compile(
    r"(?:^|[;{}])\s*(?:qubit|bit|bool|u?int|float|angle|complex|array|duration|stretch|const|let|def|defcal|extern"
    r"|input|output|for|while|switch|box|delay|end|break|continue|gphase|ctrl|negctrl|inv|pow|pragma|return)\b"
    r"|=\s*measure\b|stdgates\.inc|@|\$\d|\bif\s*\([^;{}]*\)\s*\{"
)
DECLARED = re.compile(r"(?:^|[;{}])\s*(?:qreg|creg|opaque)\b|qelib1\.inc|hqslib1\.inc")


class Version(NamedTuple):
    """The version of a text; `stated` by the text itself, or guessed."""

    number: Number
    stated: bool


def version_of(text: str, file: str) -> Version:
    """The version that the first statement says, else the one that the words of the text belong to."""
    bare = blank_comments(text)
    match = STATED.match(bare)
    if match is None:
        return Version(_guess(bare, file), stated=False)
    if match[1] == "2":
        return Version(2, stated=True)
    if match[1] == "3":
        return Version(3, stated=True)
    place = Locator(text, file).at(match.start(1))
    raise ProgramError(f"OpenQASM {match[1]} is not known", source=place, hint="versions 2 and 3 are")


def _guess(bare: str, file: str) -> Number:
    """Registers of version 2 are legal in version 3 and mean the same, so they decide last."""
    if file.endswith((".qasm2", ".qasm3")):
        return 2 if file.endswith("2") else 3
    return 2 if DECLARED.search(bare) and not ONLY_IN_THREE.search(bare) else 3


@contextmanager
def telling(version: Version) -> Iterator[None]:
    """Errors of a text that states no version say as what it was read."""
    try:
        yield
    except ProgramError as error:
        if version.stated:
            raise
        guess = f"no version is stated, so this was read as OpenQASM {version.number}"
        hint = f"{error.hint}; {guess}" if error.hint else guess
        raise type(error)(error.message, source=error.source, hint=hint) from None
