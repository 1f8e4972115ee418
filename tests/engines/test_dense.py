"""The float engine: margins of its decisions, and its terms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit.quantum_info import random_unitary

from qismc.common.scalars import COMPLEX
from qismc.engines.dense import MAX_QUBITS, DenseBlocks, DenseEngine
from qismc.errors import LimitReached, NoCompactForm, NumericDoubt
from qismc.limits import Budget, Limits
from qismc.program.gates import Base, base_matrix
from qismc.program.operators import PROJECT, Factor, Operator, single
from qismc.system.edges import Application

ENGINE = DenseEngine(2, Budget(Limits()))


def tilted(angle: float) -> np.ndarray:
    return np.array([np.cos(angle), np.sin(angle), 0, 0], dtype=complex)


@pytest.mark.parametrize(("angle", "inside"), [(0, True), (1e-11, True), (1e-3, False), (1, False)])
def test_clear_decisions(angle: float, inside: bool) -> None:
    span = ENGINE.span()
    assert span.add(tilted(0))
    assert span.contains(tilted(angle)) is inside
    assert span.add(5j * tilted(angle)) is not inside
    assert ENGINE.inner_is_zero(tilted(np.pi / 2 + angle), tilted(0)) is inside


@pytest.mark.parametrize("angle", [1e-8, 3e-7])
def test_doubtful_decisions(angle: float) -> None:
    span = ENGINE.span()
    span.add(tilted(0))
    for question in (span.contains, span.add):
        with pytest.raises(NumericDoubt, match="lies between"):
            question(tilted(angle))
    with pytest.raises(NumericDoubt):
        ENGINE.is_zero(ENGINE.run(ENGINE.compile([Application(PROJECT[1], (1,))]), tilted(angle)))


def test_vectors_stay_as_they_are() -> None:
    vector = tilted(0.3)
    before = vector.copy()
    image = ENGINE.run(ENGINE.compile([Application(PROJECT[0], (1,))]), vector)
    assert np.array_equal(vector, before)
    assert image == pytest.approx(np.array([np.cos(0.3), 0, 0, 0]))


def test_largest_terms() -> None:
    vector = np.array([0.1, 0.7, 0, 0.7], dtype=complex)
    terms, left_out = ENGINE.largest(vector, 2)
    assert [bits for bits, _ in terms] == ["01", "11"]
    assert left_out == 1


def test_complement_of_nothing_is_everything() -> None:
    assert len(ENGINE.complement([])) == 4


def test_too_many_qubits() -> None:
    with pytest.raises(NoCompactForm, match=f"at most {MAX_QUBITS}"):
        DenseEngine(MAX_QUBITS + 1, Budget(Limits()))


def test_the_whole_space_is_complex() -> None:
    """A real basis would swallow the imaginary parts of everything that is computed from it."""
    whole = ENGINE.complement([])
    assert [v.dtype for v in whole] == [np.dtype(complex)] * 4
    turned = ENGINE.run(ENGINE.compile([Application(single("s", 1), (0,))]), np.array([0.0, 0, 1, 0]))
    assert np.allclose(turned, [0, 0, 1j, 0])


def test_the_zero_vector_lies_in_every_subspace() -> None:
    zero, span = np.zeros(4, dtype=complex), ENGINE.span()
    assert span.contains(zero)
    assert not span.add(zero)
    assert ENGINE.inner_is_zero(zero, tilted(0))
    assert ENGINE.slices(zero, (0,)) == []
    assert not ENGINE.run(ENGINE.compile([]), zero).any()
    assert len(ENGINE.complement([zero])) == 4


def test_what_is_no_number_decides_nothing() -> None:
    with pytest.raises(NumericDoubt, match="no number"):
        ENGINE.span().contains(np.array([np.nan, 0, 0, 0]))


def test_many_at_once_are_told_apart_as_one_by_one() -> None:
    """More than are looked at together; ranks by NumPy."""
    rng = np.random.default_rng(4)
    engine = DenseEngine(4, Budget(Limits()))
    span, seen = engine.span(), np.zeros((0, 16), dtype=complex)
    for count in (1, 3, 40):
        mix = rng.normal(size=(count, 16)) * (rng.random((count, 16)) < 0.1)
        expected = []
        for row in mix:
            before = np.linalg.matrix_rank(seen) if len(seen) else 0
            seen = np.vstack([seen, row])
            expected.append(bool(np.linalg.matrix_rank(seen) > before))
        assert span.add_all(list(mix.astype(complex))) == expected
        asked = rng.normal(size=len(seen)) @ seen
        assert span.contains(asked) and span.dimension == np.linalg.matrix_rank(seen)
        found = span.coordinates(asked)
        assert found is not None and len(found) == span.dimension


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
