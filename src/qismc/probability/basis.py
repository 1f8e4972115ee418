"""Orthonormal vectors that become more: coefficients on all of them, and what a vector has besides."""

from __future__ import annotations

import numpy as np

from qismc.engines import Numeric, Vector
from qismc.probability.chain import Matrix


class Basis:
    """The vectors e1, e2, … of any engine, one by one."""

    def __init__(self, engine: Numeric) -> None:
        self._engine = engine
        self.vectors: list[Vector] = []

    def append(self, vector: Vector) -> None:
        self.vectors.append(vector)

    def coefficients(self, vector: Vector) -> Matrix:
        """<e|v> for every e."""
        return np.array([self._engine.inner(unit, vector) for unit in self.vectors], dtype=complex)

    def without(self, vector: Vector, coefficients: Matrix) -> Vector:
        """v - sum c e."""
        return self._engine.combine([1.0, *(-coefficients)], [vector, *self.vectors])


class ArrayBasis(Basis):
    """The same as rows of one array: two products of matrices with vectors."""

    def __init__(self, engine: Numeric, room: int) -> None:
        super().__init__(engine)
        self._rows = np.empty(
            (room, 1 << engine.num_qubits), dtype=complex
        )  # memory is taken as it is filled

    def append(self, vector: Vector) -> None:
        row = self._rows[len(self.vectors)]
        row[:] = vector
        self.vectors.append(row)

    def coefficients(self, vector: Vector) -> Matrix:
        return np.asarray((self._rows[: len(self.vectors)] @ vector.conj()).conj())

    def without(self, vector: Vector, coefficients: Matrix) -> Vector:
        return vector - coefficients @ self._rows[: len(self.vectors)]


def basis(engine: Numeric, room: int) -> Basis:
    """For so many vectors at most."""
    return ArrayBasis(engine, room) if engine.dense else Basis(engine)
