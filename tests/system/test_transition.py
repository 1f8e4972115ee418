"""Numbered locations and edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from qismc import Model, QuantumCircuit

from ..strategies import toys
from ..toy import Toy


@given(toy=toys())
def test_arrays_and_lists_tell_the_same(toy: Toy) -> None:
    system = Model(toy.circuit(), engine="float").system
    offsets, targets = system.successor_arrays
    rows = np.repeat(np.arange(system.num_locations), np.diff(offsets))
    assert sorted(set(system.edges)) == list(zip(rows.tolist(), targets.tolist(), strict=True))
    assert system.num_edges == len(system.edges)
    assert np.diff(offsets).min() >= 1
    assert [x.point for x in system] == system.points.tolist()


@given(toy=toys())
def test_locations_are_pairs_of_point_and_store(toy: Toy) -> None:
    """No pair has two numbers, and every location is reachable from l0."""
    model = Model(toy.circuit(), engine="float", keep_dead=True)
    pairs = [(x.point, x.store) for x in model.locations]
    assert len(set(pairs)) == len(pairs)
    reached = {0}
    while more := {b for a, b in model.edges if a in reached} - reached:
        reached |= more
    assert reached == set(range(len(pairs)))


def test_locations_out_of_range() -> None:
    with pytest.raises(IndexError):
        Model(QuantumCircuit(1), engine="float").system.location(1)


def test_numbering_is_deterministic(engine: str) -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(0)
    first, second = (Model(circuit, engine=engine) for _ in range(2))
    assert [(x.text, x.store) for x in first.locations] == [(x.text, x.store) for x in second.locations]
    assert [x.name for x in first.locations[:2]] == ["l0", "l1"]


def test_values_of_locations_are_gathered_by_node() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.x(0)
    circuit.measure(0, 0)
    circuit.z(0)
    system = Model(circuit, keep_dead=True).system
    nodes = [system.node_of(k)[0] for k in range(system.num_locations)]
    for chosen in range(system.num_locations):
        mask = np.arange(system.num_locations) == chosen
        expected = [node is nodes[chosen] for node in system.nodes]
        assert system.gathered(mask).tolist() == expected
        assert system.spread(system.gathered(mask)).tolist() == [node is nodes[chosen] for node in nodes]
