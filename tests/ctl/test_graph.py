"""Graphs: their construction, their checks, their reverse."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qismc.ctl import Graph
from qismc.ctl.graph import forward, shortest_lasso, shortest_path, until_on_some_path

from .oracle import Structure, graph_of, mask, structures


@given(structures())
def test_predecessors_reverse_the_edges(structure: Structure) -> None:
    graph = structure.graph
    edges = sorted((x, y) for x, row in enumerate(structure.successors) for y in row)
    back = sorted((int(x), y) for y in range(graph.size) for x in graph.predecessors.of(y))
    assert back == edges
    again = Graph.from_edges(graph.size, graph.sources, graph.targets)
    assert np.array_equal(again.offsets, graph.offsets)
    assert np.array_equal(again.targets, graph.targets)


@pytest.mark.parametrize(
    ("offsets", "targets", "initial", "message"),
    [
        ([0], [], 0, "at least one location"),
        ([0, 1, 1], [0], 0, "location 1 has no successor"),
        ([0, 1], [1], 0, "outside of 0"),
        ([0, 1], [-1], 0, "outside of 0"),
        ([0, 2], [0], 0, "offsets run"),
        ([0, 1], [0], 1, "initial location 1"),
    ],
)
def test_malformed_graphs_are_refused(
    offsets: list[int], targets: list[int], initial: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Graph(np.array(offsets), np.array(targets), initial)


def test_edges_from_nowhere_are_refused() -> None:
    with pytest.raises(ValueError, match="outside of 0"):
        Graph.from_edges(1, [0, 3], [0, 0])


def search(structure: Structure, start: set[int], through: set[int]) -> set[int]:
    seen, stack = set(start), list(start)
    while stack:
        location = stack.pop()
        for after in structure.successors[location] if location in through else ():
            if after not in seen:
                seen.add(after)
                stack.append(after)
    return seen


@given(structure=structures(), data=st.data())
def test_forward_agrees_with_a_search(structure: Structure, data: st.DataObject) -> None:
    size = len(structure.successors)
    start = data.draw(st.sets(st.integers(0, size - 1)))
    through = data.draw(st.sets(st.integers(0, size - 1)))
    found = forward(structure.graph, mask(size, frozenset(start)), mask(size, frozenset(through)))
    closed = forward(structure.graph, mask(size, frozenset(start)))
    assert set(np.flatnonzero(found).tolist()) == search(structure, start, through)
    assert set(np.flatnonzero(closed).tolist()) == search(structure, start, set(range(size)))


def test_arguments_are_left_alone() -> None:
    graph = graph_of([[1], [2], [2]])
    start = graph.only(0)
    forward(graph, start)
    until_on_some_path(graph, graph.everywhere, start)
    assert start.tolist() == [True, False, False]


def distance(structure: Structure, start: int, through: set[int], goal: set[int]) -> int | None:
    """The length of a shortest path, by growing spheres."""
    sphere, seen, length = {start}, {start}, 0
    while sphere:
        if sphere & goal:
            return length
        sphere = {y for x in sphere & through for y in structure.successors[x]} - seen
        seen |= sphere
        length += 1
    return None


def are_edges(structure: Structure, steps: list[int]) -> bool:
    return all(y in structure.successors[x] for x, y in pairwise(steps))


@settings(deadline=None)
@given(structures(), st.data())
def test_paths_are_shortest(structure: Structure, data: st.DataObject) -> None:
    size = len(structure.successors)
    places = st.sets(st.integers(0, size - 1))
    through, goal = data.draw(places), data.draw(places)
    path = shortest_path(structure.graph, 0, mask(size, frozenset(through)), mask(size, frozenset(goal)))
    length = distance(structure, 0, through, goal)
    assert (path is None) == (length is None)
    if path is not None:
        assert len(path) - 1 == length
        assert path[0] == 0
        assert path[-1] in goal
        assert set(path[:-1]) <= through
        assert are_edges(structure, path)


@settings(deadline=None)
@given(structures(), st.data())
def test_lassos_exist_iff_some_endless_path_does(structure: Structure, data: st.DataObject) -> None:
    size = len(structure.successors)
    inside = data.draw(st.sets(st.integers(0, size - 1)))
    endless = set(inside)
    for _ in range(size):
        endless = {x for x in endless if endless & set(structure.successors[x])}
    lasso = shortest_lasso(structure.graph, 0, mask(size, frozenset(inside)))
    assert (lasso is not None) == (0 in endless)
    if lasso is not None:
        steps, back = lasso
        assert steps[0] == 0
        assert set(steps) <= inside
        assert are_edges(structure, [*steps, steps[back]])
        assert len(set(steps)) == len(steps)


def test_the_nearest_cycle_is_taken() -> None:
    graph = graph_of([[1, 4], [2], [3], [1], [5], [5]])
    assert shortest_lasso(graph, 0, np.ones(6, dtype=bool)) == ([0, 1, 2, 3], 1)
    graph = graph_of([[4, 1], [2], [3], [1], [5], [5]])
    assert shortest_lasso(graph, 0, graph.everywhere & ~graph.only(2)) == ([0, 4, 5], 2)
