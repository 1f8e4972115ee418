"""Executions from vectors: long chains of loops, packed vectors, moved levels."""

from __future__ import annotations

import numpy as np
import pytest
from qiskit.quantum_info import Kraus

import qismc
from qismc import QuantumCircuit


def turns(count: int) -> QuantumCircuit:
    """A loop that leaves when its two coins show 1, 1; a third bit remembers the outcome before."""
    circuit = QuantumCircuit(2, 3)
    circuit.x(0)
    with circuit.while_loop((circuit.cregs[0], 0)):
        circuit.h(0)
        circuit.measure(0, 0)
        circuit.reset(0)
        circuit.h(1)
        circuit.measure(1, 1)
        circuit.reset(1)
        for _ in range(count):
            circuit.h(1)
            circuit.measure(1, 2)
    return circuit


@pytest.mark.parametrize("value", range(1, 8))
def test_every_store_at_the_end_has_an_execution(value: int) -> None:
    result = qismc.check(turns(1), f"EF (leaf & c == {value})", method="levels")
    assert result and result.statistics.store == "levels"
    shown = result["spec"].witness
    assert shown is not None and shown.replayed and dict(shown.steps[-1].store) == {"c": value}


def test_executions_go_round_as_often_as_they_must() -> None:
    """A flip per turn: the first qubit is |1> at the end only after an odd number of turns."""
    circuit = QuantumCircuit(2, 2)
    circuit.x(1)
    circuit.measure(1, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.x(0)
        circuit.reset(1)
        circuit.h(1)
        circuit.measure(1, 0)
    props = {"odd": "span(|1>) on q[0]"}
    result = qismc.check(circuit, "AG (leaf -> odd)", props=props, method="levels")
    shown = result.counterexample
    assert shown is not None and shown.replayed
    assert sum(step.statement == "x q[0]" for step in shown) == 2


def test_every_reset_is_decided() -> None:
    """40 entangled qubits are thrown away: of 2^40 ways to do so the execution takes one."""
    count = 40
    circuit = QuantumCircuit(count + 1, 1)
    for k in range(count):
        circuit.h(k)
        circuit.cx(k, count)
        circuit.reset(k)
    circuit.measure(count, 0)
    result = qismc.check(circuit, "AG (leaf -> c == 0)", method="levels")
    shown = result.counterexample
    assert result.statistics.store == "levels" and shown is not None and shown.replayed
    found = [step.choice for step in shown if step.choice is not None]
    assert len(found) == count and sum(found) % 2 == 1
    assert shown.probability == pytest.approx(2.0**-count)


def test_choices_of_channels_and_preparations() -> None:
    """One of three Kraus operators flips; where the outcome is 1, a preparation follows another channel."""
    flip = np.array([[0, 1], [1, 0]]) / 2
    channel = Kraus([np.sqrt(0.5) * np.eye(2), np.diag([0.5, -0.5]), flip]).to_instruction()
    circuit = QuantumCircuit(2, 2)
    circuit.append(channel, [0])
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.h(1)
        circuit.append(channel, [1])
        circuit.initialize([0, 1], 1)
    circuit.measure(1, 1)
    assert qismc.check(circuit, "AG (leaf -> c == 0 | c == 3)", method="levels")
    shown = qismc.check(circuit, "AG (leaf -> c != 3)", method="levels").counterexample
    assert shown is not None and shown.replayed and shown.steps[-1].state == "|11>"


def test_executions_start_in_the_vector_that_they_need() -> None:
    circuit = QuantumCircuit(2, 1)
    circuit.measure(1, 0)
    result = qismc.check(circuit, "AG (leaf -> c == 0)", init="span(|00>, |11>, |10>)", method="levels")
    shown = result.counterexample
    assert result.statistics.store == "levels" and shown is not None and shown.replayed
    assert shown.steps[0].state == "|11>"
