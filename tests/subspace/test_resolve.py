"""Texts of subspaces as propositions, against projectors in NumPy."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from qiskit.quantum_info import Pauli

import qismc
from qismc import QuantumCircuit

BELL = np.array([1, 0, 0, 1]) / np.sqrt(2)
CODES = [("II",), ("-II",), ("II", "ZZ"), ("XX",), ("-XX", "II"), ("XX", "-XX"), ("-II", "II"), ("ZI",)]


def basis(paulis: tuple[str, ...]) -> np.ndarray:
    """Columns that span the joint +1 eigenspace."""
    projector = np.eye(4, dtype=complex)
    for text in paulis:
        flipped = text[0] * (text[0] == "-") + text.lstrip("-")[::-1]  # Qiskit writes qubit 0 last
        projector = projector @ (np.eye(4) + Pauli(flipped).to_matrix()) / 2
    vectors, sizes, _ = np.linalg.svd(projector)
    return vectors[:, sizes > 0.5]


def contains(columns: np.ndarray, vector: np.ndarray) -> bool:
    return np.linalg.matrix_rank(columns) == np.linalg.matrix_rank(np.column_stack([columns, vector]))


@pytest.mark.parametrize("engine", ["exact", "float"])
@pytest.mark.parametrize(("left", "right"), list(product(CODES, CODES)))
def test_joins_of_stabilisers_with_identities(
    engine: str, left: tuple[str, ...], right: tuple[str, ...]
) -> None:
    circuit = QuantumCircuit(2)
    circuit.h(0)
    circuit.cx(0, 1)
    text = " \\/ ".join(f"stab({', '.join(code)})" for code in (left, right))
    joined = np.column_stack([basis(left), basis(right)])
    expected = joined.size > 0 and contains(joined, BELL)
    assert bool(qismc.check(circuit, f"AG (leaf -> {text})", engine=engine)) == expected
