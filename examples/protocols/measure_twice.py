"""Measuring a qubit twice gives the same answer twice; a gate in between spoils that."""

from __future__ import annotations

import qismc
from qismc import QuantumCircuit

SPECS = {
    "agree": "AG (leaf -> c == 0b00 | c == 0b11)",
    "both_happen": "EF (leaf & c == 0b00) & EF (leaf & c == 0b11)",
}
EXPECTED = {
    "undisturbed": {"agree": "holds", "both_happen": "holds"},
    "disturbed": {"agree": "violated", "both_happen": "holds"},
}


def undisturbed() -> QuantumCircuit:
    """A coin that is looked at twice."""
    return _measured_twice(disturb=False)


def disturbed() -> QuantumCircuit:
    """The bug: the coin is tossed again before the second look."""
    return _measured_twice(disturb=True)


def _measured_twice(*, disturb: bool) -> QuantumCircuit:
    qc = QuantumCircuit(1, 2)
    qc.h(0)
    qc.measure(0, 0)
    if disturb:
        qc.h(0)
    qc.measure(0, 1)
    return qc


def run() -> dict[str, qismc.Result]:
    """Both programs with their verdicts."""
    return {circuit.__name__: qismc.check(circuit(), SPECS) for circuit in (undisturbed, disturbed)}


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
