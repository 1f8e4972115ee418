"""Statements that stand several times in the flat code and once in the text.

They come from loops that were unrolled, and from lines of Python that ran again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from qismc.common.source import Source
from qismc.program.program import Program
from qismc.program.statements import Apply, Goto, Measure, Reset


class Copies:
    """The points whose statements have the same source position and the same text."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._by_source: dict[Source | None, list[int]] = defaultdict(list)
        for point, source in enumerate(program.sources):
            self._by_source[source].append(point)
        self._alike: dict[Source | None, dict[object, list[int]]] = {}

    @property
    def by_source(self) -> Mapping[Source | None, Sequence[int]]:
        """The points that were made from each source position."""
        return self._by_source

    def of(self, point: int) -> Sequence[int]:
        """The copies of a statement, itself among them."""
        source = self._program.sources[point]
        if len(self._by_source[source]) == 1:
            return (point,)
        if source not in self._alike:
            alike = self._alike[source] = defaultdict(list)
            for other in self._by_source[source]:
                alike[self._look(other)].append(other)
        return self._alike[source][self._look(point)]

    def is_turn(self, point: int) -> bool:
        """Does a turn of an unrolled loop begin here?"""
        statement = self._program.code[point]
        return isinstance(statement, Goto) and statement.loop

    def _look(self, point: int) -> object:
        """Equal for statements that are written alike. Targets of copies differ, so texts are compared."""
        statement = self._program.code[point]
        if self.is_turn(point):
            return Goto  # the turns of a loop stand once in the text, whatever their values
        if self._program.texts[point] is None and isinstance(statement, Apply | Measure | Reset):
            return statement
        return self._program.text(point)


def copies_of(program: Program) -> Copies:
    """The copies in a program, found once."""
    return program.once("copies", Copies)
