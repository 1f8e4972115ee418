"""Superdense coding: two bits in one qubit, if a pair was shared before.

The two bits are tossed, so that one check covers all four messages. The bug: the receiver takes the pair
apart in the wrong order.
"""

from __future__ import annotations

from qiskit import ClassicalRegister, QuantumRegister

import qismc
from qismc import QuantumCircuit

SPECS = {
    "received": "AG (leaf -> got == sent)",
    "all_messages": " & ".join(f"EF (leaf & sent == {value})" for value in range(4)),
}
EXPECTED = {
    "coded": {"received": "holds", "all_messages": "holds"},
    "wrong_order": {"received": "violated", "all_messages": "holds"},
}


def coded() -> QuantumCircuit:
    """The receiver undoes what made the pair."""
    qc = _sent("coded")
    qc.cx(0, 1)
    qc.h(0)
    qc.measure([0, 1], qc.cregs[1])
    return qc


def wrong_order() -> QuantumCircuit:
    """The bug: H first."""
    qc = _sent("wrong_order")
    qc.h(0)
    qc.cx(0, 1)
    qc.measure([0, 1], qc.cregs[1])
    return qc


def _sent(name: str) -> QuantumCircuit:
    pair, coin = QuantumRegister(2, "pair"), QuantumRegister(2, "coin")
    sent, got = ClassicalRegister(2, "sent"), ClassicalRegister(2, "got")
    qc = QuantumCircuit(pair, coin, sent, got, name=name)
    qc.h(coin)
    qc.measure(coin, sent)
    qc.h(pair[0])
    qc.cx(pair[0], pair[1])
    with qc.if_test((sent[1], 1)):
        qc.x(pair[0])
    with qc.if_test((sent[0], 1)):
        qc.z(pair[0])
    return qc


def run() -> dict[str, qismc.Result]:
    """Both programs with their verdicts."""
    return {circuit.__name__: qismc.check(circuit(), SPECS) for circuit in (coded, wrong_order)}


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
