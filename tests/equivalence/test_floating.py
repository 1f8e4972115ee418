"""Comparisons in floating point: small differences, their error bounds, and what is said about them."""

from __future__ import annotations

import numpy as np
import pytest
import qiskit
from qiskit import transpile
from qiskit.circuit.random import random_circuit
from qiskit.quantum_info import Operator
from qiskit.transpiler import CouplingMap

import qismc
from qismc import Verdict
from qismc.equivalence.floating import joined, on_one_basis, unlike_text
from tests.equivalence.test_sides import BASES, rotated
from tests.equivalence.transpiled import distance


def tossed(angle: float) -> qiskit.QuantumCircuit:
    """An outcome 0 with the probability sin^2(angle / 2)."""
    circuit = qiskit.QuantumCircuit(1, 1)
    circuit.x(0)
    circuit.ry(angle, 0)
    circuit.measure(0, 0)
    return circuit


@pytest.mark.parametrize(
    ("angle", "verdict"),
    [(1e-3, Verdict.VIOLATED), (1e-4, Verdict.VIOLATED), (1e-5, Verdict.UNKNOWN), (1e-10, Verdict.HOLDS)],
)
def test_small_differences_of_probabilities(angle: float, verdict: Verdict) -> None:
    """sin^2(angle / 2) is a difference from 2.5e-9 on, rounding below 1e-11, and open between the two."""
    result = qismc.equivalent(tossed(angle), tossed(0.0), numbers="float")
    assert result.verdict is verdict
    if verdict is Verdict.VIOLATED:
        assert f"c = 0 is {np.sin(angle / 2) ** 2:.6g}, in the reference 0" in result.notes[0]


def test_rounded_angles_are_named() -> None:
    """pi/2 with seven digits is probably meant to be pi/2: that is no difference to be sure of."""
    rounded, fair = qiskit.QuantumCircuit(1, 1), qiskit.QuantumCircuit(1, 1)
    rounded.ry(1.5707963, 0)
    fair.h(0)
    for circuit in (rounded, fair):
        circuit.measure(0, 0)
    for engine in ("auto", "float"):
        result = qismc.equivalent(rounded, fair, numbers=engine)
        assert result.verdict is Verdict.UNKNOWN and "near 1/2 pi" in str(result.reason)


def test_told_apart() -> None:
    text = "the probability of c = 1 is {}, in the reference {}"
    assert unlike_text("c = 1", 0.25, 0.25000004) == text.format("0.25", "0.25000004")
    assert unlike_text("c = 1", 1 / 3, 0.5) == text.format("0.333333", "0.5")


@pytest.mark.parametrize("seed", range(3))
def test_operators_on_one_basis(seed: int) -> None:
    """Norms, traces and products are those of the matrices written out."""
    draw = np.random.default_rng(seed)

    def columns(count: int) -> np.ndarray:
        return draw.normal(size=(8, count)) + 1j * draw.normal(size=(8, count))

    def written(root: np.ndarray) -> np.ndarray:
        return root @ root.conj().T

    left, right = joined([columns(2), columns(1)]), columns(1 + seed)
    small = on_one_basis(left, right)
    for one, other in zip(small, (left, right), strict=True):
        assert np.isclose(np.trace(one), np.trace(written(other)))
    difference = written(left) - written(right)
    assert np.isclose(np.linalg.norm(small[0] - small[1], 2), np.linalg.norm(difference, 2))
    assert np.isclose(np.trace(small[0] @ small[1]), np.trace(written(left) @ written(right)))
    parts = [columns(3) for _ in range(4)]
    many = joined(parts)
    assert many.shape == (8, 8)
    assert np.allclose(written(many), sum(map(written, parts)))


# --- everyday circuits, transpiled --------------------------------------------------------------------------


def everyday(kind: str, count: int, seed: int) -> qiskit.QuantumCircuit:
    if kind == "rotations":
        return rotated(count, seed)
    if kind == "random":
        return random_circuit(count, 3, max_operands=3, seed=seed)
    circuit = qiskit.QuantumCircuit(count)
    if kind == "search":
        circuit.h(range(count))
        for turn in (False, True):
            if turn:
                circuit.x(range(count))
            circuit.h(count - 1)
            circuit.mcx(list(range(count - 1)), count - 1)
            circuit.h(count - 1)
            if turn:
                circuit.x(range(count))
            circuit.h(range(count))
        return circuit
    circuit.x(0)  # a W state
    for k in range(count - 1):
        circuit.cry(2 * np.arccos(np.sqrt(1 / (count - k))), k, k + 1)
        circuit.cx(k + 1, k)
    return circuit


@pytest.mark.parametrize("kind", ["rotations", "random", "search", "w"])
@pytest.mark.parametrize(("count", "extra"), [(2, 0), (3, 1), (6, 1)])
def test_transpiled_circuits_are_decided(kind: str, count: int, extra: int) -> None:
    """Angles that a transpiler merges and rounds: HOLDS in both orders, and VIOLATED with one gate more."""
    original = everyday(kind, count, seed=count)
    for level, basis in enumerate(BASES):
        made = transpile(
            original,
            basis_gates=basis,
            coupling_map=CouplingMap.from_line(count + extra),
            optimization_level=level,
            seed_transpiler=level,
        )
        assert distance(made, original) < 1e-12
        assert qismc.equivalent(made, original).verdict is Verdict.HOLDS
        assert qismc.equivalent(original, made).verdict is Verdict.HOLDS
        made.rz(1e-3, made.layout.final_index_layout()[0])
        assert qismc.equivalent(made, original).verdict is Verdict.VIOLATED
        assert qismc.equivalent(original, made).verdict is Verdict.VIOLATED


def test_dynamic_circuits_of_six_qubits() -> None:
    """A measurement amid rotations, transpiled; then a condition is changed."""

    def circuit(value: int) -> qiskit.QuantumCircuit:
        made = qiskit.QuantumCircuit(6, 2)
        made.compose(rotated(6, 1), inplace=True)
        made.measure(0, 0)
        with made.if_test((0, value)):
            made.rx(0.3, 1)
        made.compose(rotated(6, 2), inplace=True)
        made.measure(1, 1)
        return made

    line = CouplingMap.from_line(7)
    made = transpile(circuit(1), basis_gates=["u", "cz"], coupling_map=line, seed_transpiler=1)
    for left, right in ((made, circuit(1)), (circuit(1), made)):
        assert qismc.equivalent(left, right).verdict is Verdict.HOLDS
    assert qismc.equivalent(made, circuit(0)).verdict is Verdict.VIOLATED


def test_a_rotation_that_only_exact_numbers_see() -> None:
    """A turn by pi / 2^35 is missing beside angles without a form: floating point cannot be sure."""

    def circuit(turn: float) -> qiskit.QuantumCircuit:
        made = qiskit.QuantumCircuit(1)
        made.rx(0.123456789123, 0)
        made.rz(turn, 0)
        made.ry(1.987654321987, 0)
        return made

    small = circuit(np.pi / 2**35)
    assert not np.allclose(Operator(small).data, Operator(circuit(0)).data, rtol=0, atol=1e-12)
    assert qismc.equivalent(small, circuit(0)).verdict is not Verdict.HOLDS
