"""The state of some of the qubits: a ket where it is pure, else a mixture of kets with their weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from qismc.evidence.hints.hint import Hint
from qismc.propositions import ket_text

Array = npt.NDArray[np.complex128]
PURE = 1 - 1e-9
SMALLEST = 1e-9
TERMS_SHOWN = 8
KETS_SHOWN = 4
WIDEST = 8
"""Reduced states of more qubits are not readable."""


def density(state: Array, num_qubits: int, qubits: Sequence[int]) -> Array:
    """The reduced density matrix of a state vector on some qubits; the first one is most significant."""
    tensor = (state / np.linalg.norm(state)).reshape((2,) * num_qubits)
    rest = [q for q in range(num_qubits) if q not in set(qubits)]
    flat = tensor.transpose([*qubits, *rest]).reshape(2 ** len(qubits), -1)
    return np.asarray(flat @ flat.conj().T)


def mixture(matrix: Array) -> list[tuple[float, str]]:
    """(weight, ket) for the eigenvectors of a density matrix, the heaviest first.

    >>> mixture(np.array([[0, 0], [0, 1]], dtype=complex))
    [(1.0, '|1>')]
    """
    if _is_diagonal(matrix):  # then the basis states are eigenvectors, and easier to read than others
        weights, vectors = np.real(np.diag(matrix)), np.eye(len(matrix), dtype=complex)
    else:
        weights, vectors = np.linalg.eigh(matrix)
    heaviest = sorted(range(len(weights)), key=lambda k: -round(float(weights[k]), 9))
    return [(float(weights[k]), _ket(vectors[:, k])) for k in heaviest if weights[k] > SMALLEST]


def _is_diagonal(matrix: Array) -> bool:
    return bool(np.all(np.abs(matrix - np.diag(np.diag(matrix))) < SMALLEST))


def _ket(vector: Array) -> str:
    width = int(np.log2(len(vector)))
    places = [k for k in range(len(vector)) if abs(vector[k]) > SMALLEST]
    largest = sorted(sorted(places, key=lambda k: -abs(vector[k]))[:TERMS_SHOWN])
    terms = [(format(k, f"0{width}b"), complex(vector[k])) for k in largest]
    return ket_text(terms, len(places) - len(largest))


def mixture_text(matrix: Array) -> str:
    """A density matrix in words."""
    parts = mixture(matrix)
    if parts[0][0] > PURE:
        return parts[0][1]
    shown = [f"{ket} ({weight:.4g})" for weight, ket in parts[:KETS_SHOWN]]
    more = [f"{len(parts) - KETS_SHOWN} more"] if len(parts) > KETS_SHOWN else []
    return "mixed: " + " or ".join(shown + more)


def reduced_state(state: Array, names: Sequence[str], qubits: Sequence[int], step: int) -> Hint | None:
    """The state of the qubits that a proposition speaks of, if these are some of many."""
    if not 0 < len(qubits) <= WIDEST or len(qubits) == len(names):
        return None
    shown = ", ".join(names[q] for q in qubits)
    text = mixture_text(density(state, len(names), qubits))
    how = "" if text.startswith("mixed") else ", not entangled with the others"
    return Hint("reduced", f"at the end {shown}: {text}{how} (reduced state)", steps=(step,))
