"""Phase estimation, iteratively with one probe and unitarily with three: the same answers with the same
chances.

The phase of the gate is 1/3 of a turn, which three bits cannot say: the answer is 3, 3/8 of a turn, with
probability 0.688, and any other number at times. The bug: the probe is not reset between rounds.
"""

from __future__ import annotations

from math import pi, sin

from qiskit import ClassicalRegister, QuantumRegister
from qiskit.circuit.library import QFTGate

import qismc
from qismc import QuantumCircuit

BITS = 3
PHASE = 2 * pi / 3
SPECS = {
    "eigenstate": "AG (leaf -> |1> on eigen)",
    "mostly": "P>=2/3 [F (leaf & bits == 3)]",
    "best": "P=? [F (leaf & bits == 3)]",
}
EXPECTED = {
    "iterative": {"eigenstate": "holds", "mostly": "holds", "best": "holds"},
    "unitary": {"eigenstate": "holds", "mostly": "holds", "best": "holds"},
    "not_reset": {"eigenstate": "holds", "mostly": "violated", "best": "holds"},
}


def chance(answer: int) -> float:
    """The theory: a squared Dirichlet kernel."""
    missed = pi * (1 / 3 - answer / 2**BITS)
    return (sin(2**BITS * missed) / sin(missed) / 2**BITS) ** 2


ANSWERS = {name: {"best": chance(3)} for name in ("iterative", "unitary")}


def iterative() -> QuantumCircuit:
    """The lowest bit first; each round corrects for the bits that are known."""
    return _iterative("iterative", reset=True)


def not_reset() -> QuantumCircuit:
    """The bug: a probe that was measured as 1 starts the next round in |1>."""
    return _iterative("not_reset", reset=False)


def unitary() -> QuantumCircuit:
    """Three probes and the inverse Fourier transform."""
    probe, eigen = QuantumRegister(BITS, "probe"), QuantumRegister(1, "eigen")
    qc = QuantumCircuit(probe, eigen, ClassicalRegister(BITS, "bits"), name="unitary")
    qc.x(eigen)
    qc.h(probe)
    for k in range(BITS):
        qc.cp(2**k * PHASE, probe[k], eigen[0])
    qc.append(QFTGate(BITS).inverse(), probe)
    qc.measure(probe, qc.cregs[0])
    return qc


def _iterative(name: str, *, reset: bool) -> QuantumCircuit:
    probe, eigen, bits = (
        QuantumRegister(1, "probe"),
        QuantumRegister(1, "eigen"),
        ClassicalRegister(BITS, "bits"),
    )
    qc = QuantumCircuit(probe, eigen, bits, name=name)
    qc.x(eigen)
    for k in range(BITS):
        if reset:
            qc.reset(probe)
        qc.h(probe)
        qc.cp(2 ** (BITS - 1 - k) * PHASE, probe[0], eigen[0])
        for j in range(k):
            with qc.if_test((bits[j], 1)):
                qc.p(-pi / 2 ** (k - j), probe[0])
        qc.h(probe)
        qc.measure(probe, bits[k])
    return qc


def run() -> dict[str, qismc.Result]:
    """The three programs with their verdicts."""
    return {circuit.__name__: qismc.check(circuit(), SPECS) for circuit in (iterative, unitary, not_reset)}


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
