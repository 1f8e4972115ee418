"""One qubit repeated five times survives two bit flips, if the decoder knows pairs of flips as well.

The noise is part of the program: a coin, measured for each qubit, decides whether it is flipped, and
`flips` remembers what happened. So one check covers all 32 patterns, and formulas can speak of those with
at most two flips. The bug: a decoder with a table of single flips.

The encoded qubit is one half of a Bell pair with `ref`: one check speaks of all states that it may have.
"""

from __future__ import annotations

from itertools import combinations

from qiskit import ClassicalRegister, QuantumRegister

import qismc
from qismc import QuantumCircuit

SIZE = 5


def patterns(count: int) -> list[int]:
    """The numbers with that many of SIZE bits set."""
    return [sum(1 << k for k in chosen) for chosen in combinations(range(SIZE), count)]


def at_most(count: int) -> str:
    """The formula that says: at most so many qubits were flipped."""
    values = [value for k in range(count + 1) for value in patterns(k)]
    return " | ".join(f"flips == {value}" for value in values)


SPECS = {
    "one_flip": f"AG (leaf & ({at_most(1)}) -> sp(encoded))",
    "two_flips": f"AG (leaf & ({at_most(2)}) -> sp(encoded))",
    "any_flips": "AG (leaf -> sp(encoded))",
}
EXPECTED = {
    "pairs": {"one_flip": "holds", "two_flips": "holds", "any_flips": "violated"},
    "singles": {"one_flip": "holds", "two_flips": "violated", "any_flips": "violated"},
}


def pairs() -> QuantumCircuit:
    """The decoder undoes up to two flips."""
    return _memory(patterns(1) + patterns(2))


def singles() -> QuantumCircuit:
    """The bug: the decoder undoes single flips only."""
    return _memory(patterns(1))


def _memory(corrections: list[int]) -> QuantumCircuit:
    data, ref, helper = QuantumRegister(SIZE, "data"), QuantumRegister(1, "ref"), QuantumRegister(1, "helper")
    flips, syndrome = ClassicalRegister(SIZE, "flips"), ClassicalRegister(SIZE - 1, "syndrome")
    qc = QuantumCircuit(data, ref, helper, flips, syndrome)
    qc.h(ref)
    qc.cx(ref[0], data)
    qc.mark("encoded")
    for k in range(SIZE):
        qc.h(helper)
        qc.measure(helper[0], flips[k])
        qc.cx(helper[0], data[k])
        qc.reset(helper)
    for k in range(SIZE - 1):
        qc.cx([data[k], data[k + 1]], helper[0])
        qc.measure(helper[0], syndrome[k])
        qc.reset(helper)
    for pattern in corrections:
        with qc.if_test((syndrome, (pattern ^ pattern >> 1) & 0b1111)):
            qc.x([data[k] for k in range(SIZE) if pattern >> k & 1])
    return qc


def run() -> dict[str, qismc.Result]:
    """Both decoders with their verdicts."""
    return {circuit.__name__: qismc.check(circuit(), SPECS) for circuit in (pairs, singles)}


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
