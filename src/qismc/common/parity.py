"""Linear algebra modulo 2; vectors of bits are integers."""

from __future__ import annotations

from collections.abc import Iterable


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


def consistent(equations: Iterable[int]) -> dict[int, int] | None:
    """Reduced equations `row = 0`, bit 0 of which is the constant 1; None if they contradict each other."""
    rows = reduced(equations)
    return None if 0 in rows else rows
