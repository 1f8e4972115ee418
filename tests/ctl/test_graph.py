"""Graphs: their construction, their checks, their reverse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from qismc.ctl import Graph

from .oracle import Structure, structures


@given(structures())
def test_predecessors_reverse_the_edges(structure: Structure) -> None:
    graph = structure.graph
    edges = sorted((x, y) for x, row in enumerate(structure.successors) for y in row)
    back = sorted((int(x), y) for y in range(graph.size) for x in graph.predecessors.of(y))
    assert back == edges
    again = Graph.from_edges(graph.size, graph.sources, graph.targets)
    assert np.array_equal(again.offsets, graph.offsets)
    assert np.array_equal(again.targets, graph.targets)


@given(structures())
def test_gather_joins_rows(structure: Structure) -> None:
    graph = structure.graph
    chosen = np.arange(0, graph.size, 2, dtype=np.int32)
    expected = [y for x in chosen for y in structure.successors[x]]
    assert graph.successors.gather(chosen).tolist() == expected
    assert graph.successors.gather(chosen[:0]).tolist() == []


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
