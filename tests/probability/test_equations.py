"""Heads meet every cycle; equations reduced to them have the solutions of the whole ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qismc.limits import Tolerance
from qismc.probability.chain import Chain, leaving
from qismc.probability.equations import Equations, Turn, loop_heads

from .chains import chains


@given(chain=chains(most=6))
def test_without_the_heads_there_is_no_cycle(chain: Chain) -> None:
    sizes = dict(enumerate(chain.dims))
    steps = [(k, edge.target, edge.matrix) for k in sizes for edge in chain.edges[k]]
    heads = loop_heads(sizes, steps)
    rest = [k for k in sizes if k not in heads]
    assert not any(chain.returns(part) for part in chain.components(rest))


@pytest.mark.parametrize("forward", [False, True])
@given(chain=chains(), seed=st.integers(0, 99))
def test_solutions(forward: bool, chain: Chain, seed: int) -> None:
    draw = np.random.default_rng(seed)
    for component in chain.components(range(1, len(chain))):
        if not chain.returns(component):
            continue
        exits = leaving(chain, component, Tolerance())
        whole = Equations(chain, exits)
        sizes = {k: len(rows) for k, rows in exits.rows.items()}
        constants = {k: draw.normal(size=(n, n)) + 1j * draw.normal(size=(n, n)) for k, n in sizes.items()}
        expected = whole.solve(constants, forward=forward)
        turn = Turn(sizes, whole._steps, loop_heads(sizes, whole._steps))
        found = turn.solve(constants, forward=forward)
        for k in component:
            assert np.allclose(found[k], expected[k], rtol=1e-7, atol=1e-7)
