"""Vectors along one execution, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from qismc import Model, QuantumCircuit
from qismc.fixpoint import trail as trails
from qismc.fixpoint.stations import At
from qismc.fixpoint.trail import Trail


def turning() -> QuantumCircuit:
    """A reset of a superposed qubit, then a coin that decides."""
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.reset(0)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.x(1)
    return circuit


def followed(model: Model, reset: int, outcome: int) -> Trail:
    solved = model.solved()
    explorer, engine = solved.explorer, solved.engine
    entry = At(explorer.entry, explorer.entry.start)
    trail = Trail(explorer, engine, entry, np.array([1, 0, 0, 0], dtype=complex), seed=0)
    trail.go(trail.last.station.node.hops[0], (reset,))
    trail.go(trail.last.station.node.hops[outcome], (0,))
    return trail


@pytest.mark.parametrize("longest", [1, 256])
@pytest.mark.parametrize("reset", [0, 1])
@pytest.mark.parametrize("outcome", [0, 1])
def test_states_follow_the_choices(
    monkeypatch: pytest.MonkeyPatch, longest: int, reset: int, outcome: int
) -> None:
    monkeypatch.setattr(trails, "LONGEST_BLOCK", longest)
    trail = followed(Model(turning(), engine="float", keep_dead=True), reset, outcome)
    expected = np.zeros(4)
    expected[2 * outcome + reset] = 1  # qubit 0 is the leftmost letter
    assert abs(np.vdot(expected, trail.last.vector)) == pytest.approx(np.linalg.norm(trail.last.vector))
    first, middle, last = trail.arrivals
    assert last.chain() == [first, middle, last] and middle.choices == (reset,)
    assert trail.last.vector is trail.last.vector  # computed once


def test_earlier_vectors_are_not_computed_on_the_way() -> None:
    model = Model(turning(), engine="float", keep_dead=True)
    trail = followed(model, 0, 1)
    assert trail.last.vector is not None
    assert not trail.knows(trail.arrivals[1])
    assert np.linalg.norm(trail.arrivals[1].vector) > 0
