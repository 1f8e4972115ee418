"""Spans of short coordinate rows, over a field or in floating point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from qismc.limits import Tolerance

Row = npt.NDArray[Any]
"""Coordinates: an object array of field elements, or a complex array."""


class RowSpan(Protocol):
    """A growing space of rows."""

    @property
    def rows(self) -> list[Row]: ...

    def add(self, row: Row) -> bool:
        """True if the row was outside and has been taken in."""


class FieldRows:
    """Echelon form over a field: each kept row has a pivot where the later ones vanish."""

    def __init__(self) -> None:
        self._echelon: list[tuple[int, Row]] = []
        self.rows: list[Row] = []

    def add(self, row: Row) -> bool:
        rest = row
        for pivot, unit in self._echelon:
            if rest[pivot]:
                rest = rest - unit * rest[pivot]
        places = [k for k, entry in enumerate(rest) if entry]
        if not places:
            return False
        self._echelon.append((places[0], rest / rest[places[0]]))
        self.rows.append(row)
        return True


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


def transposed(columns: Sequence[Row]) -> list[Row]:
    """Columns of a matrix as its rows."""
    if not columns:
        return []
    return [
        np.array([column[k] for column in columns], dtype=columns[0].dtype) for k in range(len(columns[0]))
    ]
