"""Loops whose variable has no type, `for i in [0:2]`, as Qiskit 2.0 writes them: it is read as `int`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from typing import Any

from openqasm3 import ast

from qismc.program.qasm2_text import blank_comments
from qismc.program.qasm3.tokens import KEYWORDS

LOOP = re.compile(r"\"[^\"\n]*\"|(?<!\w)for\s+(?=(?P<name>[^\W\d]\w*)\s+in\b)")
TYPE = "int "


class Typed:
    """A text whose loops all have types, and where its words were written."""

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
