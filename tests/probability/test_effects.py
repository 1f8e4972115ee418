"""Effects against iteration from below, and their error bound against chains that are known to be wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from qismc.limits import Tolerance
from qismc.probability import equations
from qismc.probability.chain import Chain, Edge, Matrix, multiple, spectrum
from qismc.probability.effects import expected_visits, solve_effects, solve_visits

from .chains import chains

DOUBLINGS = 40


def iterated(chain: Chain, decided: dict[int, float]) -> dict[int, Matrix]:
    """The least solution from below: 2^40 steps of the whole map, as a power of its matrix."""
    start = np.cumsum([0, *(size**2 for size in chain.dims)])
    step = np.zeros((start[-1], start[-1]), dtype=complex)
    for k in range(len(chain)):
        if k in decided:
            step[start[k] : start[k + 1], start[k] : start[k + 1]] = np.eye(chain.dims[k] ** 2)
            continue
        for edge in chain.edges[k]:
            block = np.kron(edge.matrix.conj().T, edge.matrix.T)
            step[start[k] : start[k + 1], start[edge.target] : start[edge.target + 1]] += block
    for _ in range(DOUBLINGS):
        step = step @ step
    first = [multiple(decided.get(k, 0.0), size).reshape(-1) for k, size in enumerate(chain.dims)]
    last = step @ np.concatenate(first)
    return {k: last[start[k] : start[k + 1]].reshape(size, size) for k, size in enumerate(chain.dims)}


@given(chain=chains())
def test_effects_are_the_least_solution(chain: Chain) -> None:
    decided = {0: 1.0, len(chain) - 1: 0.0}
    effects = solve_effects(chain, decided, Tolerance())
    for k, value in iterated(chain, decided).items():
        assert np.allclose(effects.values[k], value, atol=1e-7)


@pytest.mark.parametrize("limits", [(0, 9, 0), (0, 0, 99), (0, 0, 0)])
@given(chain=chains())
def test_all_solvers_agree(limits: tuple[int, int, int], chain: Chain) -> None:
    """A sparse matrix, a matrix for the heads of loops, or none at all."""
    decided = {0: 1.0}
    expected = solve_effects(chain, decided, Tolerance())
    with pytest.MonkeyPatch.context() as patch:
        for name, limit in zip(("DENSE_UNKNOWNS", "SMALL_BLOCKS", "HEAD_UNKNOWNS"), limits, strict=True):
            patch.setattr(equations, name, limit)
        found = solve_effects(chain, decided, Tolerance())
    for k in expected.values:
        assert np.allclose(found.values[k], expected.values[k], atol=1e-9)


@given(chain=chains(), seed=st.integers(0, 99), size=st.sampled_from([1e-3, 1e-6]))
def test_the_error_bound_covers_wrong_matrices(chain: Chain, seed: int, size: float) -> None:
    """Spoil every matrix a little and say so in the slack: the truth stays within the bound."""
    draw = np.random.default_rng(seed)
    edges, slack = [], []
    for k, some in enumerate(chain.edges):
        spoilt = []
        for edge in some:
            shape = edge.matrix.shape
            noise = draw.normal(size=shape) + 1j * draw.normal(size=shape)
            spoilt.append(Edge(edge.target, edge.matrix * (1 - size / 2) + noise * size / 100))
        edges.append(spoilt)
        slack.append(sum(_difference(a, b) for a, b in zip(some, spoilt, strict=True)) + 1e-14 * k)
    decided = {0: 1.0}
    truth = iterated(chain, decided)
    found = solve_effects(replace(chain, edges=edges, slack=slack), decided, Tolerance())
    for k in range(1, len(chain)):
        gap = truth[k] - found.values[k]
        assert spectrum(found.errors[k] + gap)[0] >= -1e-12
        assert spectrum(found.errors[k] - gap)[0] >= -1e-12


def _difference(true: Edge, spoilt: Edge) -> float:
    """|K^dagger E K - A^dagger E A| <= |K - A| (|K| + |A|)."""
    gap = np.linalg.norm(true.matrix - spoilt.matrix, 2)
    return float(gap * (np.linalg.norm(true.matrix, 2) + np.linalg.norm(spoilt.matrix, 2)))


def test_a_loop_that_is_never_left_has_effect_zero() -> None:
    """A qubit that is asked for |1>: |1> leaves, |0> stays for ever."""
    zero, one = np.diag([1, 0]).astype(complex), np.array([[0, 1]], dtype=complex)
    chain = Chain([2, 1], [[Edge(0, zero), Edge(1, one)], []], [1e-15, 0.0])
    effects = solve_effects(chain, {1: 1.0}, Tolerance())
    assert np.allclose(effects.values[0], np.diag([0, 1]))
    assert spectrum(effects.errors[0])[1] < 1e-12


def test_the_bound_grows_with_the_number_of_turns() -> None:
    """A loop that is left with probability 2^-20 per turn magnifies errors by 2^20."""
    stay = np.array([[np.sqrt(1 - 2.0**-20)]], dtype=complex)
    leave = np.array([[2.0**-10]], dtype=complex)
    chain = Chain([1, 1], [[Edge(0, stay), Edge(1, leave)], []], [1e-12, 0.0])
    effects = solve_effects(chain, {1: 1.0}, Tolerance())
    assert 2**20 * 1e-12 <= effects.errors[0][0, 0].real <= 2**20 * 1.1e-12


@given(chain=chains())
def test_arrivals_are_adjoint_to_effects(chain: Chain) -> None:
    """tr R(goal) from |i><i| is <i|E|i>, and nothing is missing."""
    goal, start = 0, len(chain) - 1
    effects = solve_effects(chain, {goal: 1.0}, Tolerance())
    for k in range(chain.dims[start]):
        seed = np.zeros((chain.dims[start],) * 2, dtype=complex)
        seed[k, k] = 1
        visits = solve_visits(effects, {start: seed})
        assert np.isclose(visits.weight(goal), effects.values[start][k, k].real, atol=1e-9)
        assert visits.residual < 1e-9


@given(chain=chains())
def test_numbers_of_visits(chain: Chain) -> None:
    """Against summing up what is where, step by step."""
    goal, start = 0, len(chain) - 1
    effects = solve_effects(chain, {goal: 1.0}, Tolerance())
    seed = multiple(1 / chain.dims[start], chain.dims[start])
    states = {k: multiple(0.0, size) for k, size in enumerate(chain.dims)}
    states[start] = seed
    counted = dict.fromkeys(range(len(chain)), 0.0)
    for _ in range(3000):
        following = {k: multiple(0.0, size) for k, size in enumerate(chain.dims)}
        for k, rho in states.items():
            counted[k] += float(np.trace(rho).real)
            for edge in chain.edges[k] if k != goal else ():
                following[edge.target] += edge.matrix @ rho @ edge.matrix.conj().T
        states = following
    rest = sum(float(np.trace(rho).real) for rho in states.values())
    assume(rest < 1e-12 or rest > 0.1)
    visits = solve_visits(effects, {start: seed})
    for k in range(1, len(chain)):
        found = expected_visits(visits, {k}, Tolerance())
        if found == float("inf"):
            assert counted[k] > 20
        elif rest < 1e-12:
            assert np.isclose(found, counted[k], atol=1e-6)


def test_a_vertex_that_is_visited_for_ever_and_one_that_is_not() -> None:
    """0 -> 1 <-> 2 for ever; 0 is visited once."""
    one = multiple(1.0, 1)
    chain = Chain([1, 1, 1], [[Edge(1, one)], [Edge(2, one)], [Edge(1, one)]], [0.0] * 3)
    visits = solve_visits(solve_effects(chain, {}, Tolerance()), {0: one})
    assert [expected_visits(visits, {k}, Tolerance()) for k in range(3)] == [1, float("inf"), float("inf")]
