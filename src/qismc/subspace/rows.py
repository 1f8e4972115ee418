"""Small linear algebra on coordinate rows, over a field or in floating point.

A row over F_p is an array of residues, over F_p(i) one with a last axis (re, im), over F_p x F_q one with a
last axis of both residues; floating-point rows are complex arrays. A matrix is a stack of rows; x is sent to
x M.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from qismc import _core
from qismc.limits import Tolerance

Row = npt.NDArray[Any]
Matrix = npt.NDArray[Any]


class RowSpan(Protocol):
    """A growing space of rows."""

    def extend(self, rows: Matrix) -> list[bool]:
        """Take the rows in, one after the other; which of them were outside."""


class Arithmetic(Protocol):
    """What is needed of the numbers in rows."""

    def identity(self, size: int) -> Matrix:
        """The unit matrix."""

    def image(self, rows: Matrix, matrix: Matrix) -> Matrix:
        """rows times matrix."""

    def span(self, length: int) -> RowSpan:
        """An empty span of rows of so many numbers."""


class FieldArithmetic:
    """Residues modulo p (kind fp), pairs (re, im) of them (fp2), or residues modulo two primes (twin)."""

    def __init__(self, kind: str, *primes: int) -> None:
        self._kind = kind
        self._modulus = np.array(primes, dtype=np.uint64)
        self._native = _core.Algebra(kind, *primes)

    def identity(self, size: int) -> Matrix:
        unit = np.eye(size, dtype=np.uint64)
        if self._kind == "fp":
            return unit
        return np.stack([unit, unit if self._kind == "twin" else np.zeros_like(unit)], axis=-1)

    def image(self, rows: Matrix, matrix: Matrix) -> Matrix:
        return self._native.product(np.ascontiguousarray(rows), np.ascontiguousarray(matrix))

    def span(self, length: int) -> FieldRows:
        return FieldRows(self._native.rows(length))

    def echelon(self, rows: Matrix) -> tuple[Matrix, list[int]]:
        """The reduced echelon form without zero rows, and the columns of its pivots."""
        return self._native.echelon(np.ascontiguousarray(rows))

    def null_space(self, rows: Matrix) -> Matrix:
        """A basis of { x : sum_j rows[i, j] x[j] = 0 for all i }, reduced from the last entry on."""
        reduced, pivots = self.echelon(rows)
        free = np.setdiff1d(np.arange(rows.shape[1]), pivots)
        basis = self.identity(rows.shape[1])[free]
        basis[:, pivots] = self.minus(reduced[:, free].swapaxes(0, 1))
        return basis

    def plus(self, left: Matrix, right: Matrix) -> Matrix:
        return np.asarray((left + right) % self._modulus)

    def minus(self, matrix: Matrix) -> Matrix:
        return np.asarray((self._modulus - matrix) % self._modulus)

    def conjugate(self, matrix: Matrix) -> Matrix:
        """Of pairs."""
        return np.stack([matrix[..., 0], self.minus(matrix[..., 1])], axis=-1)


class FieldRows:
    """A span over a field."""

    def __init__(self, native: _core.Rows) -> None:
        self._native = native

    def extend(self, rows: Matrix) -> list[bool]:
        return self._native.extend(np.ascontiguousarray(rows))


class FloatArithmetic:
    """Complex numbers with a margin around zero."""

    def __init__(self, tolerance: Tolerance) -> None:
        self._tolerance = tolerance

    def identity(self, size: int) -> Matrix:
        return np.eye(size, dtype=complex)

    def image(self, rows: Matrix, matrix: Matrix) -> Matrix:
        return np.asarray(rows @ matrix)

    def span(self, length: int) -> FloatRows:
        return FloatRows(self._tolerance, length)


class FloatRows:
    """Orthonormal rows; what is left of a unit row decides, with a margin."""

    def __init__(self, tolerance: Tolerance, length: int) -> None:
        self._tolerance = tolerance
        self._units: Matrix = np.zeros((0, length), dtype=complex)

    def extend(self, rows: Matrix) -> list[bool]:
        return [self._add(row) for row in rows]

    def _add(self, row: Row) -> bool:
        length = float(np.linalg.norm(row))
        if self._tolerance.is_zero(length, "is a component of a state zero"):
            return False
        rest = row / length
        for _ in range(2):  # twice is enough (Kahan): the second pass removes the rounding of the first
            rest = rest - (self._units.conj() @ rest) @ self._units
        left = float(np.linalg.norm(rest))
        if self._tolerance.is_zero(left, "does a state add a dimension"):
            return False
        self._units = np.vstack([self._units, rest / left])
        return True
