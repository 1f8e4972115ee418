"""Five codes, and every single error that they promise to correct: one check each.

A qubit, one half of a Bell pair with `ref`, is encoded (mark `encoded`), then the environment may apply one
Pauli error to one data qubit: `faults`. The checks of the code are measured with one probe, one after the
other, and a table says what to undo. `kept`: the state is that of the mark again, for all states of the
qubit and for all errors. The bug: two entries of the table of Steane's code are swapped.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from qiskit import ClassicalRegister, QuantumRegister
from qiskit.synthesis import synth_circuit_from_stabilizers

import qismc
from qismc import Faults, QuantumCircuit


class Code(NamedTuple):
    """Commuting checks, the encoded X and Z, and the kinds of errors that single ones of are corrected."""

    checks: tuple[str, ...]
    x: str
    z: str
    kinds: str = "XYZ"


HAMMING = ((0, 2, 4, 6), (1, 2, 5, 6), (3, 4, 5, 6))


def on(kind: str, places: tuple[int, ...], size: int) -> str:
    """A Pauli string with that letter at these places."""
    return "".join(kind if k in places else "I" for k in range(size))


def surface(distance: int) -> Code:
    """Squares between the qubits, X and Z in turn; half squares of X at top and bottom, of Z at the sides."""
    size, checks = distance**2, []
    for row, column in product(range(distance + 1), repeat=2):
        kind = "XZ"[(row + column) % 2]
        if (column if kind == "X" else row) not in (0, distance):
            corners = product((row - 1, row), (column - 1, column))
            inside = [(r, c) for r, c in corners if 0 <= r < distance and 0 <= c < distance]
            checks.append(on(kind, tuple(r * distance + c for r, c in inside), size))
    return Code(
        tuple(checks), on("X", tuple(range(0, size, distance)), size), on("Z", tuple(range(distance)), size)
    )


CODES = {
    "bit_flip": Code(("ZZI", "IZZ"), "XXX", "ZII", "X"),
    "phase_flip": Code(("XXI", "IXX"), "XII", "ZZZ", "Z"),
    "five": Code(("XZZXI", "IXZZX", "XIXZZ", "ZXIXZ"), "XXXXX", "ZZZZZ"),
    "steane": Code(tuple(on(kind, row, 7) for kind in "XZ" for row in HAMMING), "X" * 7, "Z" * 7),
    "surface": surface(3),
}
SPECS = {"kept": "AG (leaf -> sp(encoded))"}
EXPECTED = {name: {"kept": "holds"} for name in CODES} | {"wrong_entry": {"kept": "violated"}}


def corrected(code: Code, name: str) -> QuantumCircuit:
    """Encode, measure the syndrome, look it up."""
    return _memory(code, _table(code), name)


def wrong_entry() -> QuantumCircuit:
    """The bug: X on qubit 3 and X on qubit 4 are taken for each other."""
    code = CODES["steane"]
    swapped = {on("X", (3,), 7): on("X", (4,), 7), on("X", (4,), 7): on("X", (3,), 7)}
    table = {syndrome: swapped.get(error, error) for syndrome, error in _table(code).items()}
    return _memory(code, table, "wrong_entry")


def _memory(code: Code, table: dict[int, str], name: str) -> QuantumCircuit:
    size = len(code.x)
    data, ref, probe = QuantumRegister(size, "data"), QuantumRegister(1, "ref"), QuantumRegister(1, "probe")
    syndrome = ClassicalRegister(len(code.checks), "syndrome")
    qc = QuantumCircuit(data, ref, probe, syndrome, name=name)
    qc.compose(_encoded_pair(code), [*data, *ref], inplace=True)
    qc.mark("encoded")
    for check, bit in zip(code.checks, syndrome, strict=True):
        qc.h(probe)
        for gate, k in _letters(check):
            getattr(qc, f"c{gate}")(probe[0], data[k])
        qc.h(probe)
        qc.measure(probe[0], bit)
        qc.reset(probe)
    for value, error in table.items():
        with qc.if_test((syndrome, value)):
            for gate, k in _letters(error):
                getattr(qc, gate)(data[k])
    return qc


def _encoded_pair(code: Code) -> QuantumCircuit:
    """Gates that make the encoded qubit and `ref` a Bell pair. Qiskit's strings have qubit 0 last."""
    stabilisers = [*(f"{check}I" for check in code.checks), f"{code.x}X", f"{code.z}Z"]
    return synth_circuit_from_stabilizers([text[::-1] for text in stabilisers])


def _table(code: Code) -> dict[int, str]:
    """From syndromes to errors on one qubit."""
    size = len(code.x)
    errors = [on(kind, (k,), size) for kind in code.kinds for k in range(size)]
    return {_syndrome(code, error): error for error in errors}


def _syndrome(code: Code, error: str) -> int:
    """Bit k is set if the error anticommutes with check k."""
    clashes = [sum(a != b and "I" not in (a, b) for a, b in zip(error, c, strict=True)) for c in code.checks]
    return sum((count % 2) << k for k, count in enumerate(clashes))


def _letters(pauli: str) -> list[tuple[str, int]]:
    return [(letter.lower(), k) for k, letter in enumerate(pauli) if letter != "I"]


def _check(circuit: QuantumCircuit, kinds: str) -> qismc.Result:
    return qismc.check(circuit, SPECS, faults=Faults(tuple(kinds), 1, where=("data", "encoded")))


def run() -> dict[str, qismc.Result]:
    """The five codes and the bug with their verdicts."""
    results = {name: _check(corrected(code, name), code.kinds) for name, code in CODES.items()}
    return results | {"wrong_entry": _check(wrong_entry(), "XYZ")}


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
