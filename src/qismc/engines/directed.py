"""Directions: vectors up to a factor, told apart and numbered 0, 1, ...

Over a field two vectors have one direction iff their coordinates on a basis have the same ratios, so that a
table finds it. In floating point coordinates are rounded: there the vector is compared with each direction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from qismc.engines.engine import Engine, Exact, Span, Vector
from qismc.numbers import Element

Ratios = tuple[tuple[int, int], ...]


class Directions(Protocol):
    """The directions that were met so far."""

    def number(self, vector: Vector, *, new: bool) -> int | None:
        """The number of a direction; if it has none, the next one is given to it if `new`."""


def directions(engine: Engine) -> Directions:
    return NumericDirections(engine) if engine.exact is None else FieldDirections(engine.exact)


class FieldDirections:
    """A basis grows with what is met; the ratios of coordinates on it tell a direction from all others."""

    def __init__(self, engine: Exact) -> None:
        self._engine = engine
        self._basis = engine.span()
        self._vectors: list[Vector] = []
        self._known: dict[Ratios, int] = {}

    def number(self, vector: Vector, *, new: bool) -> int | None:
        row = self._basis.coordinates(vector)
        ratios = None if row is None else ratios_of(self._engine.form.numbers(row))
        number = None if ratios is None else self._known.get(ratios)
        if number is not None and self._engine.aligned(self._vectors[number], vector):
            return number
        if not new:
            return None
        if ratios is None:
            self._basis.add(vector)
            ratios = ((0, 0),) * (self._basis.dimension - 1) + ((1, 0),)
        self._known[ratios] = len(self._vectors)
        self._vectors.append(vector)
        return self._known[ratios]


class NumericDirections:
    """Each has a span of its own, which knows what is near enough."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lines: list[Span] = []

    def number(self, vector: Vector, *, new: bool) -> int | None:
        number = next((k for k, line in enumerate(self._lines) if line.contains(vector)), None)
        if number is None and new:
            number = len(self._lines)
            self._lines.append(self._engine.span())
            self._lines[-1].add(vector)
        return number


def ratios_of(numbers: Sequence[Element]) -> Ratios:
    """x / y for the first y that is not zero; zeros at the end are left out, for a basis may grow.

    >>> ratios_of([Element(7, 0), Element(7, 2), Element(7, 1), Element(7, 0)])
    ((0, 0), (1, 0), (4, 0))
    """
    scale = next(number for number in numbers if number).inverse()
    scaled = [number * scale for number in numbers]
    while not scaled[-1]:
        scaled.pop()
    return tuple([(number.re, number.im) for number in scaled])
