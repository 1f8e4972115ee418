"""Complex trains over many qubits: nothing may need 2^n numbers."""

from __future__ import annotations

import pytest

import qismc
from qismc import QuantumCircuit


@pytest.mark.parametrize(
    ("proposition", "holds"),
    [
        ("|0> on q[39]", False),
        ("|+0> on q[7], q[20]", True),
        ("(|00> + |11>) on q[39], q[0]", True),
        ("(|01> + |10>) on q[39], q[0]", False),
        ("|r> on q[7]", False),
    ],
)
def test_some_of_many_qubits(engine: str, proposition: str, holds: bool) -> None:
    circuit = QuantumCircuit(40)
    circuit.h(0)
    circuit.cx(0, 39)
    circuit.h(7)
    assert bool(qismc.check(circuit, f"AG (leaf -> ({proposition}))", engine=engine)) == holds
