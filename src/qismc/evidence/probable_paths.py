"""Why a probability is too low or too high: the likeliest executions that make up the difference."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, pairwise
from typing import NamedTuple

import numpy as np

from qismc.evidence.path import Path, Visit
from qismc.probability import Arrow, Matrix, Until

MOST_EXPANDED = 20_000
"""Steps of the search; a run of a loop may have very many outcomes."""
LEAST = 1e-12
"""Executions that are less likely than this are not followed."""
CLOSE = 1e-9
"""A state that is trapped, or has no way to the goal, up to this probability."""


@dataclass(frozen=True, eq=False)
class Trail:
    """A vertex that was reached, and how."""

    vertex: int
    column: Matrix
    before: Trail | None = None
    arrow: Arrow | None = None

    @property
    def weight(self) -> float:
        return float(np.vdot(self.column, self.column).real)


class Likely(NamedTuple):
    """An execution with its probability."""

    path: Path
    probability: float


def start_column(until: Until, *, reaching: bool) -> Matrix:
    """The start state that makes the goal likeliest, or least likely, in coordinates."""
    start = until.frames.start
    _, vectors = np.linalg.eigh(start.conj().T @ until.effects.onwards(until.frames.entry)[0] @ start)
    return np.asarray(start @ vectors[:, -1 if reaching else 0])


def likely(until: Until, start: Matrix, *, reaching: bool) -> Iterator[Likely]:
    """Executions that reach the goal, or that never do, the likeliest first."""
    serial, first = count(), Trail(until.frames.entry, start)
    heap = [(-1.0, next(serial), first)]
    for _ in range(MOST_EXPANDED):
        if not heap:
            return
        weight, _, trail = heapq.heappop(heap)
        decided = _decided(until, trail, reaching=reaching)
        if decided is True:
            yield Likely(_path(until, trail), -weight)
        if decided is not None:
            continue
        frames = until.frames
        for arrow, edge in zip(frames.arrows[trail.vertex], frames.chain.edges[trail.vertex], strict=True):
            following = Trail(edge.target, edge.matrix @ trail.column, trail, arrow)
            if following.weight > LEAST:
                heapq.heappush(heap, (-following.weight, next(serial), following))


def _decided(until: Until, trail: Trail, *, reaching: bool) -> bool | None:
    """Does the execution show what is wanted here (or can it no more)? None: it must go on."""
    k = trail.vertex
    if k in until.decided:
        return (until.decided[k] == 1.0) == reaching
    effect = until.effects.values[k]
    chance = float(np.vdot(trail.column, effect @ trail.column).real) / trail.weight
    if reaching:
        return False if chance < CLOSE else None
    if until.effects.stays(k, trail.column) > 1 - CLOSE:
        return True
    return False if chance > 1 - CLOSE else None


def _path(until: Until, trail: Trail) -> Path:
    """The visited locations, up to the one that decides."""
    visits: list[Visit] = []
    chain = [trail]
    while chain[-1].before is not None:
        chain.append(chain[-1].before)
    chain.reverse()
    for here, after in pairwise(chain):
        node, point = until.frames.stations[here.vertex]
        arrow = after.arrow
        assert arrow is not None
        if arrow.hop is None:
            last = until.frames.stations[after.vertex].point
            visits += [Visit(node, p) for p in range(point, last)]
        else:
            visits += [Visit(node, p) for p in range(point, node.last)]
            visits.append(Visit(node, node.last, arrow.hop, arrow.choices))
    station = until.frames.stations[trail.vertex]
    end = until.decisive_point(station) if trail.vertex in until.decided else station.point
    visits += [Visit(station.node, p) for p in range(station.point, end + 1)]
    return Path(tuple(visits), 0)
