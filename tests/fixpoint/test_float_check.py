"""Every concrete vector again: its provenance followed once more in floating point."""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import given

from qismc import Model, QuantumCircuit
from qismc.engines.dense import DenseEngine
from qismc.engines.runs import WORTH
from qismc.fixpoint.float_check import FloatReplay

from ..strategies import toys
from ..toy import Toy


def replay_of(model: Model) -> FloatReplay:
    solved, numeric = model.solved(), model.simulation.engine
    return FloatReplay(solved, numeric)


@given(toy=toys())
def test_the_replay_of_a_float_run_is_the_run(toy: Toy) -> None:
    """Asked in any order: forwards, backwards, and again."""
    model = Model(toy.circuit(), numbers="float")
    solved, replay = model.solved(), replay_of(model)
    assert isinstance(replay.engine, DenseEngine)
    for node in solved.system.nodes:
        points = list(range(node.start, node.end))
        for point in [*points, *reversed(points)]:
            for found in solved.posts.at(node, point):
                expected = np.asarray(found.vector) / np.linalg.norm(found.vector)
                state = np.asarray(replay.at(found, point))
                assert np.allclose(state / np.linalg.norm(state), expected)


@given(toy=toys())
def test_the_replay_of_an_exact_run_spans_as_much(toy: Toy) -> None:
    """Ranks over the field are ranks of complex matrices."""
    model = Model(toy.circuit(), numbers="exact")
    solved, replay = model.solved(), replay_of(model)
    for node in solved.system.nodes:
        found = solved.posts.at(node, node.start)
        states = [np.asarray(replay.at(f, node.start)) for f in found]
        assert all(np.linalg.norm(state) > 1e-9 for state in states)
        rank = np.linalg.matrix_rank(np.array([s / np.linalg.norm(s) for s in states])) if states else 0
        assert rank == len(found) == solved.posts.dimension(node, node.start)


def test_long_runs_and_what_was_measured_before_them() -> None:
    circuit, draw = QuantumCircuit(2, 2), Random(3)
    for bit in range(2):
        for _ in range(WORTH + 5):
            draw.choice([lambda: circuit.h(0), lambda: circuit.t(1), lambda: circuit.cx(0, 1)])()
        circuit.measure(bit, bit)
    model = Model(circuit, numbers="float")
    solved, replay = model.solved(), replay_of(model)
    for node in solved.system.nodes:
        for found in solved.posts.at(node, node.last):
            state = np.asarray(replay.at(found, node.last))
            expected = np.asarray(found.vector) / np.linalg.norm(found.vector)
            assert np.allclose(state / np.linalg.norm(state), expected)
