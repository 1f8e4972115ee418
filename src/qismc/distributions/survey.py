"""The first visits of a place: the part of the program they depend on, solved, and their probabilities."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from qismc.common.lazily import cached_property
from qismc.ctl import Mask
from qismc.errors import LimitReached, SpecError
from qismc.fixpoint import Solved
from qismc.language import ZERO, syntax
from qismc.model import Model, places
from qismc.probability import Chances, Likelihood, Matrix, NumericUntil, Visits, solve_visits, spectrum
from qismc.program import LOCATION, Program, Variable, ending_at, reading_only
from qismc.system import Application, At, all_bits, roundings

_PARTS: WeakKeyDictionary[Model, dict[Hashable, Model | None]] = WeakKeyDictionary()
"""Models of parts, by what was asked: the next question about the same place finds them solved."""


def up_to(model: Model, at: str | int) -> Model:
    """A model with the same first visits of a place and, where that is a mark, with nothing behind them."""
    if isinstance(at, int):
        return model
    return _part(model, at, lambda program: ending_at(program, at))


def read_by(model: Model, observed: int) -> Model:
    """A model with the same probabilities of some bits at the end, which measures no others there.

    Its states at the end are others: measurements that are left out do not dephase their qubits.
    """
    return _part(model, observed, lambda program: reading_only(program, observed))


def _part(model: Model, key: Hashable, cut: Callable[[Program], Program | None]) -> Model:
    """The same start and options with a part of the program; the model itself where there is no such part.

    Nothing is cut where faults count statements or annotations speak of places that no execution reaches.
    """
    if model.faults is not None or model.needs_graph:
        return model
    parts = _PARTS.setdefault(model, {})
    if key not in parts:
        program = cut(model.given_program)
        parts[key] = None if program is None else Model.of(program, **model.options)
    found = parts[key] or model
    found.budget.restart()
    return found


MOST_DIMENSIONS = 8
"""Largest dimension d of `init` that is followed forwards: it takes d^2 solutions of the equations."""
SLACK = 4.0
"""Error of a probability per error of a state: 2 because it is quadratic, times 2 to spare."""


@dataclass(frozen=True, eq=False)
class StartForm:
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

    def __init__(self, until: NumericUntil) -> None:
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

    def weight(self, vertices: list[int], observable: dict[int, Matrix] | None = None) -> StartForm:
        """The expectation of arriving at one of the vertices, times an observable there."""
        found = np.zeros((self.size, self.size), dtype=complex)
        for i, row in enumerate(self.visits):
            for j, visits in enumerate(row):
                for k in vertices:
                    if k in visits.values:
                        state = visits.values[k]
                        found[j, i] += np.trace(state if observable is None else observable[k] @ state)
        return StartForm(found, self.error)


GOAL, CHOSEN = syntax.Constant(True), syntax.Constant(False)
"""They stand for locations that are told beside a formula."""
REACHED = syntax.Probability("=?", "F", (GOAL,))
NEVER = syntax.Threshold("<=", ZERO)
AT_CHOSEN = syntax.Probability(NEVER, "U", (syntax.Not(GOAL), CHOSEN))


@dataclass(frozen=True, eq=False)
class Survey:
    """The first visits of a place."""

    model: Model
    solved: Solved
    arrivals: Arrivals
    reached: Likelihood
    goal: Mask
    """The locations of the place."""

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
        return cls(model, solved, Arrivals(until), chances.answer(REACHED), goal)

    def station(self, vertex: int) -> At:
        return self.arrivals.frames.stations[vertex]

    def location(self, vertex: int) -> int:
        """The number of the location that is visited at a vertex."""
        station = self.station(vertex)
        point = self.arrivals.until.decisive_point(station)
        return self.solved.system.first(station.node) + point - station.node.start

    def grouped(self, variables: Sequence[Variable]) -> dict[tuple[int, ...], list[int]]:
        """The vertices of the place by the values of some variables."""
        found: dict[tuple[int, ...], list[int]] = {}
        for vertex in self.arrivals.goals:
            found.setdefault(self.values(vertex, variables), []).append(vertex)
        return found

    def values(self, vertex: int, variables: Sequence[Variable]) -> tuple[int, ...]:
        """What some variables are at a vertex."""
        store = self.station(vertex).node.store
        return tuple(variable.value(store) for variable in variables)

    def gates(self, vertex: int) -> list[Application]:
        """What acts between a vertex and the visit, which may come later in the same run of gates."""
        station = self.station(vertex)
        return list(self.solved.explorer.gates(station.point, self.arrivals.until.decisive_point(station)))

    def error(self, further: float = 0.0) -> float:
        """A bound for the probability of any event in the states of the visits.

        The gates up to there round as well, and so many factors that act further.
        """
        last = max((roundings(self.gates(k)) for k in self.arrivals.goals), default=0.0)
        return self.arrivals.error + SLACK * (last + further) * self.arrivals.frames.rounding

    def is_possible(self, chosen: Mask) -> bool:
        """May the first visit be at one of these locations? As exactly as the engine decides about zero."""
        known = {CHOSEN: self.goal & chosen, syntax.Not(GOAL): ~self.goal}
        chances = Chances(self.solved, self.model.budget, known.__getitem__)
        return not chances.from_start(AT_CHOSEN, NEVER)

    @property
    def unfinished(self) -> float:
        """The probability of never coming there, exactly 0 or 1 if it is."""
        return 1 - self.reached.low if self.reached.low in (0.0, 1.0) else 1 - float(self.reached)
