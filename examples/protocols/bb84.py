"""BB84: one bit of a key, with and without an eavesdropper.

Alice tosses a bit and a basis, Bob tosses a basis, and they start again until the bases agree: that is
sifting. Without an eavesdropper Bob's bit is Alice's. Eve, who measures and sends on what she saw, makes
them differ with probability 1/4. In a basis half-way between the two she learns more, cos^2(pi/8) instead
of 3/4, and is noticed as often.
"""

from __future__ import annotations

from fractions import Fraction
from math import cos, pi

from qiskit import ClassicalRegister, QuantumRegister
from qiskit.circuit.classical import expr

import qismc
from qismc import QuantumCircuit

SPECS = {
    "agree": "AG (leaf -> received == bit)",
    "sifted": "AG (leaf -> basis == guess)",
    "noticed": "P=? [F (leaf & received != bit)]",
    "learned": "P=? [F (leaf & stolen == bit)]",
}
EXPECTED = {
    "alone": dict.fromkeys(SPECS, "holds"),
    "eavesdropped": dict.fromkeys(SPECS, "holds") | {"agree": "violated"},
    "halfway": dict.fromkeys(SPECS, "holds") | {"agree": "violated"},
}
ANSWERS = {
    "alone": {"noticed": 0, "learned": Fraction(1, 2)},
    "eavesdropped": {"noticed": Fraction(1, 4), "learned": Fraction(3, 4)},
    "halfway": {"noticed": Fraction(1, 4), "learned": cos(pi / 8) ** 2},
}


def alone() -> QuantumCircuit:
    """Nobody listens."""
    return _round("alone", None)


def eavesdropped() -> QuantumCircuit:
    """Eve measures in Alice's first basis."""
    return _round("eavesdropped", 0.0)


def halfway() -> QuantumCircuit:
    """Eve measures half-way between the two bases."""
    return _round("halfway", pi / 4)


def _round(name: str, eve: float | None) -> QuantumCircuit:
    sent, coin = QuantumRegister(1, "sent"), QuantumRegister(1, "coin")
    registers = [ClassicalRegister(1, text) for text in ("bit", "basis", "guess", "received", "stolen")]
    bit, basis, guess, received, stolen = registers
    qc = QuantumCircuit(sent, coin, *registers, name=name)
    qc.store(guess, 1)
    with qc.while_loop(expr.not_equal(basis, guess)):
        for register in (bit, basis, guess):
            _toss(qc, register)
        qc.reset(sent)
        with qc.if_test((bit, 1)):
            qc.x(sent)
        with qc.if_test((basis, 1)):
            qc.h(sent)
        if eve is not None:
            qc.ry(-eve, sent)
            qc.measure(sent, stolen)
            qc.ry(eve, sent)
        with qc.if_test((guess, 1)):
            qc.h(sent)
        qc.measure(sent, received)
    return qc


def _toss(qc: QuantumCircuit, register: ClassicalRegister) -> None:
    coin = qc.qregs[1]
    qc.reset(coin)
    qc.h(coin)
    qc.measure(coin, register)


def run() -> dict[str, qismc.Result]:
    """The three rounds with their verdicts."""
    return {circuit.__name__: qismc.check(circuit(), SPECS) for circuit in (alone, eavesdropped, halfway)}


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
