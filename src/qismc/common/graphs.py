"""Graphs over any objects that can be told apart, given by the successors of each.

Successors that are not among the objects are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

import rustworkx

T = TypeVar("T", bound=Hashable)


def strong_components(items: Sequence[T], successors: Callable[[T], Iterable[T]]) -> list[list[T]]:
    """The strongly connected components; each comes after those that its edges lead to."""
    parts = rustworkx.strongly_connected_components(_graph(items, successors))
    return [[items[k] for k in part] for part in parts]


def on_cycles(items: Sequence[T], successors: Callable[[T], Iterable[T]]) -> set[T]:
    """The objects that a path of one or more edges leads back to."""
    alone = {item for item in items if item in successors(item)}
    return alone.union(*(part for part in strong_components(items, successors) if len(part) > 1))


def in_order(items: Sequence[T], successors: Callable[[T], Iterable[T]]) -> list[T]:
    """All objects of a graph without cycles, each before its successors."""
    return [items[k] for k in rustworkx.topological_sort(_graph(items, successors))]


def _graph(items: Sequence[T], successors: Callable[[T], Iterable[T]]) -> rustworkx.PyDiGraph[None, None]:
    number = {item: k for k, item in enumerate(items)}
    graph: rustworkx.PyDiGraph[None, None] = rustworkx.PyDiGraph()
    graph.add_nodes_from([None] * len(items))
    graph.add_edges_from_no_data(
        [(k, number[t]) for k, item in enumerate(items) for t in successors(item) if t in number]
    )
    return graph
