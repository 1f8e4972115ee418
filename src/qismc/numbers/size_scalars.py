"""The number system of sizes, and that of elements with sizes.

The formula of a gate or of a ket, evaluated in the number system of sizes, gives a bound on its numbers; so
there is no table of gates. Exact engines compute with pairs of an element of a field and such a bound.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import islice

import numpy as np

from qismc.numbers.element import Element
from qismc.numbers.field import FieldScalars
from qismc.numbers.needs import Needs, part_of
from qismc.numbers.recognise import RootScalars
from qismc.numbers.sizes import (
    ONE,
    UNBOUNDED,
    UNIT,
    ZERO,
    Denominator,
    Size,
    both,
    power,
    product,
    stacked,
    total,
)
from qismc.program import FORMULAS, AnglePart, Base, are_unitary, base_matrix, phase_matrix
from qismc.system import Layout

SMALL_ATOMS = (2, 3, 5, 7, 11, 13)
"""Primes that denominators are taken apart into; the rest of an integer is an atom of its own."""


@dataclass(slots=True)
class SizeOnly:
    """A number of which only the size is known. It is never changed (frozen classes are slow to make)."""

    size: Size
    field_degree: int

    def _with(self, size: Size) -> SizeOnly:
        return SizeOnly(size, self.field_degree)

    def __add__(self, other: SizeOnly) -> SizeOnly:
        return self._with(total([self.size, other.size]))

    __sub__ = __add__

    def __mul__(self, other: SizeOnly) -> SizeOnly:
        return self._with(both(self.size, other.size))

    def __neg__(self) -> SizeOnly:
        return self

    def __truediv__(self, other: SizeOnly) -> SizeOnly:
        return self._with(both(self.size, _inverse(other.size, self.field_degree)))


def _inverse(size: Size, field_degree: int) -> Size:
    """1/x is conj(x) / |x|^2 if that is rational, else the product of the other conjugates of x by its norm.

    With an integer y = x D:  1/x = D (product of the other conjugates of y) / (norm of y).
    """
    if size.square:
        by = _rational(1 / size.square)
        return Size(both(size, by).denominator, -size.height, size.degree, 1 / size.square)
    if size.degree or math.isinf(size.height):
        return UNBOUNDED
    denominator = sum(size.denominator.values())
    norm = field_degree * size.bits
    height = (field_degree - 1) * max(size.height, 0.0) + field_degree * denominator
    return Size({("norm", norm, height): norm}, height)


MANY_OPERATORS = 8
"""Fewest operators of a layout whose size is kept: every further prime asks for it again."""


class SizeScalars(RootScalars):
    """The number system of sizes, for the numbers that `needs` has taken note of."""

    def __init__(self, needs: Needs) -> None:
        self._needs = needs
        self._field_degree = needs.field_degree()
        self._bases: dict[Base, Size] = {}
        self._degrees: dict[Base, int] = {}
        self._runs: dict[int, tuple[Layout, tuple[Size, bool]]] = {}

    def _number(self, size: Size) -> SizeOnly:
        return SizeOnly(size, self._field_degree)

    def rational(self, value: Fraction | int) -> SizeOnly:
        if value in (0, 1):
            return self._number(UNIT if value else ZERO)
        return self._number(_rational(Fraction(value)))

    def sqrt(self, value: Fraction | int) -> SizeOnly:
        return self._number(_root(Fraction(value)))

    def turn(self, fraction: Fraction) -> SizeOnly:
        if self._needs.order % fraction.denominator == 0:
            return self._number(UNIT)
        return self.phase(2 * math.pi * float(fraction))

    def phase(self, angle: float, times: Fraction | int = 1) -> SizeOnly:
        return self._number(self._phase(part_of(angle, times)))

    def _phase(self, part: AnglePart) -> Size:
        bits = self._needs.phase_bits(part)
        denominator: Denominator = {("angle", part[0]): bits} if bits else {}
        return Size(denominator, 0.0, self._needs.degree(part), ONE)

    def of_layout(self, layout: Layout) -> tuple[Size, bool]:
        """The size of all operators one after the other, and whether they are invertible in every field.

        Named unitary gates are: they have an inverse of the same form; literal numbers may be rounded.
        """
        known = self._runs.get(id(layout))
        if known is None:
            invertible = all(o.unitary for o, _ in layout.counts) and are_unitary(layout.bases)
            known = layout, (self._repeated(layout.bases, np.bincount(layout.chosen).tolist()), invertible)
            if len(layout.counts) >= MANY_OPERATORS:
                self._runs[id(layout)] = known
        return known[1]

    def _repeated(self, bases: Sequence[Base], counts: Sequence[int]) -> Size:
        """The size of a product in which each base occurs so often."""
        plain = not self._needs.rooted()  # then gates of one name differ in their degrees only
        named: dict[str, int] = {}
        turned: list[tuple[Base, int]] = []
        sizes = []
        for base, count in zip(bases, counts, strict=True):
            if plain and base.angles and base.entries is None:
                named[base.name] = named.get(base.name, 0) + count
                turned.append((base, count))
            else:
                sizes.append(power(self.base(base), count))
        sizes += [power(_turned(name, 0), count) for name, count in named.items()]
        found = product(sizes)
        return Size(found.denominator, found.height, found.degree + self._degrees_of(turned))

    def _degrees_of(self, turned: Sequence[tuple[Base, int]]) -> int:
        """The degree of a product in which each gate with angles occurs so often."""
        if not self._needs.units:  # no unknowns stand for any angles
            return 0
        parts = [phase_matrix(base.name).parts(base.angles) for base, _ in turned]
        degrees = iter(self._needs.degrees([part for each in parts for part in each]))
        return sum(
            count * _largest_degree(base.name, *islice(degrees, len(each)))
            for (base, count), each in zip(turned, parts, strict=True)
        )

    def base(self, base: Base) -> Size:
        """The size of the matrix of a gate with its controls: `height` bounds images of unit vectors.

        Named gates shrink no less than they say: they are unitary or projectors, at every conjugate.
        """
        if not base.angles and base.entries is None and self._needs.order % EIGHTHS == 0:
            return _constant(base)
        if base not in self._bases:
            self._bases[base] = self._turned(base) if base.entries is None else self._literal(base)
        return self._bases[base]

    def _literal(self, base: Base) -> Size:
        rows = [[entry.size for entry in row] for row in base_matrix(base, self)]
        entries = stacked(size for row in rows for size in row)
        return Size(entries.denominator, max(0.0, _largest_stretch(rows)), entries.degree)

    def _turned(self, base: Base) -> Size:
        """The size of a gate with angles: that of the gate without, and its largest product of phases."""
        if not self._needs.rooted():
            return _turned(base.name, self._degree(base))
        shape = phase_matrix(base.name)
        sizes = [self._phase(part) for part in shape.parts(base.angles)]
        phases = stacked(product(sizes[k] for k in each) for each in shape.largest)
        return Size({**_turned(base.name, 0).denominator, **phases.denominator}, 0.0, phases.degree)

    def _degree(self, base: Base) -> int:
        """The largest degree of a product of its phases."""
        found = self._degrees.get(base)
        if found is None:
            degrees = self._needs.degrees(phase_matrix(base.name).parts(base.angles))
            found = self._degrees[base] = _largest_degree(base.name, *degrees)
        return found


EIGHTHS = 8
"""Named gates without angles are made of eighths of a turn, of rationals and of square roots of them."""


@cache
def _constant(base: Base) -> Size:
    """The size of a gate without angles, the same for all needs with eighths of a turn."""
    entries = stacked(entry.size for row in base_matrix(base, SizeScalars(Needs())) for entry in row)
    return Size(entries.denominator, 0.0, entries.degree)


@lru_cache(maxsize=1 << 12)
def _largest_degree(name: str, *degrees: int) -> int:
    """The largest degree of a product of phases in a gate whose phases have these degrees."""
    return max([sum([degrees[k] for k in each]) for each in phase_matrix(name).largest])


@lru_cache(maxsize=1 << 12)
def _turned(name: str, degree: int) -> Size:
    """The size of a gate with angles whose phases have no denominators, and their products this degree."""
    angles = (0.0,) * FORMULAS[name][1]
    entries = stacked(e.size for row in base_matrix(Base(name, angles), SizeScalars(Needs())) for e in row)
    return Size(entries.denominator, 0.0, degree)


def _largest_stretch(rows: list[list[Size]]) -> float:
    """log2 of a bound on the matrix norm: Frobenius', or the geometric mean of largest row and column."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    row, column = (max(total(line).height for line in lines) for lines in (rows, columns))
    return min((row + column) / 2, stacked(size for line in rows for size in line).height)


@lru_cache(maxsize=256)
def _rational(value: Fraction) -> Size:
    if value == 0:
        return ZERO
    return Size(_atoms(value.denominator, 1.0), _log2(abs(value)), 0, value * value)


@lru_cache(maxsize=256)
def _root(value: Fraction) -> Size:
    """sqrt(a/b) times sqrt(b) is an algebraic integer."""
    if value == 0:
        return ZERO
    return Size(_atoms(value.denominator, 0.5), _log2(value) / 2, 0, value)


def _log2(value: Fraction) -> float:
    return math.log2(value.numerator) - math.log2(value.denominator)


def _atoms(number: int, power: float) -> Denominator:
    found: dict[Hashable, float] = {}
    for prime in SMALL_ATOMS:
        exponent = 0
        while number % prime == 0:
            number //= prime
            exponent += 1
        if exponent:
            found[prime] = power * exponent * math.log2(prime)
    if number > 1:
        found[number] = power * math.log2(number)
    return found


@dataclass(slots=True, eq=False)
class SizedNumber:
    """An element and a size; equal if the elements are."""

    element: Element
    sized: SizeOnly

    @property
    def size(self) -> Size:
        return self.sized.size

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SizedNumber) and self.element == other.element

    def __hash__(self) -> int:
        return hash(self.element)

    def __add__(self, other: SizedNumber) -> SizedNumber:
        return SizedNumber(self.element + other.element, self.sized + other.sized)

    def __sub__(self, other: SizedNumber) -> SizedNumber:
        return SizedNumber(self.element - other.element, self.sized - other.sized)

    def __mul__(self, other: SizedNumber) -> SizedNumber:
        return SizedNumber(self.element * other.element, self.sized * other.sized)

    def __truediv__(self, other: SizedNumber) -> SizedNumber:
        return SizedNumber(self.element / other.element, self.sized / other.sized)

    def __neg__(self) -> SizedNumber:
        return SizedNumber(-self.element, self.sized)


class SizedField(RootScalars):
    """The number system of elements with sizes."""

    def __init__(self, field: FieldScalars, sizes: SizeScalars) -> None:
        self._field = field
        self._sizes = sizes
        self._known: dict[tuple[str, int, int], SizedNumber] = {}
        """By kind, numerator and denominator: fractions take long to be looked up."""

    def rational(self, value: Fraction | int) -> SizedNumber:
        return self._kept("rational", value)

    def sqrt(self, value: Fraction | int) -> SizedNumber:
        return self._kept("sqrt", value)

    def phase(self, angle: float, times: Fraction | int = 1) -> SizedNumber:
        return SizedNumber(self._field.phase(angle, times), self._sizes.phase(angle, times))

    def turn(self, fraction: Fraction) -> SizedNumber:
        return self._kept("turn", fraction)

    def _kept(self, kind: str, value: Fraction | int) -> SizedNumber:
        key = kind, value.numerator, value.denominator
        found = self._known.get(key)
        if found is None:
            element, size = (getattr(ring, kind)(value) for ring in (self._field, self._sizes))
            found = self._known[key] = SizedNumber(element, size)
        return found
