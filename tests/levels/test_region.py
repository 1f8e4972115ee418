"""Stations, regions and guards of control graphs."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qismc import QuantumCircuit
from qismc.levels.region import ALWAYS, ControlGraph
from qismc.program import read_program
from qismc.program.statements import Leaf

from ..differential.circuits import Writer

RANDOM = st.integers(0, 10**9).map(Random)


@given(random=RANDOM)
def test_regions_cut_every_cycle_and_cover_all_points(random: Random) -> None:
    graph = ControlGraph(read_program(Writer(random).circuit))
    covered: set[int] = set()
    for station in graph.stations:
        region = graph.region(station)
        covered.update(region.points)
        place = {point: k for k, point in enumerate(region.points)}
        assert region.points[0] == station
        assert not graph.stations & set(region.points[1:])
        for point in region.points:
            for target in graph.following[point]:
                leaf = isinstance(graph.program.code[point], Leaf)
                assert (
                    target in region.exits
                    if target in graph.stations
                    else leaf or place[target] > place[point]
                )
    assert covered == set(graph.following)


@given(random=RANDOM)
def test_a_random_walk_satisfies_exactly_the_guards_on_its_way(random: Random) -> None:
    graph = ControlGraph(read_program(Writer(random).circuit))
    region = graph.region(graph.program.entry)
    taken, visited, point = set(), [], graph.program.entry
    while point in region.points:
        visited.append(point)
        targets = graph.following[point]
        k = random.randrange(len(targets))
        taken.add((point, k))
        if targets[k] == point or (targets[k] in graph.stations):
            break
        point = targets[k]
    for point in region.points:
        alternatives = [chain for chain in region.guards[point] if set(chain) <= taken]
        assert len(alternatives) == (point in visited)


def test_branches_that_meet_again_do_not_matter() -> None:
    circuit = QuantumCircuit(1, 2)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)) as otherwise:
        circuit.x(0)
    with otherwise, circuit.if_test((circuit.clbits[1], 1)):
        circuit.h(0)
    circuit.z(0)
    graph = ControlGraph(read_program(circuit))
    region = graph.region(graph.program.entry)
    assert graph.is_acyclic and graph.stations == {graph.program.entry}
    assert region.guards[region.points[-1]] == ALWAYS
    assert max(len(chain) for guard in region.guards.values() for chain in guard) == 2


@pytest.mark.parametrize("breaks", [False, True])
def test_loops_are_left_at_stations(breaks: bool) -> None:
    circuit = QuantumCircuit(1, 1)
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.h(0)
        circuit.measure(0, 0)
        if breaks:
            with circuit.if_test((circuit.clbits[0], 1)):
                circuit.break_loop()
            circuit.x(0)
    circuit.z(0)
    graph = ControlGraph(read_program(circuit))
    head, after = graph.program.entry, len(graph.program.code) - 2
    assert not graph.is_acyclic and graph.in_loop(head) and not graph.in_loop(after)
    left = {4} if breaks else set()  # the break itself is outside of the loop
    assert graph.stations == {head, after, *left}
    assert graph.arriving == {head: {head}, after: {head, *left}, **{point: {head} for point in left}}
