"""Reachability in linear time, forwards and backwards.

One routine serves all fixed points: large frontiers advance by whole arrays, small ones location by location,
so that neither a wide graph nor a chain of a million locations is slow.
"""

from __future__ import annotations

import numpy as np

from qismc.ctl.graph import Graph, Index, Indices, Mask, Rows

BATCH = 256
"""Frontiers of this size are worth a round of array operations."""

_NEVER = np.iinfo(Index).max


def forward(graph: Graph, start: Mask, through: Mask | None = None) -> Mask:
    """The locations on paths from `start` whose inner locations are in `through` (default: anywhere)."""
    expand = graph.everywhere() if through is None else through
    if through is None and is_closed(graph, start):
        return start
    return _spread(graph.successors, start, np.ones(graph.size, dtype=Index), expand)


def is_closed(graph: Graph, mask: Mask) -> bool:
    """No edge leaves the set."""
    return bool(mask.all()) or not np.any(np.repeat(mask, graph.degrees) & ~mask[graph.targets])


def until_on_some_path(graph: Graph, hold: Mask, goal: Mask) -> Mask:
    """E[hold U goal]: the least set with goal, and with hold where one edge leads into the set."""
    return _spread(graph.predecessors, goal, np.where(hold, 1, _NEVER).astype(Index), graph.everywhere())


def until_on_all_paths(graph: Graph, hold: Mask, goal: Mask) -> Mask:
    """A[hold U goal]: the least set with goal, and with hold where all edges lead into the set."""
    return _spread(graph.predecessors, goal, np.where(hold, graph.degrees, _NEVER), graph.everywhere())


def _spread(rows: Rows, start: Mask, missing: Indices, expand: Mask) -> Mask:
    """The least set R with start where l joins as soon as missing[l] of the edges from R & expand reach it.

    `missing` is used up: it counts the edges that have not reached l yet.
    """
    inside: Mask = start.copy()
    missing[start] = _NEVER
    frontier = np.flatnonzero(start & expand).astype(Index)
    while len(frontier):
        step = _sweep if len(frontier) >= BATCH else _walk
        frontier = step(rows, frontier, inside, missing, expand)
    return inside


def _sweep(rows: Rows, frontier: Indices, inside: Mask, missing: Indices, expand: Mask) -> Indices:
    """Expand all of the frontier at once; return the next one."""
    touched, times = np.unique(rows.gather(frontier), return_counts=True)
    before = missing[touched]
    after = before - times.astype(Index)
    missing[touched] = after
    joined = touched[(before > 0) & (after <= 0)]
    inside[joined] = True
    return joined[expand[joined]]


def _walk(rows: Rows, frontier: Indices, inside: Mask, missing: Indices, expand: Mask) -> Indices:
    """Expand location by location until nothing is left or the frontier has grown large."""
    offsets, neighbours = rows.offsets.data, rows.neighbours.data
    marks, counts, allowed = inside.data, missing.data, expand.data
    stack = frontier.tolist()
    while stack and len(stack) < 4 * BATCH:
        location = stack.pop()
        for edge in range(offsets[location], offsets[location + 1]):
            neighbour = neighbours[edge]
            count = counts[neighbour] - 1
            counts[neighbour] = count
            if count == 0:
                marks[neighbour] = True
                if allowed[neighbour]:
                    stack.append(neighbour)
    return np.array(stack, dtype=Index)
