"""Every engine passes the same tests."""

from __future__ import annotations

from math import pi

from qiskit import QuantumCircuit

from qismc.engines.engine import Engine
from qismc.limits import Budget, Limits
from qismc.model.choice import EngineTask, choose_engine
from qismc.program import read_program

ENGINES = ["float", "exact"]


def make_engine(name: str, num_qubits: int) -> Engine:
    """A fresh engine without limits that knows the angles that are multiples of pi/8."""
    circuit = QuantumCircuit(num_qubits)
    circuit.rx(pi / 8, 0)
    circuit.p(pi / 8, 0)
    return choose_engine(name, EngineTask(read_program(circuit), [], Budget(Limits()))).engine
