"""Gates that stand one after the other in a program, and their places as flat arrays that are made once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import overload

from qismc import _core
from qismc.program import Apply, Program, Statement
from qismc.system.column_arrays import columns
from qismc.system.edges import Application

LONG = 8
"""Smallest number of points of a stretch whose layout is cached."""


Layout = _core.Layout
"""Where the factors of operators act; it knows no numbers and no order of levels."""


def layout_of(applications: Sequence[Application]) -> Layout:
    """The factors of all operators, first one first."""
    return _core.Columns(applications, None).layout(0, len(applications))


class Stretch(Sequence[Application]):
    """The gates at the points first <= p < last of a program."""

    def __init__(self, program: Program, first: int, last: int) -> None:
        self._program = program
        self.key = (first, last)

    @property
    def points(self) -> int:
        """How many there are, of gates and others."""
        return self.key[1] - self.key[0]

    def part(self, begin: int, end: int) -> Stretch:
        """The gates at some of the points, counted from the first."""
        return Stretch(self._program, self.key[0] + begin, self.key[0] + end)

    def common_points(self, other: Stretch) -> int:
        """With how many equal statements both begin."""
        count = min(self.points, other.points)
        mine, theirs = self.part(0, count)._code, other.part(0, count)._code
        if mine == theirs:
            return count
        pairs = enumerate(zip(mine, theirs, strict=True))  # one may be a list, the other a tuple
        return next((k for k, (a, b) in pairs if a != b), count)

    @property
    def _code(self) -> Sequence[Statement]:
        return self._program.code[self.key[0] : self.key[1]]

    @property
    def is_long(self) -> bool:
        """Is it worth being kept?"""
        return self.key[1] - self.key[0] >= LONG

    @property
    def layout(self) -> Layout:
        if not self.is_long:
            return self._laid_out(self._program)
        return self._program.once(("layout", *self.key), self._laid_out)

    def _laid_out(self, program: Program) -> Layout:
        return columns(program).table.layout(*self.key)

    @property
    def listed(self) -> list[Application]:
        first, last = self.key
        return [Application(*s) for s in self._program.code[first:last] if type(s) is Apply]

    def __iter__(self) -> Iterator[Application]:
        return iter(self.listed)

    def __len__(self) -> int:
        first, last = columns(self._program).table.between(*self.key)
        return last - first

    @overload
    def __getitem__(self, index: int) -> Application: ...
    @overload
    def __getitem__(self, index: slice) -> list[Application]: ...
    def __getitem__(self, index: int | slice) -> Application | list[Application]:
        return self.listed[index]

    def __add__(self, others: Iterable[Application]) -> list[Application]:
        return list(chain(self, others))
