"""How numbers cross the border to the native core: fields as words, complex numbers as doubles."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from qismc.common.lazily import cached_property
from qismc.common.scalars import COMPLEX, COMPLEX_ARRAYS, Scalars
from qismc.limits import Tolerance
from qismc.numbers.element import Element, joined
from qismc.numbers.field import FieldScalars
from qismc.numbers.ledger import NOTHING_ASSUMED, Assumptions
from qismc.numbers.rows import (
    WORDS,
    CoordinateRow,
    FieldArithmetic,
    FloatArithmetic,
    LongArithmetic,
    RowArithmetic,
)
from qismc.program import FORMULAS, AnglePart, Base, Gaussian, base_matrix, phase_matrix


class NumberForm(Protocol):
    """A number system together with its native representation."""

    @property
    def kind(self) -> str: ...
    @property
    def primes(self) -> tuple[int, ...]: ...
    @property
    def prime_words(self) -> tuple[int, int]:
        """What the native core is told about the primes."""

    @property
    def formal(self) -> bool: ...
    @property
    def assumed(self) -> Assumptions: ...
    @property
    def ring(self) -> Scalars[Any]: ...
    @property
    def fingerprint(self) -> tuple[object, ...]:
        """Equal for forms under which every number has the same image."""

    def pack(self, values: Sequence[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
        """Numbers as an array for the native core."""

    def matrices(self, bases: Sequence[Base]) -> list[npt.NDArray[Any]]:
        """The matrices of gates as flat arrays, row by row."""

    def random(self, draw: random.Random) -> Any:
        """Any number of the ring, all with the same chance where there are finitely many."""

    def arithmetic(self, tolerance: Tolerance) -> RowArithmetic:
        """Linear algebra on coordinate rows."""


def _is_turned(base: Base) -> bool:
    """Is it a named gate with angles?"""
    return bool(base.angles) and base.entries is None


def _listed(base: Base, ring: Scalars[Any]) -> list[Any]:
    return [entry for row in base_matrix(base, ring) for entry in row]


class FieldForm:
    """Elements of F_p as one word, of F_p(i) and F_p x F_q as two; twice as many if p is long."""

    def __init__(self, ring: FieldScalars) -> None:
        self.ring = ring
        self.kind, self.primes, self.prime_words = ring.kind, ring.moduli, ring.prime_words
        self.formal, self.assumed = ring.formal, ring.assumed

    @cached_property
    def algebra(self) -> FieldArithmetic:
        """Linear algebra over the field."""
        arithmetic = LongArithmetic if self.ring.needs.long else FieldArithmetic
        return arithmetic(self.kind, *self.prime_words)

    @property
    def fingerprint(self) -> tuple[object, ...]:
        return self.ring.fingerprint

    def pack(self, values: Sequence[Element], shape: tuple[int, ...]) -> npt.NDArray[np.uint64]:
        words = np.array(self.ring.words(values), dtype=np.uint64)
        return words.reshape(shape if self.kind == "fp" else (*shape, WORDS[self.kind]))

    def matrices(self, bases: Sequence[Base]) -> list[npt.NDArray[np.uint64]]:
        turned = iter(self._gates.of_all([base for base in bases if _is_turned(base)]))
        return [next(turned) if _is_turned(base) else self._constant(base) for base in bases]

    def _constant(self, base: Base) -> npt.NDArray[np.uint64]:
        found = _listed(base, self.ring)
        return self.pack(found, (len(found),))

    @cached_property
    def _gates(self) -> GateMatrices:
        return GateMatrices(self.ring)

    def random(self, draw: random.Random) -> Element:
        p = self.ring.p
        return Element(p, draw.randrange(p), draw.randrange(p) if self.ring.conjugating else 0)

    def numbers(self, row: CoordinateRow) -> list[Element]:
        """A coordinate row as numbers of the ring."""
        if self.ring.needs.long:
            algebra = self.algebra
            assert isinstance(algebra, LongArithmetic)
            return [Element(self.ring.p, *parts) for parts in algebra.parts(np.asarray(row)).tolist()]
        if self.ring.conjugating:
            return [Element(self.ring.p, re, im) for re, im in row.tolist()]
        if len(self.primes) == 1:
            return [Element(self.ring.p, word) for word in row.tolist()]
        p, q = self.primes
        return [joined(Element(p, one), Element(q, other)) for one, other in row.tolist()]

    def arithmetic(self, tolerance: Tolerance) -> FieldArithmetic:  # noqa: ARG002 - fields need none
        return self.algebra


MANY_ALIKE = 4
"""From so many gates of one name on, their complex matrices are made in one call of NumPy."""


def _matrix(base: Base) -> npt.NDArray[np.complex128]:
    return np.array(_listed(base, COMPLEX), dtype=np.complex128)


def _turned(name: str, bases: Sequence[Base]) -> npt.NDArray[np.complex128]:
    """The matrices of gates of that name: a row for each."""
    angles = np.array([base.angles for base in bases]).T
    entries = [entry for row in FORMULAS[name][2](COMPLEX_ARRAYS, *angles) for entry in row]
    found = np.empty((len(bases), len(entries)), dtype=np.complex128)
    for place, entry in enumerate(entries):
        found[:, place] = entry
    return found


@dataclass(frozen=True)
class ComplexForm:
    """Complex numbers in double precision."""

    kind: str = "complex"
    primes: tuple[int, ...] = ()
    prime_words: tuple[int, int] = (0, 0)
    formal: bool = False
    assumed: Assumptions = NOTHING_ASSUMED
    ring: Scalars[Any] = COMPLEX

    @property
    def fingerprint(self) -> tuple[object, ...]:
        return ("complex",)

    def pack(self, values: Sequence[complex], shape: tuple[int, ...]) -> npt.NDArray[np.complex128]:
        return np.array(values, dtype=np.complex128).reshape(shape)

    def meant(self, base: Base) -> Base:
        """The gate whose matrix is used: here the gate itself; in derived forms, one with other angles."""
        return base

    def matrices(self, bases: Sequence[Base]) -> list[npt.NDArray[np.complex128]]:
        bases = [self.meant(base) for base in bases]
        named: dict[str, list[Base]] = {}
        for base in bases:
            if _is_turned(base):
                named.setdefault(base.name, []).append(base)
        made: dict[Base, npt.NDArray[np.complex128]] = {}
        for name, alike in named.items():
            if len(alike) >= MANY_ALIKE:
                made.update(zip(alike, _turned(name, alike), strict=True))
        return [made[base] if base in made else _matrix(base) for base in bases]

    def random(self, draw: random.Random) -> complex:
        return complex(draw.gauss(0, 1), draw.gauss(0, 1))

    def arithmetic(self, tolerance: Tolerance) -> RowArithmetic:
        return FloatArithmetic(tolerance)


Words = npt.NDArray[np.uint64]
Indices = npt.NDArray[np.int32]


@cache
def tables(name: str) -> tuple[Indices, Indices, Indices, Indices, Indices]:
    """The `PhaseMatrix` of a named gate with angles, as the native core takes it, without its coefficients.

    The ends of the products and what they are made of, the ends of the sums and their terms, the entries.
    """
    shape = phase_matrix(name)
    return (
        np.cumsum([len(product) for product in shape.products], dtype=np.int32),
        _flat(shape.products),
        np.cumsum([len(terms) for terms in shape.sums], dtype=np.int32),
        _flat(term for terms in shape.sums for term in terms),
        np.array(shape.entries, dtype=np.int32),
    )


def _flat(rows: Iterable[tuple[int, ...]]) -> Indices:
    return np.array([place for row in rows for place in row], dtype=np.int32)


class GateMatrices:
    """The matrices of named gates with angles over one field."""

    def __init__(self, ring: FieldScalars) -> None:
        self._ring = ring
        self._numbers: dict[int, Element] = {}
        """Coefficients by their identity: tables of gates are never freed, and hashing fractions is slow."""
        self._made: dict[Base, Words] = {}

    def of_all(self, bases: Sequence[Base]) -> list[Words]:
        """The matrices, row by row; the first call also makes those of all other gates that were noted."""
        missing = [base for base in bases if base not in self._made]
        if missing:
            noted = {} if self._made else self._ring.needs.gates
            self._make([*noted, *[base for base in missing if base not in noted]])
        return [self._made[base] for base in bases]

    def _make(self, bases: Iterable[Base]) -> None:
        named: dict[str, list[Base]] = {}
        for base in bases:
            named.setdefault(base.name, []).append(base)
        known: dict[AnglePart, int] = {}
        places = {name: _places(name, alike, known) for name, alike in named.items()}
        phases = self._ring.phases(known)
        for name, alike in named.items():
            shape = phase_matrix(name)
            coefficients = self._words([self._gaussian(number) for number in shape.coefficients])
            rows = phases.matrices(len(shape.phases), coefficients, *tables(name), places[name])
            self._made.update(zip(alike, rows, strict=True))

    def _words(self, numbers: list[Element]) -> Words:
        return np.array(self._ring.words(numbers), dtype=np.uint64)

    def _gaussian(self, number: Gaussian) -> Element:
        """re + i im with the i that agrees with the roots of unity."""
        found = self._numbers.get(id(number))
        if found is None:
            ring, (re, im) = self._ring, number
            found = ring.rational(re)
            if im:
                found += self._quarter * ring.rational(im)
            self._numbers[id(number)] = found
        return found

    @cached_property
    def _quarter(self) -> Element:
        return self._ring.turn(Fraction(1, 4))


def _places(name: str, bases: list[Base], known: dict[AnglePart, int]) -> Indices:
    """The phases of gates of that name, numbered as they come; of a negative angle, ~k for the conjugate."""
    found = []
    for base in bases:
        for k, numerator, denominator in phase_matrix(name).phases:
            angle = base.angles[k]
            place = known.setdefault((abs(angle), numerator, denominator), len(known))
            found.append(~place if angle < 0 else place)
    return np.array(found, dtype=np.int32)
