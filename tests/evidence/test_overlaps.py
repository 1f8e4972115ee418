"""Overlaps with propositions, against projectors written out by NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from qiskit.quantum_info import random_statevector

from qismc import Model, QuantumCircuit
from qismc.engines.dense import DenseEngine
from qismc.engines.native import NativeEngine
from qismc.evidence.overlaps import overlap
from qismc.limits import Budget, Limits
from qismc.numbers.forms import ComplexForm
from qismc.propositions.resolving import resolve

MODEL = Model(QuantumCircuit(3), numbers="float")
STATE = random_statevector(8, seed=5).data  # qubit 0 is the most significant one, as in our kets
ZERO, ONE = np.array([1, 0]), np.array([0, 1])
PLUS, BELL = np.array([1, 1]) / 2**0.5, np.array([1, 0, 0, 1]) / 2**0.5


def line(vector: np.ndarray) -> np.ndarray:
    return np.outer(vector, vector.conj())


CASES = {
    "|0> on q[1]": np.kron(np.kron(np.eye(2), line(ZERO)), np.eye(2)),
    "|0+> on q[2], q[0]": np.kron(np.kron(line(PLUS), np.eye(2)), line(ZERO)),
    "span(|00> + |11>) on q[0], q[1]": np.kron(line(BELL), np.eye(2)),
    "~(|0> on q[1])": np.eye(8) - np.kron(np.kron(np.eye(2), line(ZERO)), np.eye(2)),
    "(|0> on q[0]) /\\ (|+> on q[2])": np.kron(np.kron(line(ZERO), np.eye(2)), line(PLUS)),
    "(|0> on q[0]) \\/ (|0> on q[1])": np.eye(8) - np.kron(np.kron(line(ONE), line(ONE)), np.eye(2)),
    "stab(ZZ) on q[0], q[1]": np.kron(np.diag([1, 0, 0, 1]), np.eye(2)),
    "(|0> on q[0]) /\\ (|1> on q[0])": np.zeros((8, 8)),
    "full": np.eye(8),
    "zero": np.zeros((8, 8)),
}  # fmt: skip


@pytest.mark.parametrize("text", CASES)
@pytest.mark.parametrize("kind", ["dense", "train"])
def test_shares(text: str, kind: str) -> None:
    budget = Budget(Limits())
    engine = DenseEngine(3, budget) if kind == "dense" else NativeEngine(ComplexForm(), [2, 0, 1], budget)
    found = overlap(engine, resolve(text, MODEL.scope), engine.amplitudes(STATE))
    assert found == pytest.approx(float(np.real(STATE.conj() @ CASES[text] @ STATE)), abs=1e-9)


def test_wide_propositions_have_no_answer() -> None:
    engine = DenseEngine(12, Budget(Limits()))
    model = Model(QuantumCircuit(12), numbers="float")
    proposition = resolve(
        "(|0000> on q[0], q[1], q[2], q[3]) /\\ (|000000> on q[4], q[5], q[6], q[7], q[8], q[9])", model.scope
    )
    state = np.zeros(2**12, dtype=complex)
    state[0] = 1
    assert overlap(engine, proposition, state) is None
