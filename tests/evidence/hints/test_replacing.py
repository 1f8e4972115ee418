"""Replaced qubits, against density matrices of Qiskit."""

from __future__ import annotations

import numpy as np
import pytest
from qiskit.quantum_info import DensityMatrix, partial_trace, random_statevector

from qismc.engines.dense import DenseEngine
from qismc.engines.native import TrainEngine
from qismc.evidence.hints.replacing import reduced, replaced
from qismc.limits import Budget, Limits
from qismc.numbers.forms import ComplexForm

HERE, THERE = (random_statevector(8, seed=seed).data for seed in (1, 2))


def engine(kind: str) -> DenseEngine | TrainEngine:
    budget = Budget(Limits())
    return DenseEngine(3, budget) if kind == "dense" else TrainEngine(ComplexForm(), [2, 0, 1], budget)


def kept(state: np.ndarray, qubits: tuple[int, ...]) -> np.ndarray:
    """Qiskit counts qubits from the other end of our kets."""
    others = [2 - q for q in range(3) if q not in qubits]
    return np.asarray(partial_trace(DensityMatrix(state), others).data)


@pytest.mark.parametrize("kind", ["dense", "train"])
@pytest.mark.parametrize("qubit", range(3))
def test_reduced_states(kind: str, qubit: int) -> None:
    made = engine(kind)
    found = reduced(made, made.amplitudes(HERE), (qubit,))
    assert found is not None and np.allclose(found, kept(HERE, (qubit,)))


def test_replaced_qubits_have_the_other_state_and_the_rest_keeps_its_own() -> None:
    made = engine("dense")
    for qubits in ((0,), (1,), (0, 2)):
        others = tuple(q for q in range(3) if q not in qubits)
        states = replaced(made, HERE, THERE, qubits)
        assert states is not None
        for state in states:  # eigenvectors of both sides: products
            inner = kept(state, qubits)
            assert np.allclose(inner @ kept(THERE, qubits), kept(THERE, qubits) @ inner)
            outer = kept(state, others)
            assert np.allclose(outer @ kept(HERE, others), kept(HERE, others) @ outer)
            assert np.isclose(np.trace(inner @ inner).real, 1)
        assert len(states) == 2 ** (2 * min(len(qubits), len(others)))


@pytest.mark.parametrize("kind", ["dense", "train"])
def test_a_pure_qubit_is_turned(kind: str) -> None:
    made = engine(kind)
    pair, plus = np.array([1, 0, 0, 1]) / 2**0.5, np.array([1, 1]) / 2**0.5
    here = made.amplitudes(np.kron(plus, pair))
    there = made.amplitudes(np.kron(np.array([0, 1j]), np.array([0, 1, 0, 0])))
    (found,) = replaced(made, here, there, (0,)) or ()
    wanted = made.amplitudes(np.kron(np.array([0, 1]), pair))
    assert abs(made.inner(found, wanted)) == pytest.approx(1)


def test_entangled_qubits_of_trains_are_not_replaced() -> None:
    made = engine("train")
    assert replaced(made, made.amplitudes(HERE), made.amplitudes(THERE), (0,)) is None
    assert reduced(made, made.amplitudes(HERE), (0, 1)) is None
