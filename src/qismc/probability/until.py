"""`hold U goal` on a transition system: which location decides a path, and how likely that is a goal."""

from __future__ import annotations

from enum import Enum

import numpy as np
import numpy.typing as npt

from qismc.common.lazily import cached_property
from qismc.ctl import Graph, Mask
from qismc.errors import NumericDoubt
from qismc.limits import Tolerance
from qismc.probability.chain import Matrix, spectrum
from qismc.probability.effects import Effects, solve_effects
from qismc.probability.frames import Frames
from qismc.probability.likelihood import REPRESENTATION, Likelihood
from qismc.program import Leaf
from qismc.system import At, Node, TransitionSystem


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
        index = self.system.index(node, point)
        k = self._decisive.searchsorted(index)
        if (
            k == len(self._decisive)
            or self._decisive[k] >= index + (node.end if end is None else end) - point
        ):
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


class NumericUntil:
    """`hold U goal` in floating point: its effects at all stations.

    An effect at a location has the probabilities for the states there as eigenvalues. The location None is
    the start of the program in the states of `init`: others may come to the first location later.
    """

    def __init__(self, frames: Frames, until: Until) -> None:
        self.frames = frames
        self._solved = frames.solved
        self._until = until
        self.decided = {
            k: value
            for k, station in enumerate(frames.stations)
            if (value := self._first(station, station.point)) is not None
        }
        self.effects: Effects = solve_effects(frames.chain, self.decided, Tolerance())

    def _first(self, station: At, point: int) -> float | None:
        """1 or 0 if a goal or a bad location comes first from a point on; None if neither, up to the next.

        0 at the end, which is never left; and where no execution arrives and only an annotation does: no
        likelihood of a location depends on it.
        """
        if not self._solved.system.has(station.node):
            return 0.0
        index = self._first_decisive(station, point)
        if index is not None:
            return float(self._until.goal[index])
        return 0.0 if isinstance(self._solved.explorer.program.code[station.node.last], Leaf) else None

    def _first_decisive(self, station: At, point: int) -> int | None:
        cut = self._solved.posts.cuts.after(*station)
        return self._until.first(station.node, point, None if cut is None else cut.point)

    def decisive_point(self, station: At) -> int:
        """The first point from a station on that decides; the end decides by being the end."""
        index = self._first_decisive(station, station.point)
        return station.point if index is None else self._solved.system.node_of(index).point

    def _station(self, index: int | None) -> tuple[At, int]:
        """The last station before a location, and the location's point."""
        if index is None:
            return self.frames.stations[self.frames.entry], self.frames.stations[self.frames.entry].point
        location = self._solved.system.node_of(index)
        return self._solved.posts.cuts.station_at_or_before(*location), location.point

    def at(self, index: int | None) -> Likelihood | None:
        """The likelihood at a location; None where no state arrives."""
        station, point = self._station(index)
        if station not in self.frames.number:
            return None
        value = self._first(station, point)
        if value is not None:
            return Likelihood.exactly(value)
        if index is not None and not self.frames.is_whole(self.frames.number[station]):
            raise NumericDoubt("rounding hides some of the states that arrive at a location")
        effect, error = self._effect(index)
        return Likelihood.within(*spectrum(effect), spectrum(error)[1])

    def _effect(self, index: int | None) -> tuple[Matrix, Matrix]:
        """The effect and its error at an undecided location."""
        station, _ = self._station(index)
        effect, error = self.effects.onwards(self.frames.number[station])
        if index is not None:
            return effect, error
        start = self.frames.start
        return start.conj().T @ effect @ start, start.conj().T @ error @ start

    def near(self, index: int | None, value: float, least: float = 0.0) -> int:
        """How many eigenvalues at an undecided location may equal a value.

        All that differ by no more than `least` count.
        """
        effect, error = self._effect(index)
        distances = np.abs(np.linalg.eigvalsh(effect) - value)
        return int(np.count_nonzero(distances <= max(spectrum(error)[1], least) + REPRESENTATION))
