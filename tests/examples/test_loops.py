"""Loops: expected turns, and their attempts as plain matrices."""

from __future__ import annotations

from math import isclose, pi, sqrt

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator

import qismc

from .loading import NAMES, example
from .running import executed

LOOPS = [name for name in NAMES if name.startswith("loops/")]


@pytest.mark.parametrize("name", LOOPS)
def test_expected_turns(name: str) -> None:
    script = example(name)
    for program, turns in script["TURNS"].items():
        found = [loop.turns for loop in qismc.Model(script[program]()).outcomes().loops]
        assert found == pytest.approx([float(number) for number in turns], abs=1e-9), program


def attempt(circuit: QuantumCircuit, ancillas: int) -> list[np.ndarray]:
    """What happens to the last qubit if the ancillas, the first qubits, are found in state 0, 1, 2, …"""
    matrix = Operator(circuit).data.reshape(2, 2**ancillas, 2, 2**ancillas)
    return [matrix[:, outcome, :, 0] for outcome in range(2**ancillas)]


def test_v3() -> None:
    circuit = QuantumCircuit(3)
    circuit.h([0, 1])
    circuit.ccx(0, 1, 2)
    circuit.s(2)
    circuit.ccx(0, 1, 2)
    circuit.h([0, 1])
    z = np.diag([1, -1])
    done, *failed = attempt(circuit, 2)
    assert Operator(z @ done * sqrt(8 / 5)).equiv(Operator(np.diag([1 + 2j, 1 - 2j]) / sqrt(5)))
    for operator in failed:
        assert Operator(operator * sqrt(8)).equiv(Operator(z))


@pytest.mark.parametrize(("tangent", "chance"), [(sqrt(2) - 1, 3 / 4), (3 - 2 * sqrt(2), 17 / 18)])
def test_rotations_shrink(tangent: float, chance: float) -> None:
    """Inner and outer attempt: tan b = tan^2 a, or a quarter turn backwards."""
    angle = np.arctan(tangent)
    circuit = QuantumCircuit(2)
    circuit.rx(2 * angle, 0)
    circuit.sdg(0)
    circuit.cx(0, 1)
    circuit.rx(-2 * angle, 0)
    done, failed = attempt(circuit, 1)
    assert isclose(np.linalg.norm(done[:, 0]) ** 2, chance)
    assert np.isclose(done[1, 0] / done[0, 0], -1j * tangent**2)
    assert np.isclose(failed[1, 0] / failed[0, 0], 1j * np.tan(pi / 4))


@pytest.mark.parametrize(("name", "uniform"), [("symmetric", True), ("caught", False)])
def test_the_walk_by_powers_of_a_matrix(name: str, uniform: bool) -> None:
    script = example("loops/quantum_walk")
    coin = np.full((4, 4), 0.5) - np.eye(4)
    state = np.zeros((8, 4))
    state[0] = 0.5 if uniform else [1, 0, 0, 0]
    arrived = turns = 0.0
    for turn in range(1, 400):
        tossed = state @ coin
        state = np.stack([tossed[:, 0], *(tossed[np.arange(8) ^ 1 << k, k + 1] for k in range(3))], axis=1)
        now = float(np.sum(state[7] ** 2))
        arrived, turns = arrived + now, turns + turn * now
        state[7] = 0
    assert isclose(arrived, script["ANSWERS"][name]["chance"], abs_tol=1e-9)
    assert not uniform or isclose(turns, script["TURNS"][name][0], abs_tol=1e-6)


@pytest.mark.parametrize(("name", "right", "wrong", "state", "qubits"), [
    ("rus_v3", "v3", "forgetful", [1 + 2j, 0, 0, 1 - 2j], (2, 3)),
    ("rus_nested", "nested", "forgetful", [1, -1j * (17 - 12 * sqrt(2))], (2,)),
    ("state_injection", "doubling", "same_angle", [1, 0, 0, np.exp(1j * pi / 8)], (0, 1)),
    ("never_ends", "made_again", None, [1, *[0] * 6, 1], (0, 1, 2)),
])  # fmt: skip
def test_executions(
    name: str, right: str, wrong: str | None, state: list[complex], qubits: tuple[int, ...]
) -> None:
    script = example(f"loops/{name}")
    assert all(executed(script[right](), seed).has(state, *qubits) for seed in range(12))
    assert wrong is None or not all(executed(script[wrong](), seed).has(state, *qubits) for seed in range(12))
