"""`hold U goal` on a transition system: which location of a node decides, and which nodes leave it open."""

from __future__ import annotations

from enum import Enum

import numpy as np
import numpy.typing as npt

from qismc.common.lazily import cached_property
from qismc.ctl import Graph, Mask
from qismc.system import Node, TransitionSystem


class Status(Enum):
    """What a node means for `hold U goal`."""

    GOAL = "goal"
    BAD = "bad"
    OPEN = "open"


class Until:
    """The first location with the goal, or without both, decides a path."""

    def __init__(self, system: TransitionSystem, hold: Mask, goal: Mask) -> None:
        self.system = system
        self.goal = goal
        self._decisive = np.flatnonzero(goal | ~hold)

    def first(self, node: Node, point: int, end: int | None = None) -> int | None:
        """The first decisive location at points point <= p < end of a node (default: to the node's end)."""
        shift = self.system.first(node) - node.start
        k = self._decisive.searchsorted(shift + point)
        if k == len(self._decisive) or self._decisive[k] >= shift + (node.end if end is None else end):
            return None
        return int(self._decisive[k])

    def status(self, node: Node, point: int | None = None) -> Status:
        """What a node means from a point on (default: from its start on)."""
        index = self.first(node, node.start if point is None else point)
        if index is None:
            return Status.OPEN
        return Status.GOAL if self.goal[index] else Status.BAD

    # --- by the number of the node -----------------------------------------------------------------------

    @cached_property
    def graph(self) -> Graph:
        """The nodes of the system, from their starts on."""
        return Graph.from_edges(len(self.system.nodes), *self.system.moves)

    @cached_property
    def open(self) -> Mask:
        """The nodes without a decisive location."""
        return np.asarray(self._deciding >= self.system.offsets[1:])

    @cached_property
    def goals(self) -> Mask:
        """The nodes whose first decisive location is a goal."""
        return np.asarray(~self.open & np.append(self.goal, False)[self._deciding])

    @cached_property
    def _deciding(self) -> npt.NDArray[np.int64]:
        """The first decisive location that is not before the node."""
        offsets = self.system.offsets
        following = np.append(self._decisive, offsets[-1])
        return np.asarray(following[self._decisive.searchsorted(offsets[:-1])])
