"""Affine spaces over GF(2): the values that sums of symbols take together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from qismc.common.parity import reduced, remainder
from qismc.symbolic import positions


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
