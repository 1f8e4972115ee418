"""Quantum codes as programs: a logical qubit that is entangled with `ref`, damaged and corrected."""

from __future__ import annotations

from qiskit import ClassicalRegister, QuantumRegister
from qiskit.circuit import Qubit

from qismc import QuantumCircuit

KEPT = {"kept": "AG (leaf -> sp(encoded))"}
FIVE = ("YZIZY", "IXZZX", "ZZXIX", "ZIZYY")
ROWS = ((0, 2, 4, 6), (1, 2, 5, 6), (3, 4, 5, 6))
"""The checks of Steane's code, of both types: qubit k has the number k + 1 in binary."""


def bit_flip(corrections: dict[int, int] | None = None) -> QuantumCircuit:
    """Three qubits that survive one X; `corrections` are syndrome -> qubit."""
    data, ref, probe = QuantumRegister(3, "data"), QuantumRegister(1, "ref"), QuantumRegister(1, "probe")
    syndrome = ClassicalRegister(2, "s")
    qc = QuantumCircuit(data, ref, probe, syndrome)
    qc.h(ref)
    qc.cx(ref[0], data)
    qc.mark("encoded")
    for k in range(2):
        qc.cx([data[k], data[k + 1]], probe[0])
        qc.measure(probe[0], syndrome[k])
        qc.reset(probe)
    for value, qubit in (corrections or {1: 0, 3: 1, 2: 2}).items():
        with qc.if_test((syndrome, value)):
            qc.x(data[qubit])
    return qc


def repetition(size: int) -> QuantumCircuit:
    """A repetition code whose flips are looked for and not corrected."""
    data, ref, probe = QuantumRegister(size, "data"), QuantumRegister(1, "ref"), QuantumRegister(1, "probe")
    syndrome = ClassicalRegister(size - 1, "s")
    qc = QuantumCircuit(data, ref, probe, syndrome)
    qc.h(ref)
    qc.cx(ref[0], data)
    qc.mark("encoded")
    for k in range(size - 1):
        qc.cx([data[k], data[k + 1]], probe[0])
        qc.measure(probe[0], syndrome[k])
        qc.reset(probe)
    return qc


def controlled(qc: QuantumCircuit, control: Qubit, pauli: str) -> None:
    gates = {"X": qc.cx, "Y": qc.cy, "Z": qc.cz}
    for k, letter in enumerate(pauli):
        if letter != "I":
            gates[letter](control, k)


def syndrome_of(error: str) -> int:
    clashes = [sum(a != b and "I" not in (a, b) for a, b in zip(error, c, strict=True)) for c in FIVE]
    return sum((count % 2) << k for k, count in enumerate(clashes))


def five_qubit(wrong: str | None = None) -> QuantumCircuit:
    """The [[5,1,3]] code; the entry of the error `wrong` undoes another one."""
    share, ref, probe = QuantumRegister(5, "share"), QuantumRegister(1, "ref"), QuantumRegister(1, "probe")
    syndrome = ClassicalRegister(4, "syndrome")
    qc = QuantumCircuit(share, ref, probe, syndrome)
    qc.h(ref)
    qc.cx(ref[0], share[4])
    for k, pauli in enumerate(FIVE):
        qc.h(k)
        if pauli[k] == "Y":
            qc.s(k)
        controlled(qc, qc.qubits[k], pauli[:k] + "I" + pauli[k + 1 :])
    qc.mark("encoded")
    for k, pauli in enumerate(FIVE):
        qc.h(probe)
        controlled(qc, probe[0], pauli)
        qc.h(probe)
        qc.measure(probe[0], syndrome[k])
        qc.reset(probe)
    for place in range(5):
        for letter in "XYZ":
            error = "I" * place + letter + "I" * (4 - place)
            with qc.if_test((syndrome, syndrome_of(error))):
                getattr(qc, ("z" if letter == "X" else "x") if error == wrong else letter.lower())(place)
    return qc


def steane(extraction: str = "none") -> QuantumCircuit:
    """Steane's code. After one noisy extraction ("bare" or "flag") everything is corrected without faults.

    The noisy part, between the marks `encoded` and `noisy_end`, measures XXXX on qubits 3 to 6.
    """
    data, ref = QuantumRegister(7, "data"), QuantumRegister(1, "ref")
    probe, flag = QuantumRegister(1, "probe"), QuantumRegister(1, "flag")
    z, x = ClassicalRegister(3, "z"), ClassicalRegister(3, "x")
    f, m = ClassicalRegister(1, "f"), ClassicalRegister(1, "m")
    qc = QuantumCircuit(data, ref, probe, flag, z, x, f, m)
    qc.h(ref)
    qc.cx(ref[0], data[2])
    qc.cx(data[2], [data[4], data[5]])
    for pivot, row in zip((0, 1, 3), ROWS, strict=True):
        qc.h(data[pivot])
        qc.cx(data[pivot], [data[k] for k in row if k != pivot])
    qc.mark("encoded")
    if extraction != "none":
        qc.h(probe)
        qc.cx(probe[0], data[3])
        if extraction == "flag":
            qc.cx(probe[0], flag[0])
        qc.cx(probe[0], data[4])
        qc.cx(probe[0], data[5])
        if extraction == "flag":
            qc.cx(probe[0], flag[0])
        qc.cx(probe[0], data[6])
        qc.h(probe)
        qc.measure(probe[0], m[0])
        qc.measure(flag[0], f[0])
    qc.mark("noisy_end")
    qc.reset([probe[0], flag[0]])
    for k, row in enumerate(ROWS):
        qc.cx([data[q] for q in row], probe[0])
        qc.measure(probe[0], z[k])
        qc.reset(probe)
        qc.h(probe)
        qc.cx(probe[0], [data[q] for q in row])
        qc.h(probe)
        qc.measure(probe[0], x[k])
        qc.reset(probe)
    for value in range(1, 8):
        with qc.if_test((z, value)):
            qc.x(data[value - 1])
        with qc.if_test((x, value)):
            qc.z(data[value - 1])
    if extraction == "flag":  # what a fault of the probe half-way does has the syndrome of qubit 0
        with qc.if_test((f, 1)), qc.if_test((z, 1)):
            qc.x([0, 5, 6])
    return qc
