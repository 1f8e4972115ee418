"""The shadow of every concrete vector: its provenance followed once more in floating point."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from qismc import Model
from qismc.fixpoint.shadow import Shadow
from qismc.solve import Starts
from qismc.subspace.dense import DenseEngine

from ..strategies import toys
from ..toy import Toy


def shadow_of(model: Model) -> Shadow:
    solved, numeric = model.solved(), model.replayer
    return Shadow(solved.explorer, numeric, Starts(solved, numeric).vector)


@given(toy=toys())
def test_the_shadow_of_a_float_run_is_the_run(toy: Toy) -> None:
    """Asked in any order: forwards, backwards, and again."""
    model = Model(toy.circuit(), engine="float")
    solved, shadow = model.solved(), shadow_of(model)
    assert isinstance(shadow.engine, DenseEngine)
    for node in solved.system.nodes:
        points = list(range(node.start, node.end))
        for point in [*points, *reversed(points)]:
            for found in solved.posts.at(node, point):
                expected = np.asarray(found.vector) / np.linalg.norm(found.vector)
                state = np.asarray(shadow.at(found, point))
                assert np.allclose(state / np.linalg.norm(state), expected)


@given(toy=toys())
def test_the_shadow_of_an_exact_run_spans_as_much(toy: Toy) -> None:
    """Ranks over the field are ranks of complex matrices."""
    model = Model(toy.circuit(), engine="exact")
    solved, shadow = model.solved(), shadow_of(model)
    for node in solved.system.nodes:
        found = solved.posts.at(node, node.start)
        states = [np.asarray(shadow.at(f, node.start)) for f in found]
        assert all(np.linalg.norm(state) > 1e-9 for state in states)
        rank = np.linalg.matrix_rank(np.array([s / np.linalg.norm(s) for s in states])) if states else 0
        assert rank == len(found) == solved.posts.dimension(node, node.start)
