"""Chains: components in the order in which they can be solved."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qismc.errors import NumericDoubt
from qismc.limits import Tolerance
from qismc.probability.chain import Chain, Edge, leaving, multiple, operator_norm, spectrum

from .chains import chains


def line(*targets: list[int]) -> Chain:
    edges = [[Edge(target, np.eye(1, dtype=complex)) for target in some] for some in targets]
    return Chain([1] * len(targets), edges, [0.0] * len(targets))


def test_components_come_after_those_they_lead_to() -> None:
    chain = line([1], [2, 0], [3], [3], [0])
    assert chain.components(range(5)) == [[3], [2], [0, 1], [4]]
    assert sorted(chain.components([1, 2, 4])) == [[1], [2], [4]]
    order = chain.components([1, 2, 4])
    assert order.index([2]) < order.index([1])
    assert [chain.returns(part) for part in ([3], [2], [0, 1])] == [True, False, True]


@given(case=chains(), seed=st.integers(0, 99))
def test_the_effect_of_one_step(case: Chain, seed: int) -> None:
    """<x|E(k)|x> is the expectation one step later."""
    draw = np.random.default_rng(seed)
    values = {j: multiple(draw.random(), size) for j, size in enumerate(case.dims)}
    for k, size in enumerate(case.dims):
        x = draw.normal(size=size) + 1j * draw.normal(size=size)
        x /= np.linalg.norm(x)
        later = sum(values[e.target][0, 0].real * np.linalg.norm(e.matrix @ x) ** 2 for e in case.edges[k])
        assert np.isclose((x.conj() @ case.effect(k, values) @ x).real, later)


def test_norms() -> None:
    assert operator_norm(np.diag([1, -3 + 0j])) == 3
    assert operator_norm(np.zeros((0, 2), dtype=complex)) == 0
    assert spectrum(np.diag([2, -1 + 0j])) == (-1, 2)


@given(chain=chains())
def test_trapped_states_never_leave_and_others_do(chain: Chain) -> None:
    for component in chain.components(range(1, len(chain))):
        found = leaving(chain, component, Tolerance())
        stay = {k: multiple(1.0, chain.dims[k]) for k in component}
        for _ in range(2000):  # the probability of being inside after so many steps
            stay = {k: chain.effect(k, stay) for k in component}
        for k, rows in found.rows.items():
            trapped = multiple(1.0, chain.dims[k]) - rows.conj().T @ rows
            assert np.allclose(trapped @ stay[k] @ trapped, trapped, atol=1e-6)
            assert np.linalg.norm(rows @ stay[k] @ rows.conj().T, 2) < 1 - 1e-6 if len(rows) else True


def test_a_way_out_that_may_be_rounding_is_a_doubt() -> None:
    """A leak of 1e-8 is neither zero nor clearly more."""
    leak = np.array([[1e-8]], dtype=complex)
    chain = Chain([1, 1], [[Edge(0, multiple(1.0, 1)), Edge(1, leak)], []], [0.0, 0.0])
    with pytest.raises(NumericDoubt, match="can a state leave a loop"):
        leaving(chain, [0], Tolerance())


def test_what_leaves_after_several_steps() -> None:
    """|01> and |10> turn into each other; only |10> is looked at."""
    swap = np.array([[0, 1], [1, 0]], dtype=complex)
    look = [Edge(0, np.diag([0, 1]).astype(complex) @ swap), Edge(1, np.array([[0, 1]], dtype=complex))]
    found = leaving(Chain([2, 1], [look, []], [0.0, 0.0]), [0], Tolerance())
    assert not found.traps and found.rows[0].shape == (2, 2)
