"""Names of program points."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given

from qismc import Model, QuantumCircuit, check
from qismc.program import read_program
from qismc.system.transition import names_of, points_of

from ..strategies import toys
from ..toy import Toy


def looped() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 1)
    circuit.mark("before")
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.mark("inside")
        circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 0)):
        circuit.mark("leaving")
    circuit.mark("last")
    return circuit


def test_each_name_means_its_points() -> None:
    program = read_program(looped())

    def texts(name: str) -> list[str]:
        return [program.text(point) for point in points_of(name, program)]

    assert texts("before") == ["mark before"]  # the loop comes back to its head, but not to the mark
    assert texts("inside") == ["measure q[0] -> c[0]"]
    assert texts("leaving") == ["mark leaving"]  # what follows the if is reached without it
    assert texts("last") == texts("leaf") == ["end"]
    assert texts("loop") == ["while (c[0] == 1)"]
    assert texts("nowhere") == []


def test_names_and_points_are_inverse() -> None:
    program = read_program(looped())
    for name in ("before", "inside", "leaving", "last", "leaf", "loop"):
        points = [point for point in range(len(program.code)) if name in names_of(program, point)]
        assert points == points_of(name, program)
        assert all(name in names_of(program, point) for point in points)


@given(toy=toys())
def test_arrays_and_lists_tell_the_same(toy: Toy) -> None:
    system = Model(toy.circuit(), numbers="float").system
    offsets, targets = system.successor_arrays
    rows = np.repeat(np.arange(system.num_locations), np.diff(offsets))
    assert sorted(set(system.edges)) == list(zip(rows.tolist(), targets.tolist(), strict=True))
    assert system.num_edges == len(system.edges)
    assert np.diff(offsets).min() >= 1
    assert [x.point for x in system] == system.points.tolist()


@given(toy=toys())
def test_locations_are_pairs_of_point_and_store(toy: Toy) -> None:
    """No pair has two numbers, and every location is reachable from l0."""
    model = Model(toy.circuit(), numbers="float", keep_dead=True)
    pairs = [(x.point, x.store) for x in model.locations]
    assert len(set(pairs)) == len(pairs)
    reached = {0}
    while more := {b for a, b in model.edges if a in reached} - reached:
        reached |= more
    assert reached == set(range(len(pairs)))


def test_locations_out_of_range() -> None:
    with pytest.raises(IndexError):
        Model(QuantumCircuit(1), numbers="float").system.location(1)


def test_numbering_is_deterministic(engine: str) -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(0)
    first, second = (Model(circuit, numbers=engine) for _ in range(2))
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


def test_a_pickled_result_keeps_its_answers_and_loses_its_system() -> None:
    circuit = QuantumCircuit(1, 1)
    for _ in range(300):
        circuit.h(0)
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], 1)):
            circuit.x(0)
    result = check(circuit, "AG (leaf -> |0>)")
    assert result._backdrop.system is not None
    copy = pickle.loads(pickle.dumps(result._backdrop))
    assert copy.system is None
