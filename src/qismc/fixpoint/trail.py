"""Arrivals along one given execution, whose vectors are computed where somebody asks for them."""

from __future__ import annotations

from qismc.fixpoint.propagate import Arrival, Move
from qismc.fixpoint.stations import At
from qismc.subspace.engine import Engine, Vector
from qismc.system.edges import Application
from qismc.system.explorer import Explorer, Hop

LONGEST_BLOCK = 256
"""Longer stretches are compiled in parts."""


def acted(explorer: Explorer, arrival: Arrival) -> list[Application]:
    """The operators between the arrival before and this one: gates, then the chosen Kraus operators."""
    assert arrival.parent is not None and arrival.move is not None
    node, point = arrival.parent.station
    hop = arrival.move.hop
    steps = list(explorer.gates(point, hop.point if isinstance(hop, At) else node.end))
    if not isinstance(hop, At):
        steps += [family[k] for family, k in zip(hop.way.families, arrival.choices, strict=True)]
    return steps


class Trail:
    """One execution as a chain of arrivals at its nodes: each can be asked for its vector."""

    def __init__(self, explorer: Explorer, engine: Engine, first: Arrival) -> None:
        self.explorer = explorer
        self.engine = engine
        self.arrivals = [first]

    @property
    def last(self) -> Arrival:
        return self.arrivals[-1]

    def go(self, hop: Hop, choices: tuple[int, ...]) -> None:
        """Leave the last node through a hop, with these Kraus operators."""
        hop.taken = True
        target = self.explorer.target(hop)
        self.arrivals.append(_LateArrival(self, At(target, target.start), Move((), hop), choices))

    def vector(self, arrival: Arrival) -> Vector:
        """The state on the execution, from the nearest earlier one that is known."""
        pending: list[Arrival] = []
        here: Arrival | None = arrival
        while isinstance(here, _LateArrival) and not here.known:
            pending.append(here)
            here = here.parent
        assert here is not None
        steps = [application for link in reversed(pending) for application in acted(self.explorer, link)]
        vector = here.vector
        for k in range(0, len(steps), LONGEST_BLOCK):
            vector = self.engine.run(self.engine.compile(steps[k : k + LONGEST_BLOCK]), vector)
        return vector


class _LateArrival(Arrival):
    """An arrival of a trail, next after the last one so far."""

    def __init__(self, trail: Trail, station: At, move: Move, choices: tuple[int, ...]) -> None:
        self._trail = trail
        self._vector: Vector = None
        self.station = station
        self.parent = trail.last
        self.move = move
        self.choices = choices
        self.seed = None

    @property
    def known(self) -> bool:
        return self._vector is not None

    @property
    def vector(self) -> Vector:
        if not self.known:
            self._vector = self._trail.vector(self)
        return self._vector

    @vector.setter
    def vector(self, vector: Vector) -> None:
        self._vector = vector
