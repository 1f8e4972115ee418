"""Basis states of codes against the eigenspaces of dense matrices."""

from __future__ import annotations

from functools import reduce

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from qismc.propositions.codes import Representatives

from ..reference import meet, projector, span
from ..strategies import PAULI


def eigenspace(sign: int, string: str) -> np.ndarray:
    matrix = reduce(np.kron, [PAULI[letter] for letter in string]) * sign
    return span((np.eye(len(matrix)) + matrix) / 2)


@settings(max_examples=100)
@given(
    paulis=st.integers(1, 4).flatmap(
        lambda n: st.lists(
            st.tuples(st.sampled_from([1, -1]), st.text("IXYZ", min_size=n, max_size=n)),
            min_size=1,
            max_size=4,
        )
    )
)
def test_projections_of_representatives_span_the_code(paulis: list[tuple[int, str]]) -> None:
    """Strings may anticommute, depend on each other and contradict each other."""
    width = len(paulis[0][1])
    code = meet(*(eigenspace(*pauli) for pauli in paulis))
    found = Representatives(paulis, width)
    words = found.words()
    assert found.dimension == len(words) == code.shape[1]
    assert words == sorted(words)
    if words:
        columns = projector(code)[:, [int(word, 2) for word in words]]
        assert span(columns).shape[1] == code.shape[1]
