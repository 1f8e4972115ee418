"""A loop that injects states: exp(-i pi/16 Z), up to phase, from ancillas p(a)|+> and CNOTs.

An ancilla (|0> + e^{ia}|1>)/sqrt(2) is measured after a CNOT from the data qubit. Outcome 0 turns the data
by a, outcome 1 by -a, as likely as not. Then 2a are missing: the next turn injects a state of twice the
angle. The third failure misses pi, a plain Z, so that three turns are always enough. The bug: the angle is
not doubled, the loop walks at random from angle to angle and stops at a wrong one.

The data qubit is one half of a Bell pair with `ref`: one check speaks of all states.
"""

from __future__ import annotations

from fractions import Fraction
from math import pi

from qiskit import ClassicalRegister, QuantumRegister

import qismc
from qismc import QuantumCircuit

ANGLE = pi / 8
LAST = 3
SPECS = {"turned": "AG (leaf -> turned)", "every_path_ends": "AF leaf", "stops": "P=1 [F leaf]"}
PROPS = {"turned": "(|00> + exp(i pi/8) |11>) on data, ref"}
EXPECTED = {
    "doubling": {"turned": "holds", "every_path_ends": "holds", "stops": "holds"},
    "same_angle": {"turned": "violated", "every_path_ends": "violated", "stops": "holds"},
}
TURNS = {"doubling": [Fraction(7, 4)], "same_angle": [Fraction(2)]}


def doubling() -> QuantumCircuit:
    """Every failure doubles the angle."""
    return _injection("doubling", doubled=True)


def same_angle() -> QuantumCircuit:
    """The bug: the same state is injected again."""
    return _injection("same_angle", doubled=False)


def _injection(name: str, *, doubled: bool) -> QuantumCircuit:
    data, ref, magic = QuantumRegister(1, "data"), QuantumRegister(1, "ref"), QuantumRegister(1, "magic")
    failed, level = ClassicalRegister(1, "failed"), ClassicalRegister(2, "level")
    qc = QuantumCircuit(data, ref, magic, failed, level, name=name)
    qc.h(data)
    qc.cx(data, ref)
    qc.store(failed, 1)
    with qc.while_loop((failed, 1)):
        qc.reset(magic)
        qc.h(magic)
        for k in range(LAST):
            with qc.if_test((level, k)):
                qc.p(2**k * ANGLE, magic)
        qc.cx(data, magic)
        qc.measure(magic, failed)
        if doubled:
            with qc.if_test((failed, 1)):
                _next_level(qc, level, failed)
    return qc


def _next_level(qc: QuantumCircuit, level: ClassicalRegister, failed: ClassicalRegister) -> None:
    """After the last failure a Z is missing."""
    for k in reversed(range(LAST)):
        with qc.if_test((level, k)):
            if k + 1 == LAST:
                qc.z(0)
                qc.store(failed, 0)
            else:
                qc.store(level, k + 1)


def run() -> dict[str, qismc.Result]:
    """Both loops with their verdicts."""
    return {
        circuit.__name__: qismc.check(circuit(), SPECS, props=PROPS) for circuit in (doubling, same_angle)
    }


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
