"""From paths in the transition system to executions with states, stores and source lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from qismc.evidence.execution import Execution, Kind, Step
from qismc.evidence.path import Path, Visit, path_through
from qismc.evidence.replay import Moment, choose, replay
from qismc.evidence.track import TERMS_KEPT, Track, moves
from qismc.program.statements import Reset
from qismc.program.values import Values
from qismc.subspace.engine import Vector
from qismc.subspace.registry import Numeric
from qismc.system.transition import TransitionSystem

TERMS_SHOWN = 8
STATES_KEPT = 400
"""Longer executions keep so many states only."""


class ExecutionBuilder:
    """Makes executions of one solved program."""

    def __init__(
        self,
        system: TransitionSystem,
        labels: Callable[[int], list[str]],
        simulator: Numeric,
        starts: Callable[[int], Vector],
    ) -> None:
        self._system = system
        self._labels = labels
        self._simulator = simulator
        self._starts = starts

    def from_provenance(self, path: Path, claim: str) -> Execution:
        """The execution along a path with known choices."""
        return self.with_end(path, claim)[0]

    def with_end(self, path: Path, claim: str) -> tuple[Execution, Vector]:
        """The execution along a path with known choices, and the simulated state at its end."""
        moments = self._moments(path)
        return self._execution("path", path, None, claim, moments), moments[-1].state

    def unsimulated(self, path: Path, claim: str) -> Execution:
        """The locations of a path, where there was no room to simulate it."""
        return self._unsimulated("path", [self._index(visit) for visit in path.visits], None, claim)

    def from_locations(
        self, kind: Kind, locations: Sequence[int], loop_start: int | None, claim: str
    ) -> Execution:
        """An execution along a location path; choices are searched for that make it possible."""
        if not locations or locations[0] != 0:
            return self._unsimulated(kind, locations, loop_start, claim)
        open_path = path_through(self._system, self._closed(locations, loop_start))
        visits = choose(self._system.program, self._simulator, open_path, self._starts(0))
        if visits is None:
            return self._unsimulated(kind, locations, loop_start, claim)
        path = Path(visits, 0)
        return self._execution(kind, path, loop_start, claim, self._moments(path))

    @staticmethod
    def _closed(locations: Sequence[int], loop_start: int | None) -> list[int]:
        """A lasso is simulated until it is back at the start of its loop."""
        return [*locations] if loop_start is None else [*locations, locations[loop_start]]

    def _moments(self, path: Path) -> list[Moment]:
        program = self._system.program
        start = self._starts(path.seed)
        return replay(
            program, self._simulator, path, start, program.initial_store, wanted=_shown(path.visits)
        )

    def _execution(
        self, kind: Kind, path: Path, loop_start: int | None, claim: str, moments: Sequence[Moment]
    ) -> Execution:
        complete = len(moments) == len(path.visits)
        steps = tuple(self._step(moment) for moment in moments)
        if loop_start is not None:
            steps = steps[:-1]  # the last one is the start of the loop again
        probability = moments[-1].probability if complete else 0.0
        track = self._track(path.visits, moments[0].state) if complete else None
        return Execution(kind, steps, loop_start, probability, complete, claim, track=track)

    def _track(self, visits: Sequence[Visit], start: Vector) -> Track:
        program = self._system.program
        terms, left_out = self._simulator.largest(start, TERMS_KEPT)
        return Track(program, None if left_out else tuple(terms), moves(program, visits))

    def _step(self, moment: Moment) -> Step:
        visit = moment.visit
        seen = moment.state is not None
        terms, left_out = self._simulator.largest(moment.state, TERMS_SHOWN) if seen else (None, 0)
        return replace(
            self._bare(self._index(visit)),
            store=Values(self._system.program, moment.store),
            terms=None if terms is None else tuple(terms),
            terms_left_out=left_out,
            probability=moment.probability,
            outcome=visit.hop.way.outcome if visit.hop is not None else None,
            choice=self._reset_choice(visit),
        )

    def _reset_choice(self, visit: Visit) -> int | None:
        statement = self._system.program.code[visit.point]
        return visit.choices[0] if isinstance(statement, Reset) and visit.choices else None

    def _index(self, visit: Visit) -> int:
        return self._system.first(visit.node) + visit.point - visit.node.start

    def _bare(self, index: int) -> Step:
        """A location without a state."""
        location = self._system.location(index)
        labels = tuple(self._labels(index))
        return Step(
            location.name, location.point, location.text, location.source, location.values, labels, None
        )

    def _unsimulated(
        self, kind: Kind, locations: Sequence[int], loop_start: int | None, claim: str
    ) -> Execution:
        """A path that starts elsewhere, or that no choice of outcomes makes possible as one run."""
        return Execution(kind, tuple(self._bare(k) for k in locations), loop_start, None, False, claim)


def _shown(visits: Sequence[Visit]) -> frozenset[int]:
    """The steps whose states are kept: all, or the ends of straight runs near the start and near the end."""
    if len(visits) <= STATES_KEPT:
        return frozenset(range(len(visits)))
    ends = [k for k, visit in enumerate(visits) if visit.point in (visit.node.start, visit.node.last)]
    half = STATES_KEPT // 2
    return frozenset({0, len(visits) - 1, *ends[:half], *ends[-half:]})
