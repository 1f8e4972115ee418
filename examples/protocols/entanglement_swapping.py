"""Entanglement swapping: two qubits that never met become a pair.

Alice shares a pair with a station, the station shares one with Bob and measures its two halves in the Bell
basis. Two bits tell Bob what to do. The bug: he takes one bit for the other.
"""

from __future__ import annotations

from qiskit import ClassicalRegister, QuantumRegister

import qismc
from qismc import QuantumCircuit

SPECS = {"pair": "AG (leaf -> stab(XX, ZZ) on alice, bob)", "ends": "AF leaf"}
EXPECTED = {
    "swapped": {"pair": "holds", "ends": "holds"},
    "mixed_up": {"pair": "violated", "ends": "holds"},
}


def swapped() -> QuantumCircuit:
    """Parity says X, phase says Z."""
    return _swapping("swapped", parity=1, phase=0)


def mixed_up() -> QuantumCircuit:
    """The bug: the other way round."""
    return _swapping("mixed_up", parity=0, phase=1)


def _swapping(name: str, *, parity: int, phase: int) -> QuantumCircuit:
    alice, bob = QuantumRegister(1, "alice"), QuantumRegister(1, "bob")
    station, told = QuantumRegister(2, "station"), ClassicalRegister(2, "told")
    qc = QuantumCircuit(alice, station, bob, told, name=name)
    qc.h([alice[0], bob[0]])
    qc.cx([alice[0], bob[0]], station)
    qc.cx(station[0], station[1])
    qc.h(station[0])
    qc.measure(station, told)
    with qc.if_test((told[parity], 1)):
        qc.x(bob)
    with qc.if_test((told[phase], 1)):
        qc.z(bob)
    return qc


def run() -> dict[str, qismc.Result]:
    """Both programs with their verdicts."""
    return {circuit.__name__: qismc.check(circuit(), SPECS) for circuit in (swapped, mixed_up)}


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
