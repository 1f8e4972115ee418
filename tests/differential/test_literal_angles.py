"""Programs with literal angles that depend on each other, against density matrices and state vectors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit import QuantumCircuit, transpile
from qiskit.quantum_info import Operator, Statevector

import qismc
from qismc import Verdict


def verdicts(circuit: QuantumCircuit, *formulas: str) -> list[Verdict]:
    return [r.verdict for r in qismc.check(circuit, {f: f for f in formulas}).results]


H, V = Verdict.HOLDS, Verdict.VIOLATED


def test_angles_that_add_up_to_pi() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.ry(0.3, 0)
    circuit.ry(math.pi - 0.3, 0)
    circuit.measure(0, 0)
    formulas = ("EF (leaf & c == 0)", "P>0 [F (leaf & c == 0)]", "AF c == 1", "P=1 [F c == 1]")
    assert verdicts(circuit, *formulas) == [V, V, H, H]


def test_angles_that_cancel_in_a_loop() -> None:
    circuit = QuantumCircuit(1, 1)
    with circuit.while_loop((circuit.clbits[0], 0)):
        for angle in (17, -16, -1):
            circuit.rx(angle, 0)
        circuit.measure(0, 0)
    assert verdicts(circuit, "P=1 [F leaf]", "EF leaf") == [V, V]


@pytest.mark.parametrize("level", range(4))
def test_transpiled_teleportation_cannot_fail(level: int) -> None:
    """The receiver undoes ry(0.7) and must find |0>."""
    circuit = QuantumCircuit(3, 3)
    circuit.ry(0.7, 0)
    circuit.h(1)
    circuit.cx(1, 2)
    circuit.cx(0, 1)
    circuit.h(0)
    circuit.measure([0, 1], [0, 1])
    with circuit.if_test((circuit.clbits[1], 1)):
        circuit.x(2)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.z(2)
    circuit.ry(-0.7, 2)
    circuit.measure(2, 2)
    basis = ["rz", "sx", "x", "cx"]
    other = transpile(circuit, basis_gates=basis, optimization_level=level, seed_transpiler=1)
    assert verdicts(other, "AG (leaf -> !c[2])", "EF c[2]", "P>0 [F c[2]]") == [H, V, V]


def test_sp_of_one_program_does_not_accept_another() -> None:
    def program(last: float) -> QuantumCircuit:
        circuit = QuantumCircuit(1, 1)
        circuit.ry(0.3, 0)
        circuit.ry(last, 0)
        circuit.measure(0, 0)
        return circuit

    space = qismc.Model(program(math.pi - 0.3)).sp("leaf")
    assert space.dimension == 1
    assert verdicts_with(program(0.4), space) is V
    assert verdicts_with(program(math.pi - 0.3), space) is H


def verdicts_with(circuit: QuantumCircuit, space: qismc.Subspace) -> Verdict:
    return qismc.check(circuit, "AG (leaf -> P)", props={"P": space}).verdict


ANGLES = st.sampled_from([0.3, 0.7, 1.0, -0.3, 0.4, 2.5, 0.1 + 0.2, 1.234567890123456])
OFFSETS = st.sampled_from([0, 0, math.pi, -math.pi, math.pi / 2, -math.pi / 4])
SIGNS = st.sampled_from([1, -1])


@st.composite
def rotations(draw: st.DrawFn) -> list[tuple[str, float]]:
    """Rotations about one axis or two whose angles often cancel, with multiples of pi between them."""
    axes = draw(st.sampled_from([("rx",), ("ry",), ("rx", "rz"), ("ry", "rz")]))
    count = draw(st.integers(min_value=1, max_value=6))
    chosen = [(draw(st.sampled_from(axes)), draw(SIGNS) * draw(ANGLES) + draw(OFFSETS)) for _ in range(count)]
    if draw(st.booleans()):
        chosen += [(name, draw(OFFSETS) - angle) for name, angle in reversed(chosen)]
    return chosen


@settings(max_examples=40, deadline=None)
@given(rotations(), rotations())
def test_outcomes_are_possible_iff_their_probability_is_not_zero(
    first: list[tuple[str, float]], second: list[tuple[str, float]]
) -> None:
    """Two measurements with rotations before each: every pair of outcomes, by state vectors."""
    circuit = QuantumCircuit(1, 2)
    for k, part in enumerate((first, second)):
        for name, angle in part:
            getattr(circuit, name)(angle, 0)
        circuit.measure(0, k)
    weights = _outcome_weights(first, second)
    if any(1e-20 < weight < 1e-10 for weight in weights.values()):
        return  # rounding would decide
    formulas = [f"EF (leaf & c == {value})" for value in range(4)]
    formulas += [f"P>0 [F (leaf & c == {value})]" for value in range(4)]
    formulas += [f"AF c == {value}" for value in (2, 3)]
    result = qismc.check(circuit, {f: f for f in formulas})
    for value in range(4):
        possible = weights[value] > 1e-10
        for formula in (formulas[value], formulas[4 + value]):
            assert result[formula].verdict is (H if possible else V), (formula, result)
    for value in (2, 3):
        certain = abs(weights[value] - 1) < 1e-10
        assert result[f"AF c == {value}"].verdict is (H if certain else V)


def _outcome_weights(first: list[tuple[str, float]], second: list[tuple[str, float]]) -> dict[int, float]:
    one, two = _matrix(first), _matrix(second)
    found = {}
    for value in range(4):
        a, b = value & 1, value >> 1
        found[value] = float(abs(one[a, 0] * two[b, a]) ** 2)
    return found


def _matrix(part: list[tuple[str, float]]) -> np.ndarray:
    circuit = QuantumCircuit(1)
    for name, angle in part:
        getattr(circuit, name)(angle, 0)
    return np.asarray(Operator(circuit).data)


@st.composite
def states(draw: st.DrawFn) -> QuantumCircuit:
    circuit = QuantumCircuit(3)
    for _ in range(draw(st.integers(min_value=2, max_value=10))):
        name = draw(st.sampled_from(["rx", "ry", "rz", "p", "h", "cx", "crx", "cp", "t", "sx"]))
        a, b = draw(st.permutations(range(3)))[:2]
        angle = draw(SIGNS) * draw(ANGLES) + draw(OFFSETS)
        match name:
            case "h" | "t" | "sx":
                getattr(circuit, name)(a)
            case "cx":
                circuit.cx(a, b)
            case "crx" | "cp":
                getattr(circuit, name)(angle, a, b)
            case _:
                getattr(circuit, name)(angle, a)
    return circuit


BASES = [["u", "cx"], ["rz", "sx", "x", "cx"], ["rx", "rz", "cz"]]


@settings(max_examples=50, deadline=None)
@given(states(), st.integers(0, 3), st.sampled_from(BASES))
def test_transpiled_circuits_against_their_originals(
    circuit: QuantumCircuit, level: int, basis: list[str]
) -> None:
    other = transpile(circuit, basis_gates=basis, optimization_level=level, seed_transpiler=3)
    assert qismc.check(other, "AG (leaf -> same)", props={"same": circuit})
    other.rx(0.01, 0)
    overlap = abs(np.vdot(Statevector(other).data, Statevector(circuit).data))
    if overlap < 1 - 1e-9:
        assert qismc.check(other, "AG (leaf -> same)", props={"same": circuit}).verdict is V
