"""What never leaves a component, against long iteration."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from qismc.errors import NumericDoubt
from qismc.limits import Tolerance
from qismc.probability.chain import Chain, Edge, multiple
from qismc.probability.trapped import leaving

from .chains import chains


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
