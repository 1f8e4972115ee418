"""A GHZ state in constant depth: neighbours are compared by measurements, and the outcomes tell whom to
flip.

All data qubits start in |+>. Between neighbours a probe measures whether they are equal; if not, everybody
to the right is flipped, 2^15 patterns of outcomes in all. They need not be listed: all are
carried at once. The bug: one flip only.
"""

from __future__ import annotations

from qiskit import ClassicalRegister, QuantumRegister

import qismc
from qismc import QuantumCircuit

SIZE = 16
SPECS = {"ghz": f"AG (leaf -> (|0^{SIZE}> + |1^{SIZE}>) on data)", "ends": "AF leaf"}
EXPECTED = {
    "everybody": {"ghz": "holds", "ends": "holds"},
    "only_one": {"ghz": "violated", "ends": "holds"},
}


def everybody() -> QuantumCircuit:
    """Whoever stands to the right is flipped."""
    return _ghz("everybody", SIZE)


def only_one() -> QuantumCircuit:
    """The bug: the next one is flipped, and now differs from its other neighbour."""
    return _ghz("only_one", 1)


def _ghz(name: str, reach: int) -> QuantumCircuit:
    data, probe = QuantumRegister(SIZE, "data"), QuantumRegister(SIZE - 1, "probe")
    unequal = ClassicalRegister(SIZE - 1, "unequal")
    qc = QuantumCircuit(data, probe, unequal, name=name)
    qc.h(data)
    for k in range(SIZE - 1):
        qc.cx([data[k], data[k + 1]], probe[k])
    qc.measure(probe, unequal)
    for k in range(SIZE - 1):
        with qc.if_test((unequal[k], 1)):
            qc.x(data[k + 1 : k + 1 + reach])
    return qc


def run() -> dict[str, qismc.Result]:
    """Both programs with their verdicts."""
    return {circuit.__name__: qismc.check(circuit(), SPECS) for circuit in (everybody, only_one)}


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
