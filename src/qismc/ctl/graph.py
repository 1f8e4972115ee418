"""Finite total graphs as compressed rows, reachability in linear time, shortest paths and lassos.

targets[offsets[l]:offsets[l+1]] follow location l. One native routine serves all fixed points.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qismc import _core
from qismc.common.graphs import on_cycles
from qismc.common.lazily import cached_property

Index = np.int32
Indices = NDArray[np.int32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Rows:
    """Neighbours of each location, in compressed rows."""

    offsets: Indices
    neighbours: Indices

    def of(self, location: int) -> Indices:
        """The neighbours of one location."""
        return self.neighbours[self.offsets[location] : self.offsets[location + 1]]


@dataclass(frozen=True, eq=False)
class Graph:
    """Locations 0 … size-1 with at least one successor each; `initial` is where executions start."""

    offsets: Indices
    targets: Indices
    initial: int = 0

    def __post_init__(self) -> None:
        offsets = np.ascontiguousarray(self.offsets, dtype=Index)
        targets = np.ascontiguousarray(self.targets, dtype=Index)
        object.__setattr__(self, "offsets", offsets)
        object.__setattr__(self, "targets", targets)
        _check(offsets, targets, self.initial)

    @classmethod
    def from_edges(cls, size: int, sources: ArrayLike, targets: ArrayLike, initial: int = 0) -> Graph:
        """The graph with these edges; the successors of a location keep their order."""
        tails, heads = np.asarray(sources, dtype=Index), np.asarray(targets, dtype=Index)
        if len(tails) and not 0 <= tails.min() <= tails.max() < size:
            raise ValueError(f"edges leave locations outside of 0 … {size - 1}")
        offsets = np.concatenate(([0], np.cumsum(np.bincount(tails, minlength=size)))).astype(Index)
        return cls(offsets, heads[np.argsort(tails, kind="stable")], initial)

    @cached_property
    def size(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def successors(self) -> Rows:
        return Rows(self.offsets, self.targets)

    @cached_property
    def predecessors(self) -> Rows:
        return Rows(*_core.reversed_rows(self.offsets, self.targets))

    @property
    def sources(self) -> Indices:
        """The location that each edge leaves."""
        return np.repeat(np.arange(self.size, dtype=Index), self.degrees)

    @property
    def degrees(self) -> Indices:
        """The number of edges that leave each location."""
        return np.diff(self.offsets)

    def nowhere(self) -> Mask:
        """The empty set of locations."""
        return np.zeros(self.size, dtype=bool)

    @cached_property
    def everywhere(self) -> Mask:
        """The set of all locations, which nobody may change."""
        mask = ~self.nowhere()
        mask.flags.writeable = False
        return mask

    def only(self, location: int) -> Mask:
        """The set of one location."""
        mask = self.nowhere()
        mask[location] = True
        return mask


def _check(offsets: Indices, targets: Indices, initial: int) -> None:
    size = len(offsets) - 1
    if _core.rows_are_total(offsets, targets) and 0 <= initial < size:
        return
    if size < 1:
        raise ValueError("a graph needs at least one location")
    if offsets[0] != 0 or offsets[-1] != len(targets):
        raise ValueError(f"offsets run from {offsets[0]} to {offsets[-1]}, edges from 0 to {len(targets)}")
    dead = np.flatnonzero(np.diff(offsets) < 1)
    if len(dead):
        raise ValueError(f"location {dead[0]} has no successor")
    if not 0 <= targets.min() <= targets.max() < size:
        raise ValueError(f"edges lead to locations outside of 0 … {size - 1}")
    if not 0 <= initial < size:
        raise ValueError(f"the initial location {initial} is outside of 0 … {size - 1}")


# --- reachability -------------------------------------------------------------------------------------------

_NEVER = np.iinfo(Index).max


def forward(graph: Graph, start: Mask, through: Mask | None = None) -> Mask:
    """The locations on paths from `start` whose inner locations are in `through` (default: anywhere)."""
    expand = graph.everywhere if through is None else through
    return _spread(graph.successors, start, np.ones(graph.size, dtype=Index), expand)


def until_on_some_path(graph: Graph, hold: Mask, goal: Mask) -> Mask:
    """E[hold U goal]: the least set with goal, and with hold where one edge leads into the set."""
    return _spread(graph.predecessors, goal, np.where(hold, 1, _NEVER).astype(Index), graph.everywhere)


def until_on_all_paths(graph: Graph, hold: Mask, goal: Mask) -> Mask:
    """A[hold U goal]: the least set with goal, and with hold where all edges lead into the set."""
    return _spread(graph.predecessors, goal, np.where(hold, graph.degrees, _NEVER), graph.everywhere)


def _spread(rows: Rows, start: Mask, missing: Indices, expand: Mask) -> Mask:
    """The least set R with start where l joins as soon as missing[l] of the edges from R & expand reach it.

    `missing` is used up: it counts the edges that have not reached l yet.
    """
    inside: Mask = start.copy()
    _core.spread(rows.offsets, rows.neighbours, inside, missing, expand)
    return inside


# --- paths --------------------------------------------------------------------------------------------------

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
    recurrent = on_cycles(order, lambda location: graph.successors.of(location).tolist())
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
