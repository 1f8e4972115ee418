"""The states at locations, against Qiskit's statevectors."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from qiskit.quantum_info import Statevector

import qismc
from qismc import QuantumCircuit
from qismc.evidence import arrived
from qismc.evidence.arrived import Arrived, LargestTerms


def amplitudes(ket: LargestTerms, width: int) -> np.ndarray:
    """The vector that a ket writes down; qubit 0 is the leftmost letter, Qiskit's least significant digit."""
    vector = np.zeros(2**width, dtype=complex)
    for bits, amplitude in ket.terms:
        vector[int(bits[::-1], 2)] = amplitude
    return vector


def line() -> QuantumCircuit:
    circuit = QuantumCircuit(3)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.s(1)
    circuit.ry(0.4, 2)
    return circuit


def test_states_along_gates_are_those_of_qiskit() -> None:
    circuit = line()
    result = qismc.check(circuit, "AF leaf", method="graph")
    for count in range(len(circuit.data) + 1):
        before = circuit.copy_empty_like()
        for step in circuit.data[:count]:
            before.append(step)
        found = result._arrived.at(count)
        assert found is not None and found.dimension == 1
        (ket,) = found.states
        assert ket.left_out == 0
        overlap = np.vdot(Statevector(before).data, amplitudes(ket, 3))
        assert abs(overlap) == pytest.approx(1)


def test_several_states_span_what_arrives() -> None:
    """Both outcomes of a forgotten measurement."""
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    found = qismc.check(circuit, "AG (leaf -> full)", method="graph")._arrived
    last = [found.at(k) for k in range(2, 4)]
    states = [amplitudes(ket, 1) for here in last if here is not None for ket in here.states]
    assert np.linalg.matrix_rank(np.array(states)) == 2


def test_only_some_states_and_some_terms_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrived, "TERMS_SHOWN", 3)
    monkeypatch.setattr(arrived, "STATES_SHOWN", 2)
    circuit = QuantumCircuit(2)
    circuit.h([0, 1])
    found = qismc.check(circuit, "AF leaf", method="graph")._arrived.at(2)
    assert found is not None and len(found.states[0].terms) == 3 and found.states[0].left_out == 1
    everything = qismc.check(circuit, "AF leaf", init="full", method="graph")._arrived.at(2)
    assert everything is not None and everything.dimension == 4 and len(everything.states) == 2


def test_nothing_is_known_without_a_solved_system() -> None:
    assert Arrived().at(0) is None
    travelled = pickle.loads(pickle.dumps(qismc.check(line(), "AF leaf", method="graph")._arrived))
    assert travelled.at(0) is None
