"""Shortest paths and lassos through chosen locations of a graph."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np
import rustworkx

from qismc.ctl.graph import Graph, Index, Indices, Mask

Lasso = tuple[list[int], int]
"""Locations, and the position to which the last one goes back."""


def shortest_path(graph: Graph, start: int, through: Mask, goal: Mask) -> list[int] | None:
    """A shortest path from `start` to a goal whose locations before the goal are all in `through`."""
    parent = np.full(graph.size, -1, dtype=Index)
    for location in _breadth_first(graph, start, through, parent):
        if goal[location]:
            return _back(parent, start, location)
    return None


def shortest_lasso(graph: Graph, start: int, inside: Mask) -> Lasso | None:
    """A path from `start` to the nearest location on a cycle and once around, all of it inside."""
    if not inside[start]:
        return None
    parent = np.full(graph.size, -1, dtype=Index)
    order = [k for k in _breadth_first(graph, start, inside, parent) if inside[k]]
    recurrent = _on_cycles(graph, order)
    first = next((location for location in order if location in recurrent), None)
    if first is None:
        return None
    stem = _back(parent, start, first)
    return stem + _cycle(graph, first, inside)[1:], len(stem) - 1


def _breadth_first(graph: Graph, start: int, through: Mask, parent: Indices) -> Iterator[int]:
    """Locations in the order of their distance; those outside of `through` are met but not left."""
    offsets, targets, parents, passable = graph.offsets.data, graph.targets.data, parent.data, through.data
    parents[start] = start
    queue = deque([start])
    while queue:
        location = queue.popleft()
        yield location
        if not passable[location]:
            continue
        for edge in range(offsets[location], offsets[location + 1]):
            target = targets[edge]
            if parents[target] < 0:
                parents[target] = location
                queue.append(target)


def _back(parent: Indices, start: int, end: int) -> list[int]:
    path = [end]
    while path[-1] != start:
        path.append(int(parent[path[-1]]))
    return path[::-1]


def _cycle(graph: Graph, location: int, inside: Mask) -> list[int]:
    """A shortest cycle through a location, starting with it; it must exist."""
    entering = graph.nowhere()
    entering[graph.predecessors.of(location)] = True
    path = shortest_path(graph, location, inside, entering & inside)
    assert path is not None
    return path


def _on_cycles(graph: Graph, locations: list[int]) -> set[int]:
    """The locations, among these, that lie on a cycle of these: components with an edge of their own."""
    chosen = np.array(locations, dtype=Index)
    local = np.full(graph.size, -1, dtype=Index)
    local[chosen] = np.arange(len(chosen), dtype=Index)
    tails = np.repeat(np.arange(len(chosen), dtype=Index), graph.degrees[chosen])
    heads = local[graph.successors.gather(chosen)]
    kept = heads >= 0
    tails, heads = tails[kept], heads[kept]
    part = rustworkx.PyDiGraph()
    part.add_nodes_from(range(len(chosen)))
    part.extend_from_edge_list(list(zip(tails.tolist(), heads.tolist(), strict=True)))
    large = [c for c in rustworkx.strongly_connected_components(part) if len(c) > 1]
    numbers = {k for component in large for k in component} | set(tails[tails == heads].tolist())
    return {locations[k] for k in numbers}
