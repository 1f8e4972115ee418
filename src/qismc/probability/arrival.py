"""What arrives at the goals of a path formula: their states at the first visit, forwards from `init`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qismc.common.lazily import cached_property
from qismc.errors import LimitReached, SpecError
from qismc.probability.chain import Matrix, spectrum
from qismc.probability.likelihood import Until
from qismc.probability.visits import Visits, solve_visits

MOST_DIMENSIONS = 8
"""With a larger `init` its d^2 operators take too many solutions."""
SLACK = 4.0
"""A probability is quadratic in the state, so it is wrong by twice as much, with as much to spare."""


@dataclass(frozen=True, eq=False)
class Operators:
    """For an event or an observable: <x|M|x> is its expectation for a start x in `init`."""

    matrix: Matrix
    error: float

    def value(self, what: str) -> float:
        """The one number, if it is the same for all states of `init`."""
        low, high = spectrum((self.matrix + self.matrix.conj().T) / 2)
        if high - low > 2 * self.error:
            raise SpecError(
                f"{what} depends on the state that `init` leaves open: between {low:.6g} and {high:.6g}",
                hint="give one state as init; P=? shows the interval",
            )
        return (low + high) / 2


class Arrivals:
    """The first visits of the goals of `hold U goal`."""

    def __init__(self, until: Until) -> None:
        self.until = until
        self.frames = until.frames
        self.size = self.frames.start.shape[1]
        if self.size > MOST_DIMENSIONS:
            raise LimitReached(
                f"init has {self.size} dimensions, at most {MOST_DIMENSIONS} can be followed forwards",
                hint="give one state as init",
            )

    @cached_property
    def visits(self) -> list[list[Visits]]:
        """visits[i][j] for the operator |i><j| of init."""
        start = self.frames.start
        return [
            [
                solve_visits(
                    self.until.effects, {self.frames.entry: np.outer(start[:, i], start[:, j].conj())}
                )
                for j in range(self.size)
            ]
            for i in range(self.size)
        ]

    @property
    def goals(self) -> list[int]:
        """The vertices where goals are."""
        return [k for k, value in self.until.decided.items() if value == 1.0 and self.frames.chain.dims[k]]

    @property
    def hidden(self) -> list[int]:
        """Vertices where goals are and states arrive, so improbable that numbers do not see them."""
        dims = self.frames.chain.dims
        return [k for k, value in self.until.decided.items() if value == 1.0 and not dims[k]]

    @cached_property
    def error(self) -> float:
        """A bound for the probability of any event at the vertices of the goals."""
        return float(self.size * max(v.residual for row in self.visits for v in row) + self._coming)

    @property
    def _coming(self) -> float:
        """What is rounded on the way to the goals; nothing but the start where it is one itself."""
        if self.frames.entry in self.until.decided:
            return SLACK * self.frames.start_rounding
        _, bound = self.until.effects.onwards(self.frames.entry)
        return spectrum(bound)[1]

    def weight(self, vertices: list[int], observable: dict[int, Matrix] | None = None) -> Operators:
        """The expectation of arriving at one of the vertices, times an observable there."""
        found = np.zeros((self.size, self.size), dtype=complex)
        for i, row in enumerate(self.visits):
            for j, visits in enumerate(row):
                for k in vertices:
                    if k in visits.values:
                        state = visits.values[k]
                        found[j, i] += np.trace(state if observable is None else observable[k] @ state)
        return Operators(found, self.error)
