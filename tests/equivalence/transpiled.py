"""Transpiled circuits, and what they do to the qubits of the original, by Qiskit's own operators."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import qiskit
from qiskit.quantum_info import Operator


def block(circuit: qiskit.QuantumCircuit) -> npt.NDArray[np.complex128]:
    """What it does to the qubits of the original, other physical ones staying in |0>."""
    if circuit.layout is None:
        return Operator(circuit).data
    layout = circuit.layout
    first = layout.initial_index_layout(filter_ancillas=True)
    last = layout.final_index_layout(filter_ancillas=True)
    return Operator(circuit).data[np.ix_(_basis(last), _basis(first))]


def _basis(places: list[int]) -> list[int]:
    """The number of each basis state of the original among those of all physical qubits."""
    width = len(places)
    return [sum((x >> k & 1) << places[k] for k in range(width)) for x in range(2**width)]


def distance(left: qiskit.QuantumCircuit, right: qiskit.QuantumCircuit) -> float:
    """1 - |tr A^dagger B| / 2^n: 0 if both are the same unitary up to a phase."""
    a, b = block(left), block(right)
    return float(1 - abs(np.vdot(a, b)) / len(a))
