"""Affine spaces over GF(2): the values that sums of symbols take together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from qismc.symbolic import positions


def reduced(vectors: Iterable[int]) -> dict[int, int]:
    """A basis of the span: by the place of a one, the highest, that no other vector of the basis has."""
    rows: dict[int, int] = {}
    for vector in vectors:
        left = remainder(vector, rows)
        if left:
            pivot = left.bit_length() - 1
            rows = {p: row ^ left if row >> pivot & 1 else row for p, row in rows.items()}
            rows[pivot] = left
    return rows


def remainder(vector: int, basis: dict[int, int]) -> int:
    """What is left of a vector where the basis has its ones."""
    for pivot, row in basis.items():
        if vector >> pivot & 1:
            vector ^= row
    return vector


def orthogonal(basis: dict[int, int], width: int) -> list[int]:
    """A basis of the vectors of `width` bits that overlap evenly with all vectors of a reduced basis."""
    return [
        1 << place | sum(1 << pivot for pivot, row in basis.items() if row >> place & 1)
        for place in range(width)
        if place not in basis
    ]


@dataclass(frozen=True)
class AffineSpace:
    """origin + span of the directions, as vectors of bits."""

    origin: int
    directions: tuple[int, ...]

    def truncated(self, width: int) -> AffineSpace:
        """The first coordinates alone."""
        mask = (1 << width) - 1
        return AffineSpace(self.origin & mask, tuple(d & mask for d in self.directions))

    def __le__(self, other: AffineSpace) -> bool:
        basis = reduced(other.directions)
        return not any(remainder(v, basis) for v in (self.origin ^ other.origin, *self.directions))


def eliminate(sums: Sequence[int], equations: Iterable[int]) -> list[int]:
    """Sums of symbols (bit 0 is the constant 1) where the sums of `equations` are 0."""
    basis = reduced(equations)
    return [remainder(total, basis) for total in sums]


def space_of(sums: Sequence[int]) -> AffineSpace:
    """The values that sums take together: coordinate k is that of the k-th."""
    columns: dict[int, int] = {}
    for k, total in enumerate(sums):
        for symbol in positions(total):
            columns[symbol] = columns.get(symbol, 0) | 1 << k
    return AffineSpace(columns.pop(0, 0), tuple(columns.values()))
