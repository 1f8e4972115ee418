"""When a place is visited first: the solved system and the probabilities of coming there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qismc.chances import Chances
from qismc.conditions import places
from qismc.fixpoint.stations import At
from qismc.model import Model
from qismc.program.reserved import LOCATION
from qismc.quantities.arrival import Arrivals
from qismc.quantities.likelihood import Likelihood
from qismc.solve import Solved
from qismc.spec import syntax
from qismc.system.flow import all_bits

REACHED = syntax.Probability("=?", "F", (syntax.Constant(True),))
"""`F goal`; which locations are goals is told beside it."""


@dataclass(frozen=True, eq=False)
class Survey:
    """The first visits of a place."""

    model: Model
    solved: Solved
    arrivals: Arrivals
    reached: Likelihood

    @classmethod
    def of(cls, model: Model, at: str | int, observed: int) -> Survey:
        """Locations are merged that differ in bits outside of `observed` only. The clock has been started."""
        numbered = isinstance(at, int) or LOCATION.match(at) is not None
        mask = all_bits(model.program) if model.annotated or numbered else observed
        solved = model.solved(mask)
        goal = np.zeros(solved.system.num_locations, dtype=bool)
        for node, point in places(model.program, at, solved.system):
            goal[solved.system.first(node) + point - node.start] = True
        chances = Chances(solved, model.budget, lambda _: goal)
        until, _ = chances.path(REACHED)
        return cls(model, solved, Arrivals(until), chances.likelihood(REACHED))

    def station(self, vertex: int) -> At:
        return self.arrivals.frames.stations[vertex]

    def location(self, vertex: int) -> int:
        """The number of the location that is visited at a vertex."""
        station = self.station(vertex)
        point = self.arrivals.until.decisive_point(station)
        return self.solved.system.first(station.node) + point - station.node.start

    @property
    def unfinished(self) -> float:
        """The probability of never coming there, exactly 0 or 1 if it is."""
        return 1 - self.reached.low if self.reached.low in (0.0, 1.0) else 1 - float(self.reached)
