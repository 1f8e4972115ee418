"""Small linear algebra on coordinate rows, over a field or in floating point.

A row over F_p is an object array of residues, over F_p(i) one with a last axis (re, im); floating-point rows
are complex arrays. A matrix is a stack of rows; x is sent to x M.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from qismc.limits import Tolerance

Row = npt.NDArray[Any]
Matrix = npt.NDArray[Any]


class RowSpan(Protocol):
    """A growing space of rows."""

    rows: list[Row]

    def add(self, row: Row) -> bool:
        """True if the row was outside and has been taken in."""


class Arithmetic(Protocol):
    """What is needed of the numbers in rows."""

    def identity(self, size: int) -> list[Row]:
        """The rows of the unit matrix."""

    def image(self, row: Row, matrix: Matrix) -> Row:
        """row times matrix."""

    def span(self) -> RowSpan:
        """An empty span."""


class PrimeArithmetic:
    """Residues modulo p."""

    def __init__(self, p: int) -> None:
        self.p = p

    def identity(self, size: int) -> list[Row]:
        return list(np.eye(size, dtype=int).astype(object))

    def image(self, row: Row, matrix: Matrix) -> Row:
        return np.asarray(row.dot(matrix) % self.p)

    def scaled(self, row: Row, factor: Any) -> Row:
        return np.asarray(row * factor % self.p)

    def inverse(self, entry: Any) -> Any:
        return pow(int(entry), -1, self.p)

    def span(self) -> FieldRows:
        return FieldRows(self)


class QuadraticArithmetic:
    """Pairs (re, im) of residues modulo p."""

    def __init__(self, p: int) -> None:
        self.p = p

    def identity(self, size: int) -> list[Row]:
        rows = np.zeros((size, size, 2), dtype=object)
        rows[range(size), range(size), 0] = 1
        return list(rows)

    def image(self, row: Row, matrix: Matrix) -> Row:
        re, im = row[:, 0], row[:, 1]
        real, imaginary = matrix[:, :, 0], matrix[:, :, 1]
        parts = (re.dot(real) - im.dot(imaginary), re.dot(imaginary) + im.dot(real))
        return np.asarray(np.stack(parts, axis=-1) % self.p)

    def scaled(self, row: Row, factor: Any) -> Row:
        re, im = row[:, 0], row[:, 1]
        parts = (re * factor[0] - im * factor[1], re * factor[1] + im * factor[0])
        return np.asarray(np.stack(parts, axis=-1) % self.p)

    def inverse(self, entry: Any) -> Any:
        norm = pow(int(entry[0] * entry[0] + entry[1] * entry[1]), -1, self.p)
        return np.array([entry[0] * norm % self.p, -entry[1] * norm % self.p], dtype=object)

    def span(self) -> FieldRows:
        return FieldRows(self)


class FieldRows:
    """Echelon form over a field: each kept row has a pivot where the later ones vanish."""

    def __init__(self, arithmetic: PrimeArithmetic | QuadraticArithmetic) -> None:
        self._arithmetic = arithmetic
        self._echelon: list[tuple[int, Row]] = []
        self.rows: list[Row] = []

    def add(self, row: Row) -> bool:
        rest = row
        for pivot, unit in self._echelon:
            if np.any(rest[pivot]):
                rest = (rest - self._arithmetic.scaled(unit, rest[pivot])) % self._arithmetic.p
        places = np.flatnonzero(rest.reshape(len(rest), -1).any(axis=1))
        if not len(places):
            return False
        pivot = int(places[0])
        self._echelon.append((pivot, self._arithmetic.scaled(rest, self._arithmetic.inverse(rest[pivot]))))
        self.rows.append(row)
        return True


class FloatArithmetic:
    """Complex numbers with a margin around zero."""

    def __init__(self, tolerance: Tolerance) -> None:
        self._tolerance = tolerance

    def identity(self, size: int) -> list[Row]:
        return list(np.eye(size, dtype=complex))

    def image(self, row: Row, matrix: Matrix) -> Row:
        return np.asarray(row @ matrix)

    def span(self) -> FloatRows:
        return FloatRows(self._tolerance)


class FloatRows:
    """Orthonormal rows; what is left of a unit row decides, with a margin."""

    def __init__(self, tolerance: Tolerance) -> None:
        self._tolerance = tolerance
        self._units: list[Row] = []
        self.rows: list[Row] = []

    def add(self, row: Row) -> bool:
        length = float(np.linalg.norm(row))
        if self._tolerance.is_zero(length, "is a component of a state zero"):
            return False
        rest = row / length
        for _ in range(2):
            for unit in self._units:
                rest = rest - unit * np.vdot(unit, rest)
        left = float(np.linalg.norm(rest))
        if self._tolerance.is_zero(left, "does a state add a dimension"):
            return False
        self._units.append(rest / left)
        self.rows.append(row)
        return True
