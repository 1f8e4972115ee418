"""Equal ends against projectors computed by a dense reference."""

from __future__ import annotations

import random

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import DensityMatrix

from qismc.edits.sampling import drawn
from qismc.program.load import read_program
from qismc.whatif.ends import same_ends


def circuit(seed: int) -> QuantumCircuit:
    rng = random.Random(seed)
    qc = QuantumCircuit(2, 1)
    for _ in range(4):
        getattr(qc, rng.choice(["h", "s", "x", "z"]))(rng.randrange(2))
        if rng.random() < 0.5:
            qc.cx(*rng.sample(range(2), 2))
    qc.measure(0, 0)
    if rng.random() < 0.5:
        qc.reset(0)
    return qc


def projectors(qc: QuantumCircuit) -> list[np.ndarray]:
    """For each value of the bit the projector on the support of the unnormalised final state."""
    found = []
    for value in (0, 1):
        state = DensityMatrix.from_label("00").data
        for step in qc.data:
            at = [qc.find_bit(q).index for q in step.qubits]
            if step.operation.name == "measure":
                keep = np.kron(np.eye(2), np.diag([1 - value, value]))
                state = keep @ state @ keep
            else:
                state = DensityMatrix(state).evolve(step.operation, at).data
        values, vectors = np.linalg.eigh(state)
        kept = vectors[:, values > 1e-9]
        found.append(kept @ kept.conj().T)
    return found


@pytest.mark.parametrize("seed", range(30))
def test_agrees_with_dense_projectors(seed: int) -> None:
    left, right = circuit(seed % 6), circuit(seed)
    truth = all(np.allclose(a, b) for a, b in zip(projectors(left), projectors(right), strict=True))
    assert same_ends(read_program(left), read_program(right), {}) == truth


def test_some_edits_change_nothing_and_most_do() -> None:
    program = read_program(circuit(1))
    answers = [same_ends(program, edit.apply(program), {}) for edit in drawn(program, 40, 0)]
    assert any(answers)
    assert not all(answers)


def test_programs_without_an_end_are_not_the_same() -> None:
    qc = QuantumCircuit(1, 1)
    with qc.while_loop((qc.clbits[0], 0)):
        qc.x(0)
    program = read_program(qc)
    assert not same_ends(program, program, {})
