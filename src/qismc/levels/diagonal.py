"""Which operators leave the basis states of a qubit alone, so that they may act on a record."""

from __future__ import annotations

from functools import lru_cache

from qismc.common.scalars import COMPLEX
from qismc.program import Base, Operator, base_matrix

REMEMBERED = 4096


def keeps_basis(operator: Operator, place: int) -> bool:
    """Does the operator act on this local qubit by phases and as a control only?"""
    return all(_is_diagonal(f.base) for f in operator.factors if place in f.targets)


@lru_cache(maxsize=REMEMBERED)
def _is_diagonal(base: Base) -> bool:
    matrix = base_matrix(base, COMPLEX)
    return all(entry == 0 for i, row in enumerate(matrix) for j, entry in enumerate(row) if i != j)
