"""A quantum walk on a cube: from the corner 000, a coin says which bit of the position to flip, or none;
111 ends it.

If the coin is measured in every turn, this is a random walk, and it arrives. If it is not, the walk is
faster from a symmetric start, 35/6 turns instead of 40/3; but from a coin that is |00> most of the state
never arrives: it is caught between corners whose amplitudes cancel at 111 for ever. Watching the end alone
does not help.
"""

from __future__ import annotations

from fractions import Fraction

from qiskit import ClassicalRegister, QuantumRegister

import qismc
from qismc import QuantumCircuit

SPECS = {"there": "AG (leaf -> |111> on pos)", "arrives": "P=1 [F leaf]", "chance": "P=? [F leaf]"}
EXPECTED = {
    "measured": {"there": "holds", "arrives": "holds", "chance": "holds"},
    "symmetric": {"there": "holds", "arrives": "holds", "chance": "holds"},
    "caught": {"there": "holds", "arrives": "violated", "chance": "holds"},
}
ANSWERS = {"measured": {"chance": 1}, "symmetric": {"chance": 1}, "caught": {"chance": Fraction(8, 17)}}
TURNS = {"measured": [Fraction(40, 3)], "symmetric": [Fraction(35, 6)], "caught": [float("inf")]}


def measured() -> QuantumCircuit:
    """The coin is measured in every turn."""
    return _walk("measured", look=True)


def symmetric() -> QuantumCircuit:
    """The coin is a qubit that starts in the uniform superposition."""
    return _walk("symmetric", uniform=True)


def caught() -> QuantumCircuit:
    """The coin is a qubit that starts in |00>."""
    return _walk("caught")


def _walk(name: str, *, look: bool = False, uniform: bool = False) -> QuantumCircuit:
    pos, coin, probe = QuantumRegister(3, "pos"), QuantumRegister(2, "coin"), QuantumRegister(1, "probe")
    toss, arrived = ClassicalRegister(2, "toss"), ClassicalRegister(1, "arrived")
    qc = QuantumCircuit(pos, coin, probe, toss, arrived, name=name)
    if uniform:
        qc.h(coin)
    with qc.while_loop((arrived, 0)):
        _grover_coin(qc, coin)
        if look:
            qc.measure(coin, toss)
        for k in range(3):
            qc.mcx(list(coin), pos[k], ctrl_state=k + 1)
        qc.mcx(list(pos), probe[0])
        qc.measure(probe, arrived)
    return qc


def _grover_coin(qc: QuantumCircuit, coin: QuantumRegister) -> None:
    """The reflection about the uniform superposition."""
    qc.h(coin)
    qc.x(coin)
    qc.cz(coin[0], coin[1])
    qc.x(coin)
    qc.h(coin)


def run() -> dict[str, qismc.Result]:
    """The three walks with their verdicts."""
    return {circuit.__name__: qismc.check(circuit(), SPECS) for circuit in (measured, symmetric, caught)}


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
