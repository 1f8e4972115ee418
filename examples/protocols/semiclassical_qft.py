"""The Fourier transform before a measurement needs no two-qubit gates: measured bits turn the qubits that
come later.

A number k is tossed, the unitary transform (Qiskit's own) makes its Fourier state, and the semiclassical
inverse reads it. If it reads k for every k, it measures in the Fourier basis, as the unitary inverse with a
measurement does. The bug: the rotations turn the wrong way.
"""

from __future__ import annotations

from math import pi

from qiskit import ClassicalRegister, QuantumRegister
from qiskit.circuit.library import QFTGate

import qismc
from qismc import QuantumCircuit

SIZE = 5
SPECS = {"same": "AG (leaf -> read == k)", "ends": "AF leaf"}
EXPECTED = {
    "semiclassical": {"same": "holds", "ends": "holds"},
    "unitary": {"same": "holds", "ends": "holds"},
    "wrong_way": {"same": "violated", "ends": "holds"},
}


def semiclassical() -> QuantumCircuit:
    """From the last qubit to the first, one bit after the other."""
    return _semiclassical("semiclassical", -1)


def wrong_way() -> QuantumCircuit:
    """The bug: a sign."""
    return _semiclassical("wrong_way", +1)


def unitary() -> QuantumCircuit:
    """The inverse transform, then the measurement."""
    qc = _fourier_state("unitary")
    qc.append(QFTGate(SIZE).inverse(), qc.qregs[0])
    qc.measure(qc.qregs[0], qc.cregs[1])
    return qc


def _semiclassical(name: str, sign: int) -> QuantumCircuit:
    qc = _fourier_state(name)
    (data, _), (_, read) = qc.qregs, qc.cregs
    for k in range(SIZE):
        qubit = data[SIZE - 1 - k]
        for j in range(k):
            with qc.if_test((read[j], 1)):
                qc.p(sign * pi / 2 ** (k - j), qubit)
        qc.h(qubit)
        qc.measure(qubit, read[k])
    return qc


def _fourier_state(name: str) -> QuantumCircuit:
    data, coin = QuantumRegister(SIZE, "data"), QuantumRegister(1, "coin")
    number, read = ClassicalRegister(SIZE, "k"), ClassicalRegister(SIZE, "read")
    qc = QuantumCircuit(data, coin, number, read, name=name)
    for j in range(SIZE):
        qc.h(coin)
        qc.measure(coin, number[j])
        qc.cx(coin[0], data[j])
        qc.reset(coin)
    qc.append(QFTGate(SIZE), data)
    return qc


def run() -> dict[str, qismc.Result]:
    """The three programs with their verdicts."""
    return {
        circuit.__name__: qismc.check(circuit(), SPECS) for circuit in (semiclassical, unitary, wrong_way)
    }


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
