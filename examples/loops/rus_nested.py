"""Repeat until success inside of repeat until success: rotations that shrink, turn by turn.

An attempt rotates an ancilla by exp(-iaX), applies a controlled -iX to the target and rotates back.
Measured as 0, the target is rotated by exp(-ibX) with tan b = tan^2 a; else by exp(i pi/4 X), which is
undone. Here the ancilla's own rotation is made in this way, from a = pi/8, by an inner loop: tan^2(pi/8) =
3 - 2 sqrt(2) inside, and its square, 17 - 12 sqrt(2), outside. An inner attempt succeeds 3 times of 4, an
outer one 17 times of 18.

The bug: the inner loop does not undo its failures.
"""

from __future__ import annotations

from fractions import Fraction
from math import pi

from qiskit import ClassicalRegister, QuantumRegister
from qiskit.circuit import Clbit, Qubit

import qismc
from qismc import QuantumCircuit

SPECS = {"turned": "AG (leaf -> small)", "inner": "AG (tilted -> tilt)", "stops": "P=1 [F leaf]"}
PROPS = {
    "small": "(|0> - i (17 - 12 sqrt(2)) |1>) on target",
    "tilt": "(|0> - i (3 - 2 sqrt(2)) |1>) on middle",
}
EXPECTED = {
    "nested": {"turned": "holds", "inner": "holds", "stops": "holds"},
    "forgetful": {"turned": "violated", "inner": "violated", "stops": "holds"},
}
TURNS = {"nested": [Fraction(18, 17), 2 * Fraction(18, 17) * Fraction(4, 3)]}  # both inner loops together


def nested() -> QuantumCircuit:
    """Failures are undone, inside and outside."""
    return _nested("nested", undo=True)


def forgetful() -> QuantumCircuit:
    """The bug: failures of the inner loop stay."""
    return _nested("forgetful", undo=False)


def _nested(name: str, *, undo: bool) -> QuantumCircuit:
    inner, middle, target = (QuantumRegister(1, text) for text in ("inner", "middle", "target"))
    outer_failed, inner_failed = ClassicalRegister(1, "outer_failed"), ClassicalRegister(1, "inner_failed")
    qc = QuantumCircuit(inner, middle, target, outer_failed, inner_failed, name=name)
    qc.store(outer_failed, 1)
    with qc.while_loop((outer_failed, 1)):
        qc.reset(middle)
        _tilt(qc, inner[0], middle[0], inner_failed[0], undo=undo)
        qc.mark("tilted")
        _controlled_minus_i_x(qc, middle[0], target[0])
        qc.z(middle)
        _tilt(qc, inner[0], middle[0], inner_failed[0], undo=undo)
        qc.z(middle)
        qc.measure(middle, outer_failed)
        with qc.if_test((outer_failed, 1)):
            qc.rx(pi / 2, target)
    return qc


def _tilt(qc: QuantumCircuit, ancilla: Qubit, target: Qubit, failed: Clbit, *, undo: bool) -> None:
    """exp(-ibX) with tan b = tan^2(pi/8) on the target, by an inner loop."""
    qc.store(failed, True)
    with qc.while_loop((failed, 1)):
        qc.reset(ancilla)
        qc.rx(pi / 4, ancilla)
        _controlled_minus_i_x(qc, ancilla, target)
        qc.rx(-pi / 4, ancilla)
        qc.measure(ancilla, failed)
        if undo:
            with qc.if_test((failed, 1)):
                qc.rx(pi / 2, target)


def _controlled_minus_i_x(qc: QuantumCircuit, control: Qubit, target: Qubit) -> None:
    qc.sdg(control)
    qc.cx(control, target)


def run() -> dict[str, qismc.Result]:
    """Both programs with their verdicts."""
    return {circuit.__name__: qismc.check(circuit(), SPECS, props=PROPS) for circuit in (nested, forgetful)}


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
