"""Sparse vectors modulo p, the operators that act on them, and spans."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from qismc.common.lazily import cached_method
from qismc.language import Coefficient
from qismc.program import Base, Factor, Operator, base_matrix
from qismc.verifier.numbers import Residues
from qismc.verifier.outcome import NotChecked

MOST_TERMS = 1 << 16
"""States with more basis states than this are not looked at."""
MOST_WORK = 1 << 28
"""Numbers that are computed before this checker gives up: some minutes."""
MOST_KEPT = 1 << 22
"""Numbers of the states and spans that are kept at the same time: less than a gigabyte."""

Entries = dict[int, int]
"""Basis state -> amplitude, none of them 0; bit k of a basis state is qubit k."""


@dataclass(frozen=True)
class Vector:
    """A state, and a bound on the bits of its numbers."""

    entries: Entries
    weight: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.entries)


@dataclass
class Tally:
    """How many numbers were compared with zero and how many bits they had all together; work and memory."""

    questions: int = 0
    bits: float = 0.0
    work: int = 0
    kept: int = 0

    def asked(self, rows: int, weight: float) -> None:
        self.questions += 1
        self.bits += weight + rows * math.log2(rows + 1) + 1

    def spend(self, numbers: int) -> None:
        """Raises NotChecked where so much work is not done."""
        self.work += numbers + 1
        if self.work > MOST_WORK:
            raise NotChecked(f"what takes more than {MOST_WORK} steps")

    def keep(self, numbers: int) -> None:
        """Raises NotChecked where so many numbers are not kept."""
        self.kept += numbers
        if self.kept > MOST_KEPT:
            raise NotChecked(f"states of more than {MOST_KEPT} numbers")


class Arena:
    """Vectors over one number system."""

    def __init__(self, ring: Residues, tally: Tally) -> None:
        self.ring = ring
        self.tally = tally

    def ket(self, terms: Iterable[tuple[Coefficient, str]]) -> Vector:
        """A sum of product kets; letters + - r l stand for (|0> + i^k |1>) / sqrt(2)."""
        p, entries, weight = self.ring.p, Entries(), 0.0
        for coefficient, letters in terms:
            number = coefficient.value(self.ring)
            weight += number.weight + len(letters) + 1
            factors = self._product(letters)
            self.tally.spend(len(factors) + len(letters))
            for basis, factor in factors.items():
                entries[basis] = (entries.get(basis, 0) + number.value * factor) % p
        return Vector(_nonzero(entries), weight)

    def _product(self, letters: str) -> Entries:
        """1/sqrt(2) for every letter of a superposition."""
        turns = {"+": 0, "r": 1, "-": 2, "l": 3}
        found: Entries = {0: 1}
        for qubit, letter in enumerate(letters):
            if letter in "01":
                found = {basis | (int(letter) << qubit): value for basis, value in found.items()}
                continue
            half = self.ring.sqrt(Fraction(1, 2)).value
            other = half * self.ring.turn(Fraction(turns[letter], 4)).value % self.ring.p
            found = {
                basis | (bit << qubit): value * factor % self.ring.p
                for basis, value in found.items()
                for bit, factor in ((0, half), (1, other))
            }
            if len(found) > MOST_TERMS:
                raise NotChecked(f"a ket has more than {MOST_TERMS} terms")
        return found

    def apply(self, operator: Operator, qubits: Sequence[int], vector: Vector) -> Vector:
        for factor in operator.factors:
            vector = self._apply(factor.on(tuple(qubits)), vector)
        return vector

    def _apply(self, factor: Factor, vector: Vector) -> Vector:
        matrix, weight = self._matrix(factor.base)
        self.tally.spend(len(vector.entries) * len(matrix))
        places = [1 << target for target in factor.targets]
        mask = sum(places)
        found: Entries = {}
        for basis, value in vector.entries.items():
            if any(basis >> control & 1 != wanted for control, wanted in factor.controls):
                found[basis] = found.get(basis, 0) + value
                continue
            column = sum(1 << k for k, place in enumerate(places) if basis & place)
            for row, entries in enumerate(matrix):
                if entries[column]:
                    image = basis & ~mask | sum(place for k, place in enumerate(places) if row >> k & 1)
                    found[image] = found.get(image, 0) + value * entries[column]
        if len(found) > MOST_TERMS:
            raise NotChecked(f"a state has more than {MOST_TERMS} terms")
        reduced = {basis: value % self.ring.p for basis, value in found.items()}
        return Vector(_nonzero(reduced), vector.weight + weight)

    @cached_method
    def _matrix(self, base: Base) -> tuple[list[list[int]], float]:
        rows = base_matrix(base, self.ring)
        weight = sum(entry.weight for row in rows for entry in row) + len(rows)
        return [[entry.value for entry in row] for row in rows], weight

    def inner(self, conjugated: Vector, vector: Vector) -> int:
        """<u, v> for the image `conjugated` of the conjugate of u."""
        small, large = sorted((conjugated.entries, vector.entries), key=len)
        self.tally.spend(len(small))
        return sum(value * large.get(basis, 0) for basis, value in small.items()) % self.ring.p

    def part(self, vector: Vector, qubits: Sequence[int]) -> list[Vector]:
        """One vector on `qubits` for each basis state of the others."""
        mask = sum(1 << qubit for qubit in qubits)
        self.tally.spend(len(vector.entries) * (len(qubits) + 1))
        parts: dict[int, Entries] = {}
        for basis, value in vector.entries.items():
            local = sum(1 << k for k, qubit in enumerate(qubits) if basis >> qubit & 1)
            parts.setdefault(basis & ~mask, {})[local] = value
        return [Vector(entries, vector.weight) for entries in parts.values()]


def _nonzero(entries: Entries) -> Entries:
    return {basis: value for basis, value in entries.items() if value}


@dataclass
class Echelon:
    """Rows in echelon form: pivot -> row with a 1 there, and how the row is made of the vectors given."""

    p: int
    tally: Tally
    weight: float = 0.0
    given: int = 0
    size: int = 0
    """Numbers that are kept."""
    _rows: list[tuple[int, Entries, Entries]] = field(default_factory=list)

    @classmethod
    def of(cls, p: int, tally: Tally, vectors: Iterable[Vector]) -> Echelon:
        """The span of some vectors."""
        span = cls(p, tally)
        for vector in vectors:
            span.add(vector)
        return span

    @property
    def dimension(self) -> int:
        return len(self._rows)

    def add(self, vector: Vector) -> bool:
        rest, combination = self._reduced(vector)
        combination = {k: -c % self.p for k, c in combination.items()}
        combination[self.given] = 1
        self.given += 1
        if not rest:
            return False
        pivot = min(rest)
        scale = pow(rest[pivot], -1, self.p)
        self.size += len(rest) + len(combination)
        if self.size > MOST_KEPT:
            raise NotChecked(f"a span of more than {MOST_KEPT} numbers")
        row = {basis: value * scale % self.p for basis, value in rest.items()}
        self._rows.append((pivot, row, {k: c * scale % self.p for k, c in combination.items()}))
        self.weight += vector.weight
        return True

    def contains(self, vector: Vector) -> bool:
        return not self._reduced(vector)[0]

    def coordinates(self, vector: Vector) -> Entries | None:
        """The coefficients on the vectors given; None if it is outside."""
        rest, combination = self._reduced(vector)
        return None if rest else combination

    def _reduced(self, vector: Vector) -> tuple[Entries, Entries]:
        self.tally.asked(self.dimension + 1, self.weight + vector.weight)
        self.tally.spend(len(vector.entries) + self.dimension)
        rest, combination = dict(vector.entries), Entries()
        for pivot, row, origin in self._rows:
            factor = rest.get(pivot, 0)
            if factor:
                self.tally.spend(len(row) + len(origin))
                _subtract(rest, row, factor, self.p)
                _subtract(combination, origin, -factor, self.p)
        return rest, combination


def _subtract(entries: Entries, row: Entries, factor: int, p: int) -> None:
    for key, value in row.items():
        left = (entries.get(key, 0) - factor * value) % p
        if left:
            entries[key] = left
        else:
            entries.pop(key, None)
