"""A W state of three qubits by fusion: two pairs |01> + |10> give one qubit each, and it works 3 times of
4.

A probe asks whether both given qubits are |00>; then the attempt has failed and everything starts again.
Else a CNOT and a measurement of one of the two in the X basis erase which pair the excitation came from.
Its outcome is a sign, and Z undoes it. The bug: nobody looks at the sign.
"""

from __future__ import annotations

from fractions import Fraction

from qiskit import ClassicalRegister, QuantumRegister

import qismc
from qismc import QuantumCircuit

SPECS = {"w": "AG (leaf -> w)", "stops": "P=1 [F leaf]", "once": "P=? [!again U leaf]"}
PROPS = {"w": "(|001> + |010> + |100>) on left[0], right[0], right[1]"}
EXPECTED = {
    "fused": {"w": "holds", "stops": "holds", "once": "holds"},
    "no_sign": {"w": "violated", "stops": "holds", "once": "holds"},
}
ANSWERS = {"fused": {"once": Fraction(3, 4)}}


def fused() -> QuantumCircuit:
    """The sign is undone."""
    return _fusion("fused", undo=True)


def no_sign() -> QuantumCircuit:
    """The bug: the sign stays."""
    return _fusion("no_sign", undo=False)


def _fusion(name: str, *, undo: bool) -> QuantumCircuit:
    left, right, probe = QuantumRegister(2, "left"), QuantumRegister(2, "right"), QuantumRegister(1, "probe")
    failed, sign = ClassicalRegister(1, "failed"), ClassicalRegister(1, "sign")
    qc = QuantumCircuit(left, right, probe, failed, sign, name=name)
    _attempt(qc)
    with qc.while_loop((failed, 1)):
        qc.mark("again")
        qc.reset([*left, *right, *probe])
        _attempt(qc)
    qc.cx(left[1], right[0])
    qc.h(left[1])
    qc.measure(left[1], sign)
    qc.x(right[0])
    if undo:
        with qc.if_test((sign, 1)):
            qc.z(left[0])
    return qc


def _attempt(qc: QuantumCircuit) -> None:
    """Two pairs; the probe says whether left[1] and right[0] are both 0."""
    left, right, probe = qc.qregs
    for pair in (left, right):
        qc.h(pair[0])
        qc.cx(pair[0], pair[1])
        qc.x(pair[1])
    qc.mcx([left[1], right[0]], probe[0], ctrl_state=0)
    qc.measure(probe, 0)


def run() -> dict[str, qismc.Result]:
    """Both programs with their verdicts."""
    return {circuit.__name__: qismc.check(circuit(), SPECS, props=PROPS) for circuit in (fused, no_sign)}


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
