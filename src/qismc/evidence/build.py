"""From paths in the transition system to executions with states, stores and source lines.

The states that arrive at locations, for pages that show them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from qismc.engines import Numeric, Vector
from qismc.errors import QismcError, Undecided
from qismc.evidence.execution import TERMS_KEPT, Execution, Step, Track
from qismc.evidence.later import Later, LaterList
from qismc.evidence.proof import Kind
from qismc.evidence.replaying import LargestTerms, Path, Pictures, Replay, Visit, acting, replayed
from qismc.fixpoint import FloatReplay, Solved, has_dropped, is_same, is_stretched
from qismc.program import Reset, Store
from qismc.propositions import Term
from qismc.system import TransitionSystem

NO_EXECUTION = "a step of it is impossible within rounding"
NOT_POSSIBLE = "a path of the transition system, not simulated"


@dataclass
class ExecutionBuilder:
    """Makes executions of one solved program."""

    _system: TransitionSystem
    _labels: Callable[[int], list[str]]
    _simulator: Numeric
    _starts: Callable[[int], tuple[Vector, Store]]
    _replayed: tuple[Path, Replay] | None = None
    """The path that was replayed last."""

    def replay(self, path: Path, *, pictures: bool = False) -> Replay:
        """The simulation of a path with known choices; several formulas may be broken by the same one."""
        if self._replayed is None or self._replayed[0] != path:
            self._replayed = path, self.follow(path.visits, *self._starts(path.seed), pictures=pictures)
        return self._replayed[1]

    def follow(
        self, visits: Sequence[Visit], start: Vector, store: Store, *, pictures: bool = False
    ) -> Replay:
        """The simulation of visits, with pictures of the states for those who look at once."""
        program, simulator = self._system.program, self._simulator
        taken = Pictures(simulator, visits) if pictures else None
        return replayed(program, simulator, visits, start, store, pictures=taken)

    def execution(self, path: Path, claim: str) -> Execution:
        """The execution along a path with known choices."""
        return self.along(self.replay(path), claim)

    def is_steady(
        self, path: Path, perturbed: Numeric, starts: Callable[[int], tuple[Vector, Store]]
    ) -> bool:
        """Is the execution along a path possible, and the same for angles that tremble?"""
        passed = self.replay(path)
        if not passed.complete:
            return False
        again = replayed(self._system.program, perturbed, path.visits, *starts(path.seed))
        end, other = passed.last, again.last
        if has_dropped(perturbed, sqrt(end.probability)):
            return False
        if not again.complete or is_stretched(end.probability, other.probability):
            return False
        state = end.state
        if state is not None and perturbed.dense:
            state = self._simulator.listed(state)
        return is_same(perturbed, state, other.state)

    def along(self, passed: Replay, claim: str, loop_start: int | None = None) -> Execution:
        """An execution from its replay; that of a lasso ends at the start of its loop."""
        probability, shown = passed.last.probability if passed.complete else 0.0, len(passed)
        if loop_start is not None and passed.complete:
            shown -= 1  # the last one is the start of the loop again
            probability /= passed.stage(loop_start).probability
        pictures = Later(lambda: self._pictures(passed))
        return Execution(
            _kind(loop_start),
            LaterList.each(shown, lambda k: self._step(passed, k, pictures().get(k, LargestTerms()))),
            loop_start,
            probability,
            passed.complete,
            claim,
            "" if passed.complete else NO_EXECUTION,
            track=self._track(passed) if passed.complete else None,
        )

    def unsimulated(self, path: Path, claim: str) -> Execution:
        """The locations of a path, where there was no room to simulate it."""
        return self.located([self._system.index(*visit[:2]) for visit in path.visits], None, claim)

    def located(
        self, locations: Sequence[int], loop_start: int | None, claim: str, note: str = NOT_POSSIBLE
    ) -> Execution:
        """A path of the graph as it is: no execution is known that takes it."""
        at, labels = self._system.location, self._labels
        steps = LaterList.each(len(locations), lambda k: Step.at(at(locations[k]), labels(locations[k])))
        return Execution(_kind(loop_start), steps, loop_start, None, False, claim, note)

    def _track(self, passed: Replay) -> Track:
        program, visits, start = self._system.program, passed.visits, passed.first.state

        def first() -> tuple[Term, ...] | None:
            terms, left_out = self._simulator.largest(start, TERMS_KEPT)
            return None if left_out else tuple(terms)

        moves = Later(lambda: tuple(acting(program, visit) for visit in visits[:-1]))
        return Track(program, Later(first), moves)

    def _pictures(self, passed: Replay) -> Mapping[int, LargestTerms]:
        """The states on the way, by step; none where there is no time to simulate them once more."""
        if passed.pictures is not None:
            return passed.pictures
        self._simulator.restart()
        try:
            again = self.follow(passed.visits, passed.first.state, passed.first.store, pictures=True)
        except Undecided:
            return {}
        return again.pictures or {}

    def _step(self, passed: Replay, number: int, picture: LargestTerms) -> Step:
        visit, stage = passed.visits[number], passed.stage(number)
        reset = isinstance(self._system.program.code[visit.point], Reset) and bool(visit.choices)
        index = self._system.index(*visit[:2])
        return Step.at(
            replace(self._system.location(index), store=stage.store),
            self._labels(index),
            terms=picture.terms,
            terms_left_out=picture.left_out,
            probability=stage.probability,
            outcome=visit.outcome,
            choice=visit.choices[0] if reset else None,
        )


def _kind(loop_start: int | None) -> Kind:
    return "path" if loop_start is None else "lasso"


STATES_SHOWN = 4


@dataclass
class Arrived:
    """Numeric states at the locations of a solved system, computed when somebody looks.

    They do not travel: a pickled copy is empty.
    """

    _solved: Solved | None = None
    _replay: Later[FloatReplay] | None = None

    def __reduce__(self) -> tuple[type[Arrived], tuple[()]]:
        return Arrived, ()

    def at(self, index: int) -> tuple[int, tuple[LargestTerms, ...]] | None:
        """dim sp of a location, and some of the states that span it; None where that is not known."""
        if self._solved is None or self._replay is None:
            return None
        replay = self._replay()
        node, point = self._solved.system.node_of(index)
        try:
            found = self._solved.posts.at(node, point)
            shown = (replay.at(one, point) for one in found[:STATES_SHOWN])
            return len(found), tuple(LargestTerms.of(replay.engine, state) for state in shown)
        except (Undecided, QismcError):
            return None
