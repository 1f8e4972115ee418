"""Gates with angles over a finite field: all that were noted, in one go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from qismc.common.lazily import cached_property
from qismc.numbers.element import Element
from qismc.numbers.field import FieldScalars
from qismc.program import AnglePart, Base, Gaussian, phase_matrix

Words = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int32]


class Tables(NamedTuple):
    """A `PhaseMatrix` as the native core takes it, without its coefficients."""

    product_ends: Places
    products: Places
    sum_ends: Places
    terms: Places
    entries: Places


@cache
def tables(name: str) -> Tables:
    """Of the named gate with angles."""
    shape = phase_matrix(name)
    return Tables(
        np.cumsum([len(product) for product in shape.products], dtype=np.int32),
        _flat(shape.products),
        np.cumsum([len(terms) for terms in shape.sums], dtype=np.int32),
        _flat(term for terms in shape.sums for term in terms),
        np.array(shape.entries, dtype=np.int32),
    )


def _flat(rows: Iterable[tuple[int, ...]]) -> Places:
    return np.array([place for row in rows for place in row], dtype=np.int32)


class GateMatrices:
    """The matrices of named gates with angles over one field."""

    def __init__(self, ring: FieldScalars) -> None:
        self._ring = ring
        self._numbers: dict[int, Element] = {}
        """Of coefficients, by identity: tables of gates last, and fractions take long to be looked up."""
        self._made: dict[Base, Words] = {}

    def of_all(self, bases: Sequence[Base]) -> list[Words]:
        """Row by row; whoever asks for the first gates wants the others that were noted, too."""
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


def _places(name: str, bases: list[Base], known: dict[AnglePart, int]) -> Places:
    """The phases of gates of that name, numbered as they come; of a negative angle, ~k for the conjugate."""
    found = []
    for base in bases:
        for k, numerator, denominator in phase_matrix(name).phases:
            angle = base.angles[k]
            place = known.setdefault((abs(angle), numerator, denominator), len(known))
            found.append(~place if angle < 0 else place)
    return np.array(found, dtype=np.int32)
