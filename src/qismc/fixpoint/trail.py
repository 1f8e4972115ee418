"""Arrivals along one given execution, whose vectors are computed where somebody asks for them."""

from __future__ import annotations

from qismc.engines import Engine, Vector
from qismc.fixpoint.propagate import Arrival
from qismc.fixpoint.stations import At
from qismc.system import Application, Explorer, Hop, Stretch

LONGEST_BLOCK = 256
"""Longer stretches are compiled in parts."""


def acted(explorer: Explorer, arrival: Arrival) -> tuple[Stretch, list[Application]]:
    """What acts between the arrival before and this one: gates, then the chosen Kraus operators."""
    assert arrival.parent is not None and arrival.way is not None
    node, point = arrival.parent.station
    hop = arrival.way
    if isinstance(hop, At):
        return explorer.gates(point, hop.point), []
    chosen = [family[k] for family, k in zip(hop.way.families, arrival.choices, strict=True)]
    return explorer.gates(point, node.end), chosen


class Trail:
    """One execution as a chain of arrivals at its nodes, which can be asked for their vectors."""

    def __init__(self, explorer: Explorer, engine: Engine, start: At, vector: Vector, seed: int) -> None:
        self.explorer = explorer
        self.engine = engine
        self.arrivals = [Arrival(start, self, seed=seed)]
        self._known = {self.arrivals[0]: vector}

    @property
    def last(self) -> Arrival:
        return self.arrivals[-1]

    def go(self, hop: Hop, choices: tuple[int, ...]) -> None:
        """Leave the last node through a hop, with these Kraus operators."""
        hop.taken = True
        target = self.explorer.target(hop)
        self.arrivals.append(Arrival(At(target, target.start), self, self.last, hop, choices))

    def knows(self, arrival: Arrival) -> bool:
        """Is the vector there without computing?"""
        return arrival in self._known

    def vector(self, arrival: Arrival) -> Vector:
        """The state on the execution, from the nearest earlier one that is known."""
        if arrival not in self._known:
            self._known[arrival] = self._computed(arrival)
        return self._known[arrival]

    pin = vector

    def _computed(self, arrival: Arrival) -> Vector:
        pending: list[Arrival] = []
        here = arrival
        while here not in self._known:
            pending.append(here)
            assert here.parent is not None, "the vector of the start is given"
            here = here.parent
        parts = [part for link in reversed(pending) for part in acted(self.explorer, link)]
        steps = [application for part in parts for application in part]
        vector = self._known[here]
        for k in range(0, len(steps), LONGEST_BLOCK):
            vector = self.engine.run(self.engine.compile(steps[k : k + LONGEST_BLOCK]), vector)
        return vector
