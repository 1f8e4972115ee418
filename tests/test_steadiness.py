"""After improbable outcomes rounding must not pass for states that arrive, nor hide those that do."""

from __future__ import annotations

import math
import random

import pytest
from qiskit import ClassicalRegister, QuantumRegister, transpile
from qiskit.circuit.library import RYGate

import qismc
from qismc import QuantumCircuit, Verdict


def undone(amplitudes: list[float], layers: int, *, merged: bool) -> QuantumCircuit:
    """Slightly turned qubits, a circuit and its inverse; if all outcomes are 1, another qubit, which is 0."""
    count = len(amplitudes) + 1
    draw, body = random.Random(1), QuantumCircuit(count)
    for _ in range(layers):
        for j in range(count):
            body.ry(draw.uniform(0, 6), j)
            body.rx(draw.uniform(0, 6), j)
            body.rz(draw.uniform(0, 6), j)
        for j in range(count):
            body.cx(j, (j + 1) % count)
    back = body.inverse()
    if merged:  # angles depend on each other, and nobody knows how
        back = transpile(body, basis_gates=["u", "cx"], optimization_level=1).inverse()
    c, d = ClassicalRegister(count - 1, "c"), ClassicalRegister(1, "d")
    circuit = QuantumCircuit(QuantumRegister(count, "q"), c, d)
    for j, amplitude in enumerate(amplitudes):
        circuit.ry(2 * math.asin(amplitude), j)
    circuit.compose(body, inplace=True)
    circuit.compose(back, inplace=True)
    circuit.measure(range(count - 1), c)
    with circuit.if_test((c, 2 ** (count - 1) - 1)):
        circuit.measure(count - 1, d[0])
    return circuit


@pytest.mark.parametrize(
    ("amplitudes", "layers"),
    [([2e-5] * 2, 1), ([1e-4] * 3, 3), ([1e-3] * 4, 3), ([1e-2] * 6, 3), ([1e-6] * 2, 3), ([1e-2] * 2, 3)],
)
def test_what_rounding_leaves_is_no_state(amplitudes: list[float], layers: int) -> None:
    """q[2] is 0: the formulas are right and wrong."""
    circuit = undone(amplitudes, layers, merged=True)
    assert qismc.check(circuit, "AG !(leaf & d == 1)").verdict is not Verdict.VIOLATED
    assert qismc.check(circuit, "EF (leaf & d == 1)").verdict is not Verdict.HOLDS
    assert qismc.check(undone(amplitudes, layers, merged=False), "AG !(leaf & d == 1)")


def test_outcomes_that_are_not_that_improbable_are_decided() -> None:
    assert qismc.check(undone([1e-2] * 2, 3, merged=True), "AG !(leaf & d == 1)")


@pytest.mark.parametrize("qubits", [12, 13, 20])
@pytest.mark.parametrize(("amplitude", "apart"), [(2e-5, 3e-3), (1e-4, 1e-4)])
def test_what_is_small_beside_all_of_a_state_is_there(qubits: int, amplitude: float, apart: float) -> None:
    """Given two improbable outcomes, the third is not certain at all."""
    angle = 1.2345678912345678
    circuit = QuantumCircuit(qubits, 3)
    circuit.ry(2 * math.asin(amplitude), 0)
    circuit.ry(2 * math.asin(1.1 * amplitude), 1)
    circuit.h(3)
    circuit.append(RYGate(angle).control(2, annotated=False), [0, 1, 2])
    circuit.cx(0, 3)
    circuit.append(RYGate(-(angle + apart)).control(2, annotated=False), [0, 1, 2])
    circuit.cx(0, 3)
    circuit.measure([0, 1, 2], [0, 1, 2])
    assert qismc.check(circuit, "AG !(leaf & c == 7)").verdict is not Verdict.HOLDS


@pytest.mark.parametrize("qubits", [12, 13, 19])
def test_small_parts_that_add_up_are_not_cut_off(qubits: int) -> None:
    """Each pair of turns leaves 1e-12: together more than rounding."""
    angle, circuit = 1.2345678912345678, QuantumCircuit(qubits)
    circuit.ry(0.8, 0)
    circuit.h(2)
    circuit.cz(2, 3)
    for _ in range(300):
        circuit.cry(angle, 0, 1)
        circuit.cx(0, 2)
        circuit.h(3)
        circuit.cz(2, 3)
        circuit.cry(-(angle + 1.9e-12), 0, 1)
        circuit.cz(2, 3)
        circuit.h(3)
        circuit.cx(0, 2)
    assert qismc.check(circuit, "AG (leaf -> |0> on q[1])").verdict is not Verdict.HOLDS


def test_many_outcomes_are_improbable_and_there() -> None:
    """A hundred coins beside an angle without a form: fair outcomes do not magnify rounding."""
    circuit = QuantumCircuit(2, 1)
    circuit.ry(1.2345678912345678, 1)
    for _ in range(100):
        circuit.h(0)
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], 1)):
            circuit.x(0)
    found = qismc.check(circuit, "AG (leaf -> |0> on q[1])")
    assert found.verdict is Verdict.VIOLATED
