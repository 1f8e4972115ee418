"""Reachability against a plain search."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qismc.ctl import reach
from qismc.ctl.graph import Graph

from .oracle import Structure, mask, structures


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
    found = reach.forward(structure.graph, mask(size, frozenset(start)), mask(size, frozenset(through)))
    closed = reach.forward(structure.graph, mask(size, frozenset(start)))
    assert set(np.flatnonzero(found).tolist()) == search(structure, start, through)
    assert set(np.flatnonzero(closed).tolist()) == search(structure, start, set(range(size)))
    assert reach.is_closed(structure.graph, closed)


def test_arguments_are_left_alone() -> None:
    graph = Graph.from_lists([[1], [2], [2]])
    start = graph.only(0)
    reach.forward(graph, start)
    reach.until_on_some_path(graph, graph.everywhere, start)
    assert start.tolist() == [True, False, False]
