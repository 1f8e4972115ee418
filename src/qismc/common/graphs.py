"""Graphs over the numbers 0, 1, 2, …, given by the successors of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import rustworkx


def strong_components(count: int, successors: Callable[[int], Iterable[int]]) -> list[list[int]]:
    """The strongly connected components; each comes after those that its edges lead to."""
    return [list(part) for part in rustworkx.strongly_connected_components(_graph(count, successors))]


def on_cycles(count: int, successors: Callable[[int], Iterable[int]]) -> set[int]:
    """The numbers that a path of one or more edges leads back to."""
    alone = {k for k in range(count) if k in successors(k)}
    return alone.union(*(part for part in strong_components(count, successors) if len(part) > 1))


def in_order(count: int, successors: Callable[[int], Iterable[int]]) -> list[int]:
    """All numbers of a graph without cycles, each before its successors."""
    return list(rustworkx.topological_sort(_graph(count, successors)))


def _graph(count: int, successors: Callable[[int], Iterable[int]]) -> rustworkx.PyDiGraph[None, None]:
    graph: rustworkx.PyDiGraph[None, None] = rustworkx.PyDiGraph()
    graph.add_nodes_from([None] * count)
    graph.add_edges_from_no_data([(k, target) for k in range(count) for target in successors(k)])
    return graph
