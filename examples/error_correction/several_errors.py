"""Codes that correct several errors at once: every combination of at most t of them, one check each.

As in `single_errors.py` an encoded qubit is one half of a Bell pair with `ref`; then the environment may
apply up to t Pauli errors to data qubits. The decoder is a table from syndromes to a lightest error with this
syndrome, found by trying errors in the order of their weight. Repetition codes correct (d - 1) / 2 flips, the
surface code of distance 5 corrects two errors of any kind. One flip more than that is too many, and an
execution shows which ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

from qiskit import ClassicalRegister, QuantumRegister
from qiskit.synthesis import synth_circuit_from_stabilizers

import qismc
from qismc import Faults, QuantumCircuit

SPECS = {"kept": "AG (leaf -> sp(encoded))"}
EXPECTED = {
    "repetition_9": {"kept": "holds"},
    "one_too_many": {"kept": "violated"},
    "surface_5": {"kept": "holds"},
}


class Code(NamedTuple):
    """Checks of Z and of X as sets of qubits, the encoded X and Z, and how many errors are corrected."""

    size: int
    z_checks: tuple[frozenset[int], ...]
    x_checks: tuple[frozenset[int], ...]
    logical_x: frozenset[int]
    logical_z: frozenset[int]
    corrects: int


def repetition(distance: int) -> Code:
    """Neighbours agree: flips are corrected, phases are not."""
    checks = tuple(frozenset((k, k + 1)) for k in range(distance - 1))
    return Code(distance, checks, (), frozenset(range(distance)), frozenset((0,)), (distance - 1) // 2)


def surface(distance: int) -> Code:
    """Squares between the qubits, X and Z in turn; half squares of X at top and bottom, of Z at the sides."""
    checks: dict[str, list[frozenset[int]]] = {"X": [], "Z": []}
    for row, column in product(range(distance + 1), repeat=2):
        kind = "XZ"[(row + column) % 2]
        if (column if kind == "X" else row) not in (0, distance):
            corners = product((row - 1, row), (column - 1, column))
            inside = [(r, c) for r, c in corners if 0 <= r < distance and 0 <= c < distance]
            checks[kind].append(frozenset(r * distance + c for r, c in inside))
    column, row = frozenset(range(0, distance**2, distance)), frozenset(range(distance))
    return Code(distance**2, tuple(checks["Z"]), tuple(checks["X"]), column, row, (distance - 1) // 2)


def lightest(checks: tuple[frozenset[int], ...], size: int, most: int) -> dict[int, tuple[int, ...]]:
    """From syndromes to the lightest errors of at most so many letters; bit k of a syndrome is check k."""
    table: dict[int, tuple[int, ...]] = {}
    for weight in range(most + 1):
        for error in combinations(range(size), weight):
            syndrome = sum((len(check & set(error)) % 2) << k for k, check in enumerate(checks))
            table.setdefault(syndrome, error)
    del table[0]
    return table


def memory(code: Code, name: str) -> QuantumCircuit:
    """Encode, measure both kinds of checks with one probe, look the syndromes up."""
    data, ref, probe = (
        QuantumRegister(code.size, "data"),
        QuantumRegister(1, "ref"),
        QuantumRegister(1, "probe"),
    )
    qc = QuantumCircuit(data, ref, probe, name=name)
    qc.compose(encoded_pair(code), [*data, *ref], inplace=True)
    qc.mark("encoded")
    for kind, fix, checks in (("z", "x", code.z_checks), ("x", "z", code.x_checks)):
        if not checks:
            continue
        syndrome = ClassicalRegister(len(checks), f"{kind}_syndrome")
        qc.add_register(syndrome)
        for check, bit in zip(checks, syndrome, strict=True):
            qc.h(probe)
            for k in sorted(check):
                getattr(qc, f"c{kind}")(probe[0], data[k])
            qc.h(probe)
            qc.measure(probe[0], bit)
            qc.reset(probe)
        for value, error in lightest(checks, code.size, code.corrects).items():
            with qc.if_test((syndrome, value)):
                for k in error:
                    getattr(qc, fix)(data[k])
    return qc


def encoded_pair(code: Code) -> QuantumCircuit:
    """Gates that make the encoded qubit and `ref` a Bell pair. Qiskit's strings have qubit 0 last."""
    return synth_circuit_from_stabilizers([text[::-1] for text in _stabilisers(code)])


def _stabilisers(code: Code) -> Iterator[str]:
    for letter, checks, logical in (
        ("Z", code.z_checks, code.logical_z),
        ("X", code.x_checks, code.logical_x),
    ):
        for check in checks:
            yield "".join(letter if k in check else "I" for k in range(code.size)) + "I"
        yield "".join(letter if k in logical else "I" for k in range(code.size)) + letter


def check(code: Code, name: str, kinds: str, most: int) -> qismc.Result:
    """Are all combinations of at most so many errors on data qubits corrected?"""
    return qismc.check(
        memory(code, name), SPECS, faults=Faults(tuple(kinds), most, where=("data", "encoded"))
    )


def run() -> dict[str, qismc.Result]:
    """The codes with their verdicts."""
    return {
        "repetition_9": check(repetition(9), "repetition_9", "X", 4),
        "one_too_many": check(repetition(9), "one_too_many", "X", 5),
        "surface_5": check(surface(5), "surface_5", "XYZ", 2),
    }


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
