"""From paths in the transition system to executions with states, stores and source lines.

The states that arrive at locations, for pages that show them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from math import sqrt
from typing import NamedTuple

from qismc.engines import Numeric, Vector
from qismc.errors import QismcError, Undecided
from qismc.evidence.execution import TERMS_KEPT, Execution, Step, Track
from qismc.evidence.later import Later, LaterList
from qismc.evidence.proof import Kind
from qismc.evidence.replaying import Moment, Moments, Path, Visit, moves, replay, stages
from qismc.fixpoint import Shadow, Solved, has_dropped, is_same, is_stretched
from qismc.program import Reset, Store, Values
from qismc.propositions import Term
from qismc.system import TransitionSystem

TERMS_SHOWN = 8
STATES_KEPT = 400
AMPLITUDES_LOOKED_AT = 40_000
"""Longer executions keep so many states only, and fewer where states of many qubits take long to look at."""
BYTES_LOOKED_AT = 1 << 29
FEWEST_STATES = 8
"""States of so many bytes together are looked at, but a few always; those near the start and near the end."""


NO_EXECUTION = "a step of it is impossible within rounding"
NOT_POSSIBLE = "a path of the transition system, not simulated"


Picture = tuple[tuple[Term, ...] | None, int]
"""The largest terms of a state, and how many others there are; None where it was not simulated."""
NO_PICTURE: Picture = (None, 0)


def pictures(simulator: Numeric, moments: Iterable[Moment]) -> dict[int, Picture]:
    """The states that a replay passes, written out, by step; none where there is no time to simulate them."""
    found: dict[int, Picture] = {}
    simulator.restart()
    try:
        for number, moment in enumerate(moments):
            if moment.state is not None:
                terms, left_out = simulator.largest(moment.state, TERMS_SHOWN)
                found[number] = tuple(terms), left_out
    except Undecided:
        return {}
    return found


class ExecutionBuilder:
    """Makes executions of one solved program."""

    def __init__(
        self,
        system: TransitionSystem,
        labels: Callable[[int], list[str]],
        simulator: Numeric,
        starts: Callable[[int], tuple[Vector, Store]],
    ) -> None:
        self._system = system
        self._labels = labels
        self._simulator = simulator
        self._starts = starts
        self._replayed: tuple[Path, Moments] | None = None

    def from_provenance(self, path: Path, claim: str) -> Execution:
        """The execution along a path with known choices."""
        return self.with_end(path, claim)[0]

    def with_end(self, path: Path, claim: str) -> tuple[Execution, Moment]:
        """The execution along a path with known choices, and how it ends."""
        moments = self._along_path(path)
        return self.along("path", moments, None, claim), moments[-1]

    def probability(self, path: Path) -> float:
        """Of the execution along a path."""
        return self._along_path(path)[-1].probability

    def is_steady(
        self, path: Path, trembling: Numeric, starts: Callable[[int], tuple[Vector, Store]]
    ) -> bool:
        """Is the execution along a path possible, and the same for angles that tremble?"""
        moments = self._along_path(path)
        if not moments.complete:
            return False
        program, visits, wanted = self._system.program, path.visits, (0, len(path.visits) - 1)
        again = Moments(visits, stages(program, trembling, visits, *starts(path.seed), wanted=wanted))
        end, other = moments[-1], again[-1]
        if has_dropped(trembling, sqrt(end.probability)):
            return False
        if len(again) != len(moments) or is_stretched(end.probability, other.probability):
            return False
        state = end.state
        if state is not None and trembling.dense:
            state = self._simulator.listed(state)
        return is_same(trembling, state, other.state)

    def _along_path(self, path: Path) -> Moments:
        """The simulation of a path; several formulas may be broken by the same one."""
        if self._replayed is None or self._replayed[0] != path:
            self._replayed = (path, self.moments(path.visits, *self._starts(path.seed)))
        return self._replayed[1]

    def moments(self, visits: Sequence[Visit], start: Vector, store: Store) -> Moments:
        """The simulation of visits from a state and a store; the first and the last state are kept."""
        wanted = (0, len(visits) - 1)
        passed = stages(self._system.program, self._simulator, visits, start, store, wanted=wanted)
        return Moments(visits, passed)

    def along(
        self,
        kind: Kind,
        moments: Moments,
        loop_start: int | None,
        claim: str,
    ) -> Execution:
        """An execution from its simulation; that of a lasso ends at the start of its loop."""
        probability = moments[-1].probability if moments.complete else 0.0
        shown = len(moments)
        if loop_start is not None and moments.complete:
            shown -= 1  # the last one is the start of the loop again
            probability /= moments[loop_start].probability
        seen = Later(lambda: pictures(self._simulator, self._again(moments)))
        steps = LaterList.each(shown, lambda k: self._step(moments[k], seen().get(k, NO_PICTURE)))
        track = self._track(moments) if moments.complete else None
        note = "" if moments.complete else NO_EXECUTION
        return Execution(kind, steps, loop_start, probability, moments.complete, claim, note, track=track)

    def unsimulated(self, path: Path, claim: str, note: str = NOT_POSSIBLE) -> Execution:
        """The locations of a path, where there was no room to simulate it."""
        steps = LaterList.each(len(path.visits), lambda k: self._bare(self._index(path.visits[k])))
        return Execution("path", steps, None, None, False, claim, note)

    def located(
        self,
        kind: Kind,
        locations: Sequence[int],
        loop_start: int | None,
        claim: str,
        note: str = NOT_POSSIBLE,
    ) -> Execution:
        """A path of the graph as it is: no execution is known that takes it."""
        steps = LaterList.each(len(locations), lambda k: self._bare(locations[k]))
        return Execution(kind, steps, loop_start, None, False, claim, note)

    def _track(self, moments: Moments) -> Track:
        program, visits, start = self._system.program, moments.visits, moments[0].state

        def first() -> tuple[Term, ...] | None:
            terms, left_out = self._simulator.largest(start, TERMS_KEPT)
            return None if left_out else tuple(terms)

        return Track(program, Later(first), Later(lambda: moves(program, visits)))

    def _bytes(self, moment: Moment) -> int:
        """The size of a state, as far as it is known."""
        return 0 if moment.state is None else self._simulator.bytes_of(moment.state)

    def _again(self, moments: Moments) -> Iterator[Moment]:
        """The same path once more, with the states that are shown."""
        program, first = self._system.program, moments[0]
        shown = _shown(moments.visits, _states_kept(program.num_qubits))
        wanted = _near_the_ends(shown, BYTES_LOOKED_AT // max(self._bytes(moments[-1]), 1))
        return replay(program, self._simulator, moments.visits, first.state, first.store, wanted=wanted)

    def _step(self, moment: Moment, picture: Picture) -> Step:
        visit = moment.visit
        terms, left_out = picture
        return replace(
            self._bare(self._index(visit)),
            store=Values(self._system.program, moment.store),
            terms=terms,
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
            location.name,
            location.point,
            location.text,
            location.source,
            location.values,
            labels,
            None,
            glue=location.point in self._system.program.glue,
        )


def _states_kept(num_qubits: int) -> int:
    return min(STATES_KEPT, max(2, AMPLITUDES_LOOKED_AT // max(num_qubits, 1)))


def _shown(visits: Sequence[Visit], most: int) -> frozenset[int]:
    """The steps whose states are kept: all, or the ends of straight runs near the start and near the end."""
    if len(visits) <= most:
        return frozenset(range(len(visits)))
    ends = [k for k, visit in enumerate(visits) if visit.point in (visit.node.start, visit.node.last)]
    half = most // 2
    return frozenset({0, len(visits) - 1, *ends[:half], *ends[-half:]})


def _near_the_ends(steps: frozenset[int], most: int) -> frozenset[int]:
    """The first and the last ones, where all are more than can be looked at."""
    half = max(most, FEWEST_STATES) // 2
    ordered = sorted(steps)
    return frozenset([*ordered[:half], *ordered[-half:]])


STATES_SHOWN = 4


class LargestTerms(NamedTuple):
    """The largest terms of a state, and how many others there are."""

    terms: tuple[Term, ...]
    left_out: int


class ArrivedStates(NamedTuple):
    """dim sp of a location, and some of the states that span it."""

    dimension: int
    states: tuple[LargestTerms, ...]


class Arrived:
    """Numeric states at the locations of a solved system, computed when somebody looks.

    They do not travel: a pickled copy is empty.
    """

    def __init__(self, solved: Solved | None = None, shadow: Later[Shadow] | None = None) -> None:
        self._solved, self._shadow = solved, shadow

    def __reduce__(self) -> tuple[type[Arrived], tuple[()]]:
        return Arrived, ()

    def at(self, index: int) -> ArrivedStates | None:
        """What arrives at a location; None where that is not known."""
        if self._solved is None or self._shadow is None:
            return None
        shadow = self._shadow()
        simulator: Numeric = shadow.engine
        node, point = self._solved.system.node_of(index)
        try:
            found = self._solved.posts.at(node, point)
            states = [shadow.at(one, point) for one in found[:STATES_SHOWN]]
            kets = [simulator.largest(state, TERMS_SHOWN) for state in states]
        except (Undecided, QismcError):
            return None
        return ArrivedStates(
            len(found), tuple(LargestTerms(tuple(terms), left_out) for terms, left_out in kets)
        )
