"""Blocks on arrays against the definition of a factor, amplitude by amplitude."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit.quantum_info import random_unitary

from qismc.common.scalars import COMPLEX
from qismc.engines.dense_blocks import DenseBlocks
from qismc.errors import LimitReached
from qismc.limits import Budget, Limits
from qismc.program.gates import base_matrix
from qismc.program.operators import Base, Factor, Operator
from qismc.system.edges import Application

QUBITS = 4


def literal(width: int, seed: int) -> Base:
    entries = random_unitary(2**width, seed=seed).data.tolist()
    return Base("unitary", entries=tuple(tuple(row) for row in entries))


BASES = [
    (Base("x"), 1),
    (Base("z"), 1),
    (Base("h"), 1),
    (Base("ry", (0.3,)), 1),
    (Base("project0"), 1),
    (Base("lower"), 1),
    (Base("swap"), 2),
    (literal(2, 1), 2),
    (literal(3, 2), 3),
]


def by_definition(factor: Factor, state: np.ndarray) -> np.ndarray:
    """Amplitude by amplitude; axis q of the tensor is qubit q."""
    matrix = np.array(base_matrix(factor.base, COMPLEX))
    found = np.zeros_like(state)
    for index in np.ndindex(*state.shape):
        if any(index[control] != value for control, value in factor.controls):
            found[index] += state[index]
            continue
        column = sum(index[target] << k for k, target in enumerate(factor.targets))
        for row in range(len(matrix)):
            image = list(index)
            for k, target in enumerate(factor.targets):
                image[target] = row >> k & 1
            found[tuple(image)] += matrix[row, column] * state[index]
    return found


@given(st.data())
def test_images_are_those_of_the_definition(data: st.DataObject) -> None:
    """Of several factors in a row, which may be fused."""
    blocks, factors = DenseBlocks(QUBITS, Budget(Limits())), []
    for _ in range(data.draw(st.integers(1, 4))):
        base, width = data.draw(st.sampled_from(BASES))
        qubits = data.draw(st.permutations(range(QUBITS)))
        controls = data.draw(st.lists(st.integers(0, 1), max_size=QUBITS - width))
        factors.append(
            Factor(base, tuple(qubits[:width]), tuple(zip(qubits[width:], controls, strict=False)))
        )
    rng = np.random.default_rng(data.draw(st.integers(0, 5)))
    state = rng.normal(size=2**QUBITS) + 1j * rng.normal(size=2**QUBITS)
    before, expected = state.copy(), state.reshape((2,) * QUBITS)
    for factor in factors:
        expected = by_definition(factor, expected)
    operators = [Application(Operator("test", QUBITS, (factor,)), tuple(range(QUBITS))) for factor in factors]
    image = blocks.run(blocks.compile(operators), state)
    assert np.allclose(image, expected.reshape(-1))
    assert np.array_equal(state, before)


def test_limits_are_told_to_the_native_core() -> None:
    clock = iter([0.0, 0.0, 2.0, 2.0, 2.0])
    blocks = DenseBlocks(2, Budget(Limits(seconds=1), clock=lambda: next(clock)))
    block = blocks.compile([])
    blocks.run(block, np.array([1, 0, 0, 0], dtype=complex))
    with pytest.raises(LimitReached, match="time limit of 1 s"):
        blocks.run(block, np.array([1, 0, 0, 0], dtype=complex))
