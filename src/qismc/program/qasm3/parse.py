"""Text -> syntax tree, with located errors and marks as statements."""

from __future__ import annotations

import contextlib
import io
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Any

import openqasm3
from openqasm3 import ast

from qismc.common.source import Source
from qismc.errors import ProgramError
from qismc.program.program import Annotation
from qismc.program.qasm3.plain import parse_plain
from qismc.program.qasm3.plain_expressions import KEYWORDS
from qismc.program.qasm_text import Locator, blank_comments, check_text

MARK = "qismc_mark_"
POSITION = re.compile(r"L(\d+):C(\d+): (.*)", re.DOTALL)
BRACKET = re.compile(r"[()\[\]{}]")
MAX_NESTING = 300
"""Maximum nesting of brackets and braces: the full parser recurses over them."""
Warn = Callable[[str, Source], None]


def _silent(_: str, __: Source) -> None:
    pass


def parse(text: str, file: str, marks: Sequence[Annotation] = (), warn: Warn = _silent) -> ast.Program:
    """The syntax tree; each `//@ mark` line has become the statement `qismc_mark_<number>;`."""
    if not text.strip():
        hint = "begin it with 'OPENQASM 3.0;'"
        raise ProgramError("the file is empty", source=Source(file, 1, 1), hint=hint)
    check_text(text, file)
    _check_nesting(text, file)
    typed = Typed(_with_marks(text, marks))
    tree = parse_plain(blank_comments(typed.text)) or _parse_fully(typed, text, file)
    typed.restore(tree)
    for line, column in typed.loops[:1]:
        warn("'for' without a type: its variable is read as int", Source(file, line, column + 1))
    return tree


def _parse_fully(typed: Typed, text: str, file: str) -> ast.Program:
    try:
        with contextlib.redirect_stderr(io.StringIO()):  # the parser prints its complaints as well
            return _repaired(openqasm3.parse(typed.text), typed.text)
    except openqasm3.parser.QASM3ParsingError as error:
        raise _located(error, typed, text, file) from None
    except RecursionError:
        raise ProgramError("the program is nested too deeply", source=Source(file, 1, 1)) from None
    except AttributeError:  # the parser stumbles over a text without statements
        raise ProgramError("the file has no statements", source=Source(file, 1, 1)) from None


def _repaired(tree: ast.Program, text: str) -> ast.Program:
    """The tree with true columns: for many names the parser counts from the start of the text instead."""
    lines = text.split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    for name in _identifiers(tree):
        line, column = name.span.start_line, name.span.start_column
        from_start = text.startswith(name.name, column)
        if from_start and not lines[line - 1].startswith(name.name, column):
            name.span = ast.Span(line, column - starts[line - 1], line, column - starts[line - 1])
    return tree


def _identifiers(root: Any) -> Iterator[Any]:
    """Every identifier with a place."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Identifier) and node.span is not None:
            yield node
        elif isinstance(node, list | tuple):
            waiting += node
        elif isinstance(node, ast.QASMNode):
            waiting += vars(node).values()


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


def _located(error: Exception, typed: Typed, text: str, file: str) -> ProgramError:
    if match := POSITION.match(str(error)):
        line = int(match[1])
        source = Source(file, line, typed.column(line, int(match[2])) + 1)
        return ProgramError(match[3], source=source)
    token = _offending_token(error)
    if token is None:
        return ProgramError("syntax error", source=Source(file, 1, 1))
    found = "the end of the file" if token.text in (None, "<EOF>") else f"'{token.text}'"
    if found == "the end of the file":
        rows = text.rstrip().split("\n")
        return ProgramError(f"unexpected {found}", source=Source(file, len(rows), len(rows[-1]) + 1))
    place = Source(file, token.line, typed.column(token.line, token.column) + 1)
    return ProgramError(f"syntax error at {found}", source=place)


def _offending_token(error: BaseException | None) -> Any:
    """The token inside the chain of the parser generator's exceptions."""
    while error is not None:
        for candidate in (error, *error.args):
            token = getattr(candidate, "offendingToken", None)
            if token is not None:
                return token
        error = error.__cause__ or error.__context__
    return None


LOOP = re.compile(r"\"[^\"\n]*\"|(?<!\w)for\s+(?=(?P<name>[^\W\d]\w*)\s+in\b)")
TYPE = "int "


class Typed:
    """A text whose loops all have types, and where its words were written.

    Qiskit 2.0 writes loops whose variable has no type, `for i in [0:2]`: it is read as `int`.
    """

    def __init__(self, text: str) -> None:
        found = [m for m in LOOP.finditer(blank_comments(text)) if m["name"] and m["name"] not in KEYWORDS]
        ends = [0, *(match.end() for match in found)]
        pieces = [text[a:b] for a, b in zip(ends, [*ends[1:], len(text)], strict=True)]
        self.text = TYPE.join(pieces)
        self.loops: list[tuple[int, int]] = []
        """Lines from 1 and columns from 0 of the words `for` that lack a type."""
        self._added: dict[int, list[int]] = defaultdict(list)
        """Columns of the added types, by line."""
        starts = [0, *(end.end() for end in re.finditer("\n", text))] if found else []
        for match in found:
            self.loops.append(_place(starts, match.start()))
            line, column = _place(starts, match.end())
            self._added[line].append(column + len(TYPE) * len(self._added[line]))

    def column(self, line: int, column: int) -> int:
        """The written column of what stands at a column of the new text."""
        return column - len(TYPE) * sum(added < column for added in self._added.get(line, ()))

    def restore(self, root: Any) -> None:
        """Give all nodes of a tree the places where they were written."""
        waiting = [root] if self.loops else []
        while waiting:
            node = waiting.pop()
            if isinstance(node, list | tuple):
                waiting += node
            elif isinstance(node, ast.QASMNode):
                if node.span is not None:
                    node.span = self._written(node.span)
                waiting += (part for name, part in vars(node).items() if name != "span")

    def _written(self, span: ast.Span) -> ast.Span:
        start, end = (span.start_line, span.start_column), (span.end_line, span.end_column)
        return ast.Span(start[0], self.column(*start), end[0], self.column(*end))


def _place(starts: list[int], offset: int) -> tuple[int, int]:
    """Line and column of an offset, given the offsets at which lines start."""
    line = bisect_right(starts, offset)
    return line, offset - starts[line - 1]
