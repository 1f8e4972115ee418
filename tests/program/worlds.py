"""What both interpreters of the tests share: pure states with weights, and how to compare outcomes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

Outcome = dict[tuple, np.ndarray]
MAX_MEASUREMENTS = 7


def apply_matrix(psi: np.ndarray, matrix: np.ndarray, qubits: Iterable[int]) -> np.ndarray:
    """`matrix` on some qubits (first = least significant) of a state whose qubit 0 is least significant."""
    qubits = list(qubits)
    count, total = len(qubits), int(np.log2(psi.size))
    axes = [total - 1 - q for q in reversed(qubits)]
    tensor = np.tensordot(
        matrix.reshape((2,) * (2 * count)),
        psi.reshape((2,) * total),
        axes=(list(range(count, 2 * count)), axes),
    )
    return np.moveaxis(tensor, list(range(count)), axes).reshape(-1)


def project(psi: np.ndarray, qubit: int, value: int) -> np.ndarray:
    keep = (np.arange(psi.size) >> qubit) & 1 == value
    return np.where(keep, psi, 0)


def flip(psi: np.ndarray, qubit: int) -> np.ndarray:
    return psi[np.arange(psi.size) ^ (1 << qubit)]


def is_zero(psi: np.ndarray) -> bool:
    return bool(np.vdot(psi, psi).real < 1e-12)


def add(outcome: Outcome, key: tuple, psi: np.ndarray) -> None:
    outcome[key] = outcome.get(key, 0) + np.outer(psi, psi.conj())


def assert_same(left: Outcome, right: Outcome) -> None:
    """Equal distributions over final stores, each with its (unnormalised) mixed state."""
    assert set(left) == set(right)
    for key, matrix in left.items():
        np.testing.assert_allclose(matrix, right[key], atol=1e-9, err_msg=str(key))
