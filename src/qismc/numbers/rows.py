"""Small linear algebra on coordinate rows, over a field or in floating point.

A row over F_p is an array of residues, over F_p(i) one with a last axis (re, im), over F_p x F_q one with a
last axis of both residues; a residue modulo a long prime is two words. Floating-point rows are complex
arrays. A matrix is a stack of rows; x is sent to x M.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from qismc import _core
from qismc.limits import Tolerance

ONES = {"fp": [1], "fp2": [1, 0], "twin": [1, 1], "long": [1, 0], "long2": [1, 0, 0, 0]}
"""The number 1 of every kind of field, in words."""
WORDS = {kind: len(one) for kind, one in ONES.items()}
LOW = (1 << 64) - 1

CoordinateRow = npt.NDArray[Any]
Matrix = npt.NDArray[Any]


class RowSpan(Protocol):
    """A growing space of rows."""

    def extend(self, rows: Matrix) -> list[bool]:
        """Take the rows in, one after the other; for each of them, whether it was outside."""


class RowArithmetic(Protocol):
    """Linear algebra on rows of numbers of one kind."""

    def identity(self, size: int) -> Matrix:
        """The unit matrix."""

    def image(self, rows: Matrix, matrix: Matrix) -> Matrix:
        """rows times matrix."""

    def units(self, rows: Matrix) -> Matrix:
        """Multiples of the rows, none of which is zero, whose images are large enough to be seen."""

    def span(self, length: int) -> RowSpan:
        """An empty span of rows of so many numbers."""


class FieldArithmetic:
    """Residues modulo p (kind fp), pairs (re, im) of them (fp2), or residues modulo two primes (twin)."""

    def __init__(self, kind: str, prime: int, second: int = 0) -> None:
        self.words = WORDS[kind]
        """Words of a number; if it is 1, rows have no axis for words."""
        self._one = np.array(ONES[kind], dtype=np.uint64)
        self._modulus = np.array([prime, second] if second else [prime], dtype=np.uint64)
        self._native = _core.Algebra(kind, prime, second)

    def identity(self, size: int) -> Matrix:
        unit = np.eye(size, dtype=np.uint64)
        return unit if self.words == 1 else unit[..., None] * self._one

    def image(self, rows: Matrix, matrix: Matrix) -> Matrix:
        return self._native.product(np.ascontiguousarray(rows), np.ascontiguousarray(matrix))

    def units(self, rows: Matrix) -> Matrix:
        return rows  # nothing is too small for a field

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
        """The conjugates of pairs (re, im)."""
        return np.stack([matrix[..., 0], self.minus(matrix[..., 1])], axis=-1)


class LongArithmetic(FieldArithmetic):
    """Residues modulo a prime of two words, the low one first (kind long), or pairs of them (long2)."""

    def parts(self, words: Matrix) -> Matrix:
        """Residues as Python's integers, with a last axis (re) or (re, im)."""
        numbers = words.astype(object)
        return np.asarray(numbers[..., ::2] + (numbers[..., 1::2] << 64))

    def plus(self, left: Matrix, right: Matrix) -> Matrix:
        return self._words(self.parts(left) + self.parts(right))

    def minus(self, matrix: Matrix) -> Matrix:
        return self._words(-self.parts(matrix))

    def conjugate(self, matrix: Matrix) -> Matrix:
        return self._words(self.parts(matrix) * np.array([1, -1], dtype=object))

    def _words(self, parts: Matrix) -> Matrix:
        low, high = self._modulus.tolist()
        residues = parts % (low + (high << 64))
        words = np.stack([residues & LOW, residues >> 64], axis=-1).astype(np.uint64)
        return np.asarray(words.reshape(*parts.shape[:-1], self.words))


class FieldRows:
    """A span over a field."""

    def __init__(self, native: _core.Rows) -> None:
        self._native = native

    def extend(self, rows: Matrix) -> list[bool]:
        return self._native.extend(np.ascontiguousarray(rows))


class FloatArithmetic:
    """Complex numbers; a tolerance decides which are zero."""

    def __init__(self, tolerance: Tolerance) -> None:
        self._tolerance = tolerance

    def identity(self, size: int) -> Matrix:
        return np.eye(size, dtype=complex)

    def image(self, rows: Matrix, matrix: Matrix) -> Matrix:
        return np.asarray(rows @ matrix)

    def units(self, rows: Matrix) -> Matrix:
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))

    def span(self, length: int) -> FloatRows:
        return FloatRows(self._tolerance, length)

    def orthogonal(self, rows: Matrix) -> Matrix:
        """The orthocomplement of the rows (of unit length or zero), reduced from the last entry on.

        The twin of `FieldArithmetic.null_space` for the conjugated rows: the reduced echelon form of a
        subspace is unique, so a vector of it that an exact engine computed is found here under its number.
        """
        _, lengths, right = np.linalg.svd(rows, full_matrices=True)
        question = "is a spanning set independent"
        rank = sum(not self._tolerance.is_zero(float(length), question) for length in lengths)
        question = "which amplitudes lead a subspace"
        return echelon(right[rank:, ::-1], lambda size: self._tolerance.is_zero(size, question))[::-1, ::-1]


class FloatRows:
    """Orthonormal rows; what is left of a unit row decides, with a margin."""

    def __init__(self, tolerance: Tolerance, length: int) -> None:
        self._tolerance = tolerance
        self._units: Matrix = np.zeros((0, length), dtype=complex)

    def extend(self, rows: Matrix) -> list[bool]:
        return [self._add(row) for row in rows]

    def _add(self, row: CoordinateRow) -> bool:
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


SMALL_SQUARE = 1e-100
"""Squares of lengths between this and its inverse lose no digits."""


def unit(vector: npt.ArrayLike) -> npt.NDArray[np.complex128]:
    """The unit vector along a vector; the zero vector itself.

    Squares of very small and very large numbers have no room: then the largest entry becomes 1 first.
    """
    state = np.asarray(vector, dtype=complex)
    square = np.vdot(state, state).real
    if SMALL_SQUARE < square < 1 / SMALL_SQUARE:
        return np.asarray(state / math.sqrt(square))
    largest = float(np.max(np.abs(state), initial=0.0))
    if not largest:
        return state
    with np.errstate(invalid="ignore"):  # what is no number stays so: tolerances do not decide on it
        state = state / largest
        return np.asarray(state / np.linalg.norm(state))


def echelon(rows: Matrix, is_zero: Callable[[float], bool]) -> npt.NDArray[np.complex128]:
    """The reduced echelon form of complex rows of unit scale, without zero rows.

    >>> echelon(np.array([[1, 1], [1, -1]]), lambda size: size < 1e-9).real.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    matrix, done = np.array(rows, dtype=complex), 0
    for column in range(matrix.shape[1]):
        if done == len(matrix):
            break
        chosen = done + int(np.argmax(np.abs(matrix[done:, column])))
        if is_zero(float(abs(matrix[chosen, column]))):
            matrix[done:, column] = 0
            continue
        matrix[[done, chosen]] = matrix[[chosen, done]]
        matrix[done] /= matrix[done, column]
        others = np.arange(len(matrix)) != done
        matrix[others] -= np.outer(matrix[others, column], matrix[done])
        done += 1
    return matrix[:done]
