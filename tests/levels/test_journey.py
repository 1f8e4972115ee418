"""Executions from vectors: long chains of loops, packed vectors, moved levels."""

from __future__ import annotations

import pytest

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
    result = qismc.check(turns(1), f"EF (leaf & c == {value})", store="levels")
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
    result = qismc.check(circuit, "AG (leaf -> odd)", props=props, store="levels")
    shown = result.counterexample
    assert shown is not None and shown.replayed
    assert sum(step.statement == "x q[0]" for step in shown) == 2
