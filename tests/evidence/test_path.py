"""Paths from provenance and through given locations."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from qiskit.circuit.library import HGate

from qismc import Model, QuantumCircuit, check
from qismc.evidence.path import length_to, path_to
from qismc.evidence.realise import path_through

from ..strategies import toys
from ..toy import Gate, Measure, Reset, Toy


@given(toy=toys())
def test_provenance_paths_follow_edges(toy: Toy) -> None:
    """From l0 to the location where the vector was found, edge by edge."""
    model = Model(toy.circuit(), numbers="float")
    solved, edges = model.solved(), set(model.edges)
    for node, point in solved.system.select("leaf"):
        for found in solved.posts.at(node, point):
            path = path_to(found, point)
            numbers = [solved.system.first(v.node) + v.point - v.node.start for v in path.visits]
            assert numbers[0] == 0
            assert numbers[-1] == solved.system.first(node) + point - node.start
            assert set(pairwise(numbers)) <= edges
            assert path.seed == 0
            assert length_to(found, point) == len(path.visits)


def test_choices_on_the_way() -> None:
    toy = Toy(1, 1, (Gate(HGate(), (0,)), Measure(0, 0), Reset(0)))
    solved = Model(toy.circuit(), numbers="float", keep_dead=True).solved()
    ends = solved.system.select("leaf")
    taken = set()
    for node, point in ends:
        (found,) = solved.posts.at(node, point)
        measured, reset = (v for v in path_to(found, point).visits if v.hop and v.hop.way.families)
        assert measured.hop is not None
        taken.add((measured.hop.way.outcome, reset.choices))
    assert taken == {(0, (0,)), (1, (1,))}


def test_location_paths_list_the_hops_they_may_take() -> None:
    toy = Toy(1, 1, (Measure(0, 0), Gate(HGate(), (0,))))
    system = Model(toy.circuit(), numbers="float").system
    found = path_through(system, [0, 1, 2])
    assert [(point, len(hops)) for _, point, hops in found] == [(0, 1), (1, 1), (2, 0)]


def test_gates_projections_and_flips_in_order() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.reset(0)
    execution = check(circuit, "AG !leaf").counterexample
    assert execution is not None
    assert execution.track is not None
    names = [[a.operator.name for a in move] for move in execution.track.moves()]
    assert names == [["x"], ["project1"], [], ["lower"]]
    start = execution.track.start()
    assert start is not None
    assert [(bits, abs(a)) for bits, a in start] == [("0", 1.0)]
