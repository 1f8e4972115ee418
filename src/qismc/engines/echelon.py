"""The one basis of a subspace that every engine finds, in floating point.

The reduced echelon form of a subspace is unique: each of its vectors has a 1 where all the others have 0, and
only zeros on one side of it. So a vector of it that an exact engine computed can be computed once more in
floating point: same subspace, same number, same state.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from qismc.limits import Tolerance

Array = npt.NDArray[np.complex128]
SMALL_SQUARE = 1e-100
"""Squares of lengths between this and its inverse lose no digits."""


def unit(vector: npt.ArrayLike) -> Array:
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


def complement_of_rows(rows: Array, tolerance: Tolerance) -> Array:
    """The orthocomplement of the rows (of unit length or zero), reduced from the last column on.

    The floating-point twin of `FieldArithmetic.null_space` for the conjugated rows.
    """
    _, lengths, right = np.linalg.svd(rows, full_matrices=True)
    question = "is a spanning set independent"
    rank = sum(not tolerance.is_zero(float(length), question) for length in lengths)
    return reduced_from_last(right[rank:], tolerance)


def reduced_from_last(rows: Array, tolerance: Tolerance) -> Array:
    """The reduced echelon form of independent rows of unit scale: last entries lead, the first lead first."""
    matrix, led = np.array(rows, dtype=complex), 0
    for column in range(matrix.shape[1] - 1, -1, -1):
        below = matrix[led:, column]
        if not len(below):
            break
        chosen = led + int(np.argmax(np.abs(below)))
        if tolerance.is_zero(float(abs(matrix[chosen, column])), "which amplitudes lead a subspace"):
            matrix[led:, column] = 0
            continue
        matrix[[led, chosen]] = matrix[[chosen, led]]
        matrix[led] /= matrix[led, column]
        others = np.arange(len(matrix)) != led
        matrix[others] -= np.outer(matrix[others, column], matrix[led])
        led += 1
    return matrix[::-1]
