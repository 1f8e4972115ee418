"""Factors in place against the Kronecker products of their matrices."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from qiskit.quantum_info import random_unitary

from qismc.program.gates import base_matrix
from qismc.program.operators import Base, Factor
from qismc.scalars import COMPLEX
from qismc.subspace.dense_factors import DenseFactor, WideFactor, placed, small_matrix

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
    base, width = data.draw(st.sampled_from(BASES))
    qubits = data.draw(st.permutations(range(QUBITS)))
    controls = data.draw(st.lists(st.integers(0, 1), max_size=QUBITS - width))
    factor = Factor(base, tuple(qubits[:width]), tuple(zip(qubits[width:], controls, strict=False)))
    rng = np.random.default_rng(data.draw(st.integers(0, 5)))
    state = rng.normal(size=(2,) * QUBITS) + 1j * rng.normal(size=(2,) * QUBITS)
    expected = by_definition(factor, state)
    placed(small_matrix(base), factor, QUBITS).apply(state)
    assert np.allclose(state, expected)


def test_large_matrices_are_multiplied_as_a_whole() -> None:
    factors = [Factor(base, tuple(range(width))) for base, width in (BASES[0], BASES[-1])]
    kinds = [type(placed(small_matrix(factor.base), factor, QUBITS)) for factor in factors]
    assert kinds == [DenseFactor, WideFactor]
