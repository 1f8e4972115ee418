"""Gaussian elimination over F_p(i) on small matrices of residues."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Residues = npt.NDArray[Any]
"""Object arrays of Python integers with a last axis (re, im)."""


def _times(a: Residues, b: Residues, p: int) -> Residues:
    re = (a[..., 0] * b[..., 0] - a[..., 1] * b[..., 1]) % p
    im = (a[..., 0] * b[..., 1] + a[..., 1] * b[..., 0]) % p
    return np.stack([re, im], axis=-1)


def _inverse(a: Residues, p: int) -> Residues:
    norm = pow(int(a[0] * a[0] + a[1] * a[1]), -1, p)
    return np.array([a[0] * norm % p, -a[1] * norm % p], dtype=object)


def null_space(rows: Residues, p: int) -> list[Residues]:
    """A basis of { x : sum_j rows[i, j] x[j] = 0 for all i }."""
    reduced, pivots = _reduced_echelon(rows, p)
    columns = rows.shape[1]
    basis = []
    for free in (k for k in range(columns) if k not in set(pivots)):
        vector = np.zeros((columns, 2), dtype=object)
        vector[free, 0] = 1
        for row, pivot in enumerate(pivots):
            vector[pivot] = (-reduced[row, free]) % p
        basis.append(vector)
    return basis


def _reduced_echelon(rows: Residues, p: int) -> tuple[Residues, list[int]]:
    matrix, pivots = rows.copy() % p, list[int]()
    for column in range(matrix.shape[1]):
        rank = len(pivots)
        candidates = [r for r in range(rank, matrix.shape[0]) if matrix[r, column].any()]
        if not candidates:
            continue
        matrix[[rank, candidates[0]]] = matrix[[candidates[0], rank]]
        matrix[rank] = _times(matrix[rank], _inverse(matrix[rank, column], p)[None, :], p)
        for r in range(matrix.shape[0]):
            if r != rank and matrix[r, column].any():
                matrix[r] = (matrix[r] - _times(matrix[rank], matrix[r, column][None, :], p)) % p
        pivots.append(column)
    return matrix, pivots
