"""The surface code of distance 5, made by measuring it: 25 qubits in |0>, and the outcome of every check is
undone.

The checks of X have random outcomes. For each that is 1, a row of Z from its face to the left border flips
this check and no other. 2^12 patterns of outcomes (2^24 at distance 7) are not listed: all stores are
carried at once. The bug: one row is too short.
"""

from __future__ import annotations

from itertools import product

from qiskit import ClassicalRegister, QuantumRegister

import qismc
from qismc import QuantumCircuit

DISTANCE = 5
SPECS = {"encoded_zero": "AG (leaf -> zero_state)", "ends": "AF leaf"}
EXPECTED = {
    "prepared": {"encoded_zero": "holds", "ends": "holds"},
    "short_row": {"encoded_zero": "violated", "ends": "holds"},
}
Face = tuple[int, int]


def faces(kind: str, distance: int) -> list[Face]:
    """Squares between the qubits, X and Z in turn; half squares of X at top and bottom, of Z at the sides."""
    border = {"X": lambda _, column: column in (0, distance), "Z": lambda row, _: row in (0, distance)}
    return [
        (row, column)
        for row, column in product(range(distance + 1), repeat=2)
        if (row + column) % 2 == (kind == "Z") and not border[kind](row, column)
    ]


def corners(face: Face, distance: int) -> list[int]:
    """The data qubits of a face, which are numbered row by row."""
    around = product((face[0] - 1, face[0]), (face[1] - 1, face[1]))
    return [r * distance + c for r, c in around if 0 <= r < distance and 0 <= c < distance]


def encoded_zero(distance: int) -> str:
    """All checks, and the encoded Z: a row."""
    groups = [(kind, corners(face, distance)) for kind in "XZ" for face in faces(kind, distance)]
    groups.append(("Z", list(range(distance))))
    texts = ("".join(kind if k in group else "I" for k in range(distance**2)) for kind, group in groups)
    return f"stab({', '.join(texts)}) on data"


def prepared(distance: int = DISTANCE) -> QuantumCircuit:
    """A check that is found to be -1 is flipped."""
    return _prepared("prepared", distance, missing=0)


def short_row(distance: int = DISTANCE) -> QuantumCircuit:
    """The bug: the longest row stops one qubit before the border."""
    return _prepared("short_row", distance, missing=1)


def _prepared(name: str, distance: int, missing: int) -> QuantumCircuit:
    data, probe = QuantumRegister(distance**2, "data"), QuantumRegister(1, "probe")
    checks = faces("X", distance)
    found = ClassicalRegister(len(checks), "found")
    qc = QuantumCircuit(data, probe, found, name=name)
    for face, bit in zip(checks, found, strict=True):
        qc.h(probe)
        qc.cx(probe[0], [data[k] for k in corners(face, distance)])
        qc.h(probe)
        qc.measure(probe[0], bit)
        qc.reset(probe)
    longest = max(checks, key=lambda face: face[1])
    for (row, column), bit in zip(checks, found, strict=True):
        start = min(row, distance - 1) * distance
        first = start + (missing if (row, column) == longest else 0)
        with qc.if_test((bit, 1)):
            qc.z(data[first : start + column])
    return qc


def run(distance: int = DISTANCE) -> dict[str, qismc.Result]:
    """Both programs with their verdicts."""
    props = {"zero_state": encoded_zero(distance)}
    return {
        circuit.__name__: qismc.check(circuit(distance), SPECS, props=props)
        for circuit in (prepared, short_row)
    }


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
