"""Is something an object of Qiskit? Asked without loading Qiskit: who has such an object has loaded it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from typing_extensions import TypeIs

if TYPE_CHECKING:
    from qiskit import QuantumCircuit
    from qiskit.quantum_info import Statevector


def is_circuit(thing: Any) -> TypeIs[QuantumCircuit]:
    """A QuantumCircuit of Qiskit, or of a class made of it."""
    qiskit = sys.modules.get("qiskit")
    return qiskit is not None and isinstance(thing, qiskit.QuantumCircuit)


def is_statevector(thing: Any) -> TypeIs[Statevector]:
    """A Statevector of Qiskit."""
    states = sys.modules.get("qiskit.quantum_info")
    return states is not None and isinstance(thing, states.Statevector)
