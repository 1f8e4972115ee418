"""Results can be pickled although their systems cannot."""

from __future__ import annotations

import pickle

from qismc import QuantumCircuit, check


def test_a_pickled_result_keeps_its_answers_and_loses_its_system() -> None:
    circuit = QuantumCircuit(1, 1)
    for _ in range(300):
        circuit.h(0)
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], 1)):
            circuit.x(0)
    result = check(circuit, "AG (leaf -> |0>)")
    assert result.backdrop.system is not None
    copy = pickle.loads(pickle.dumps(result.backdrop))
    assert copy.system is None
