"""Chains: components in the order in which they can be solved."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qismc.probability.chain import Chain, Edge, multiple, operator_norm, spectrum

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
