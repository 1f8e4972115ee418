"""Random trace-preserving chains."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from qismc.probability.chain import Chain, Edge


@st.composite
def chains(draw: st.DrawFn, most: int = 5, largest: int = 3) -> Chain:
    """Every vertex is left by a random isometry, cut into Kraus operators towards some vertices."""
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    count = draw(st.integers(2, most))
    dims = [draw(st.integers(1, largest)) for _ in range(count)]
    edges = []
    for k in range(count):
        targets = draw(st.lists(st.integers(0, count - 1), min_size=1, max_size=3))
        while sum(dims[t] for t in targets) < dims[k]:
            targets.append(draw(st.integers(0, count - 1)))
        rows = sum(dims[t] for t in targets)
        noise = generator.normal(size=(rows, dims[k])) + 1j * generator.normal(size=(rows, dims[k]))
        isometry, place = np.linalg.qr(noise)[0], 0
        found = []
        for target in targets:
            found.append(Edge(target, isometry[place : place + dims[target]]))
            place += dims[target]
        edges.append(found)
    return Chain(dims, edges, [1e-13] * count)
