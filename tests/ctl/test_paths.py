"""Shortest paths and lassos against exhaustive search."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from qismc.ctl.graph import Graph
from qismc.ctl.paths import shortest_lasso, shortest_path

from .oracle import Structure, mask, structures


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
    graph = Graph.from_lists([[1, 4], [2], [3], [1], [5], [5]])
    assert shortest_lasso(graph, 0, np.ones(6, dtype=bool)) == ([0, 1, 2, 3], 1)
    graph = Graph.from_lists([[4, 1], [2], [3], [1], [5], [5]])
    assert shortest_lasso(graph, 0, graph.everywhere & ~graph.only(2)) == ([0, 4, 5], 2)
