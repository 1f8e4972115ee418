"""Repeat until success: V3 = (I + 2iZ)/sqrt(5), a gate that Clifford gates and T cannot make exactly.

Two ancillas in |+> control an S between two Toffoli gates. If both are measured as 0, which happens 5 times
of 8, the target has undergone Z V3; else Z, and one more Z undoes it before the next attempt. The bug:
nobody undoes it.

The target is one half of a Bell pair with `ref`, so that one check speaks of all states that it may have.
"""

from __future__ import annotations

from fractions import Fraction

from qiskit import ClassicalRegister, QuantumRegister
from qiskit.circuit.classical import expr

import qismc
from qismc import QuantumCircuit

SPECS = {
    "applied": "AG (leaf -> turned)",
    "stops": "P=1 [F leaf]",
    "once": "P=? [!again U leaf]",
}
PROPS = {"turned": "((1 + 2 i) |00> + (1 - 2 i) |11>) on target, ref"}
EXPECTED = {
    "v3": {"applied": "holds", "stops": "holds", "once": "holds"},
    "forgetful": {"applied": "violated", "stops": "holds", "once": "holds"},
}
ANSWERS = {"v3": {"once": Fraction(5, 8)}, "forgetful": {"once": Fraction(5, 8)}}
TURNS = {"v3": [Fraction(3, 5)], "forgetful": [Fraction(3, 5)]}


def v3() -> QuantumCircuit:
    """A failed attempt is undone."""
    return _v3("v3", undo=True)


def forgetful() -> QuantumCircuit:
    """The bug: the next attempt starts with whatever the failed one left."""
    return _v3("forgetful", undo=False)


def _v3(name: str, *, undo: bool) -> QuantumCircuit:
    helper, target, ref = (
        QuantumRegister(2, "helper"),
        QuantumRegister(1, "target"),
        QuantumRegister(1, "ref"),
    )
    failed = ClassicalRegister(2, "failed")
    qc = QuantumCircuit(helper, target, ref, failed, name=name)
    qc.h(target)
    qc.cx(target, ref)
    _attempt(qc)
    with qc.while_loop(expr.not_equal(failed, 0)):
        qc.mark("again")
        if undo:
            qc.z(target)
        qc.reset(helper)
        _attempt(qc)
    qc.z(target)
    return qc


def _attempt(qc: QuantumCircuit) -> None:
    helper, target, _ = qc.qregs
    qc.h(helper)
    qc.ccx(helper[0], helper[1], target[0])
    qc.s(target)
    qc.ccx(helper[0], helper[1], target[0])
    qc.h(helper)
    qc.measure(helper, qc.cregs[0])


def run() -> dict[str, qismc.Result]:
    """Both programs with their verdicts."""
    return {circuit.__name__: qismc.check(circuit(), SPECS, props=PROPS) for circuit in (v3, forgetful)}


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
