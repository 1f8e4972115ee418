"""Visits against powers of the whole map, and against effects, which are their adjoints."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given

from qismc.limits import Tolerance
from qismc.probability.chain import Chain, Edge, multiple
from qismc.probability.effects import solve_effects
from qismc.probability.visits import expected_visits, solve_visits

from .chains import chains


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
