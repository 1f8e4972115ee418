"""Flipping a coin by telephone, and how to cheat with a Bell pair.

Alice sends a random bit in a random basis. Bob measures in a basis of his own and guesses hers; he wins if
he is right. Then she names basis and bit, and if he measured in that basis, he can check the bit: `caught`
must not happen to an honest Alice. The cheating Alice sends one half of a pair. She hears the guess, names
the *other* basis and measures her half in it: she always wins, and she is never caught.
"""

from __future__ import annotations

from fractions import Fraction

from qiskit import ClassicalRegister, QuantumRegister

import qismc
from qismc import QuantumCircuit

SPECS = {
    "never_caught": "AG (leaf & looked == basis -> seen == bit)",
    "fair": "P>=1/2 [F (leaf & guess == basis)] & P<=1/2 [F (leaf & guess == basis)]",
    "bob_wins": "P=? [F (leaf & guess == basis)]",
}
EXPECTED = {
    "honest": {"never_caught": "holds", "fair": "holds", "bob_wins": "holds"},
    "cheating": {"never_caught": "holds", "fair": "violated", "bob_wins": "holds"},
}
ANSWERS = {"honest": {"bob_wins": Fraction(1, 2)}, "cheating": {"bob_wins": 0}}


def honest() -> QuantumCircuit:
    """Alice decides first."""
    qc = _telephone("honest")
    bit, basis, _, _, _ = qc.cregs
    _toss(qc, bit)
    _toss(qc, basis)
    with qc.if_test((bit, 1)):
        qc.x(SENT)
    with qc.if_test((basis, 1)):
        qc.h(SENT)
    _bob(qc)
    return qc


def cheating() -> QuantumCircuit:
    """Alice decides last."""
    qc = _telephone("cheating")
    bit, basis, guess, _, _ = qc.cregs
    qc.h(KEPT)
    qc.cx(KEPT, SENT)
    _bob(qc)
    with qc.if_test((guess, 0)):
        qc.store(basis, 1)
        qc.h(KEPT)
    qc.measure(KEPT, bit)
    return qc


SENT, KEPT, COIN = range(3)


def _telephone(name: str) -> QuantumCircuit:
    qubits = [QuantumRegister(1, text) for text in ("sent", "kept", "coin")]
    bits = [ClassicalRegister(1, text) for text in ("bit", "basis", "guess", "looked", "seen")]
    return QuantumCircuit(*qubits, *bits, name=name)


def _bob(qc: QuantumCircuit) -> None:
    _, _, guess, looked, seen = qc.cregs
    _toss(qc, looked)
    with qc.if_test((looked, 1)):
        qc.h(SENT)
    qc.measure(SENT, seen)
    _toss(qc, guess)


def _toss(qc: QuantumCircuit, register: ClassicalRegister) -> None:
    qc.reset(COIN)
    qc.h(COIN)
    qc.measure(COIN, register)


def run() -> dict[str, qismc.Result]:
    """Both Alices with their verdicts."""
    return {circuit.__name__: qismc.check(circuit(), SPECS) for circuit in (honest, cheating)}


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
