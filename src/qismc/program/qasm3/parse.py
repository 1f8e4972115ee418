"""Text -> syntax tree, with located errors and marks as statements."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Sequence
from typing import Any

import openqasm3
from openqasm3 import ast

from qismc.errors import ProgramError
from qismc.program.program import Annotation
from qismc.program.qasm2_text import Locator, blank_comments
from qismc.program.source import Source

MARK = "qismc_mark_"
POSITION = re.compile(r"L(\d+):C(\d+): (.*)", re.DOTALL)
BRACKET = re.compile(r"[()\[\]{}]")
MAX_NESTING = 100


def parse(text: str, file: str, marks: Sequence[Annotation] = ()) -> ast.Program:
    """The syntax tree; each `//@ mark` line has become the statement `qismc_mark_<number>;`."""
    if not text.strip():
        hint = "begin it with 'OPENQASM 3.0;'"
        raise ProgramError("the file is empty", source=Source(file, 1, 1), hint=hint)
    _check_nesting(text, file)
    try:
        with contextlib.redirect_stderr(io.StringIO()):  # the parser prints its complaints as well
            return openqasm3.parse(_with_marks(text, marks))
    except openqasm3.parser.QASM3ParsingError as error:
        raise _located(error, text, file) from None
    except RecursionError:
        raise ProgramError("the program is nested too deeply", source=Source(file, 1, 1)) from None
    except AttributeError:  # the parser stumbles over a text without statements
        raise ProgramError("the file has no statements", source=Source(file, 1, 1)) from None


def _check_nesting(text: str, file: str) -> None:
    """Refuse what would exhaust the parser's stack."""
    depth = 0
    for bracket in BRACKET.finditer(blank_comments(text)):
        depth += 1 if bracket[0] in "([{" else -1
        if depth > MAX_NESTING:
            place = Locator(text, file).at(bracket.start())
            message = f"brackets are nested more than {MAX_NESTING} deep"
            raise ProgramError(message, source=place, hint="simplify the expression or the blocks")


def _with_marks(text: str, marks: Sequence[Annotation]) -> str:
    lines = text.split("\n")
    for number, mark in enumerate(marks):
        assert mark.source is not None
        row, column = mark.source.line - 1, (mark.source.column or 1) - 1
        lines[row] = f"{lines[row][:column]}{MARK}{number};"
    return "\n".join(lines)


def _located(error: Exception, text: str, file: str) -> ProgramError:
    if match := POSITION.match(str(error)):
        source = Source(file, int(match[1]), int(match[2]) + 1)
        return ProgramError(match[3], source=source)
    token = _offending_token(error)
    if token is None:
        return ProgramError("syntax error", source=Source(file, 1, 1))
    found = "the end of the file" if token.text in (None, "<EOF>") else f"'{token.text}'"
    if found == "the end of the file":
        rows = text.rstrip().split("\n")
        return ProgramError(f"unexpected {found}", source=Source(file, len(rows), len(rows[-1]) + 1))
    return ProgramError(f"syntax error at {found}", source=Source(file, token.line, token.column + 1))


def _offending_token(error: BaseException | None) -> Any:
    """The token inside the chain of the parser generator's exceptions."""
    while error is not None:
        for candidate in (error, *error.args):
            token = getattr(candidate, "offendingToken", None)
            if token is not None:
                return token
        error = error.__cause__ or error.__context__
    return None
