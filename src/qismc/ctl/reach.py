"""Reachability in linear time, forwards and backwards: one native routine serves all fixed points."""

from __future__ import annotations

import numpy as np

from qismc import _core
from qismc.ctl.graph import Graph, Index, Indices, Mask, Rows

_NEVER = np.iinfo(Index).max


def forward(graph: Graph, start: Mask, through: Mask | None = None) -> Mask:
    """The locations on paths from `start` whose inner locations are in `through` (default: anywhere)."""
    expand = graph.everywhere if through is None else through
    return _spread(graph.successors, start, np.ones(graph.size, dtype=Index), expand)


def is_closed(graph: Graph, mask: Mask) -> bool:
    """No edge leaves the set."""
    return bool(mask.all()) or not np.any(np.repeat(mask, graph.degrees) & ~mask[graph.targets])


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
