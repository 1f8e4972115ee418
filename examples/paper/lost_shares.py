"""A secret qubit in five shares, any three of which give it back: the [[5,1,3]] code.

Shares 0 and 1 are lost and replaced by fresh qubits; the four checks of the code are measured and the
damage is undone. The bug: the recovery looks the syndrome up in the usual table of single errors at unknown
places. That brings every state back into the code, so all checks pass, and yet the secret may have become
another one. Only the formula `secret` notices.

The secret is one half of a Bell pair whose other half, `ref`, stays untouched: one check covers all
secrets.
"""

from __future__ import annotations

from itertools import product

from qiskit import ClassicalRegister, QuantumRegister
from qiskit.circuit import Qubit

import qismc
from qismc import QuantumCircuit

CHECKS = ("YZIZY", "IXZZX", "ZZXIX", "ZIZYY")
SPECS = {
    "encoded": "AG (shared -> code)",
    "in_code": "AG (leaf -> code)",
    "secret": "AG (leaf -> sp(shared))",
}
INIT = "|0000000> + |0000110>"
PROPS = {"code": f"stab({', '.join(CHECKS)}) on share"}
EXPECTED = {
    "known_places": {"encoded": "holds", "in_code": "holds", "secret": "holds"},
    "unknown_places": {"encoded": "holds", "in_code": "holds", "secret": "violated"},
}


def known_places() -> QuantumCircuit:
    """The damage is one of the 16 Pauli operators on shares 0 and 1."""
    return _sharing([first + second + "III" for first, second in product("IXYZ", repeat=2)])


def unknown_places() -> QuantumCircuit:
    """The bug: the damage is taken for a single error on any share."""
    return _sharing(["I" * k + error + "I" * (4 - k) for k in range(5) for error in "XYZ"])


def _sharing(corrections: list[str]) -> QuantumCircuit:
    share, ref, probe = QuantumRegister(5, "share"), QuantumRegister(1, "ref"), QuantumRegister(1, "probe")
    syndrome = ClassicalRegister(4, "syndrome")
    qc = QuantumCircuit(share, ref, probe, syndrome)
    _encode(qc)
    qc.mark("shared")
    qc.reset([share[0], share[1]])
    for k, pauli in enumerate(CHECKS):
        qc.h(probe)
        _controlled(qc, probe[0], pauli)
        qc.h(probe)
        qc.measure(probe[0], syndrome[k])
        qc.reset(probe)
    for pauli in corrections:
        with qc.if_test((syndrome, _syndrome(pauli))):
            _apply(qc, pauli)
    return qc


def _encode(qc: QuantumCircuit) -> None:
    """The secret is on share 4; share k < 4, in |0>, turns into the control of the rest of check k."""
    for k, pauli in enumerate(CHECKS):
        qc.h(k)
        if pauli[k] == "Y":
            qc.s(k)
        _controlled(qc, qc.qubits[k], pauli[:k] + "I" + pauli[k + 1 :])


def _controlled(qc: QuantumCircuit, control: Qubit, pauli: str) -> None:
    gates = {"X": qc.cx, "Y": qc.cy, "Z": qc.cz}
    for k, letter in enumerate(pauli):
        if letter != "I":
            gates[letter](control, k)


def _apply(qc: QuantumCircuit, pauli: str) -> None:
    gates = {"X": qc.x, "Y": qc.y, "Z": qc.z}
    for k, letter in enumerate(pauli):
        if letter != "I":
            gates[letter](k)


def _syndrome(error: str) -> int:
    """Bit k is set if the error anticommutes with check k."""
    clashes = [sum(a != b and "I" not in (a, b) for a, b in zip(error, c, strict=True)) for c in CHECKS]
    return sum((count % 2) << k for k, count in enumerate(clashes))


def run() -> dict[str, qismc.Result]:
    """Both programs with their verdicts."""
    return {
        circuit.__name__: qismc.check(circuit(), SPECS, init=INIT, props=PROPS)
        for circuit in (known_places, unknown_places)
    }


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
