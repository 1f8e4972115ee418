"""Paths of executions, and the one routine that replays them: for their ends, or with pictures of all states.

A replay is a plain numeric simulation, independent of the engine that found the path.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import NamedTuple

from qismc.engines import WORTH, Numeric, Vector, behind
from qismc.fixpoint import Arrival, Blocks
from qismc.program import Apply, Program, Store
from qismc.propositions import Term
from qismc.system import LONG, Application, At, Hop, Node, Stretch, families, next_store


class Visit(NamedTuple):
    """A location on a path; `hop` and `choices` say how the path leaves its node there."""

    node: Node
    point: int
    hop: Hop | None = None
    choices: tuple[int, ...] = ()

    @property
    def outcome(self) -> int | None:
        """What the statement measures or chooses, if it does."""
        return None if self.hop is None else self.hop.way.outcome


class Path(NamedTuple):
    """Visited locations from seed number `seed` on."""

    visits: tuple[Visit, ...]
    seed: int


def legs(arrival: Arrival, point: int) -> Iterator[tuple[Arrival, range, Arrival | None]]:
    """The way of an arrival and on to a later point of its node, station by station.

    With each arrival on the way come the points that are passed from its station on, and the next arrival.
    """
    way = arrival.chain()
    for here, following in zip_longest(way, way[1:]):
        node, start = here.station
        hop = None if following is None else following.way
        end = point + 1 if following is None else hop.point if isinstance(hop, At) else node.end
        yield here, range(start, end), following


def path_of(arrival: Arrival, point: int) -> Path:
    """The execution of an arrival at a station, up to a later point of the same node."""
    visits: list[Visit] = []
    seed = None
    for here, points, following in legs(arrival, point):
        seed = here.seed if seed is None else seed
        visits += [Visit(here.station.node, p) for p in points]
        if following is not None and not isinstance(following.way, At):
            visits[-1] = visits[-1]._replace(hop=following.way, choices=following.choices)
    return Path(tuple(visits), seed or 0)


def length_of(arrival: Arrival, point: int) -> int:
    """How many visits that path has."""
    return sum(len(points) for _, points, _ in legs(arrival, point))


def acting(program: Program, visit: Visit) -> tuple[Application, ...]:
    """The operators that act when a path goes on from a visit."""
    statement = program.code[visit.point]
    if isinstance(statement, Apply):
        return (Application(*statement),)
    steps = zip(families(statement, visit.outcome), visit.choices, strict=False)
    return tuple(family[choice] for family, choice in steps)


def acting_along(program: Program, visits: Sequence[Visit]) -> list[Application]:
    """The operators that act from the first to the last visit of a path."""
    return list(chain.from_iterable(acting(program, visit) for visit in visits[:-1]))


IMPOSSIBLE = 1e-14
"""Conditional probabilities below this count as 0 in a replay."""


class Follower:
    """A state that goes along a path; gates wait until the state is asked for, and then act as one block."""

    def __init__(self, program: Program, simulator: Numeric, start: Vector) -> None:
        self._program = program
        self._simulator = simulator
        self._blocks = Blocks(simulator)
        self._before: list[Application] = []
        """Gates that wait, but for the last ones: those from point `_first` to point `_last`."""
        self._first = self._last = 0
        self._start: Vector | None = start
        """Where it is, as long as nothing has acted."""
        self._state = simulator.run(simulator.compile([]), start)

    def pass_gates(self, first: int, last: int) -> None:
        """The gates at the points first <= p < last act next; of a stretch the program knows the places."""
        if first != self._last:
            self._before += self._stretch.listed
            self._first = first
        self._last = last

    @property
    def _stretch(self) -> Stretch:
        return Stretch(self._program, self._first, self._last)

    @property
    def state(self) -> Vector:
        """The state here."""
        before, stretch = self._before, self._stretch
        self._before, self._first = [], self._last
        gates: Sequence[Application] = before + stretch.listed if before else stretch
        if gates:
            self._state = self._behind(gates)
        return self._state

    def _behind(self, gates: Sequence[Application]) -> Vector:
        start, self._start = self._start, None
        if start is not None and isinstance(gates, Stretch) and gates.points >= WORTH:
            return behind(self._simulator, gates, start)
        block = self._blocks.short(gates) if len(gates) < LONG else self._simulator.compile(gates)
        return self._simulator.run(block, self._state)

    def act(self, application: Application) -> float:
        """An operator acts; the probability of it, 1 if it is unitary."""
        if application.operator.unitary:
            self._before += [*self._stretch.listed, application]
            self._first = self._last
            return 1.0
        self._state = self._simulator.run(self._blocks.short((application,)), self.state)
        self._start = None
        return self._simulator.length(self._state) ** 2

    def choose(self, options: Sequence[Application], wanted: int) -> int | None:
        """The wanted operator acts if it is possible, else the first that is; its number, if there is one."""
        before = self.state
        for number in sorted(range(len(options)), key=lambda k: k != wanted):
            self._state, self._start = before, None
            if self.act(options[number]) > IMPOSSIBLE:
                return number
        return None

    def leave(self, visit: Visit) -> float:
        """What a path leaves the node of a visit with acts; the probability of it."""
        if isinstance(self._program.code[visit.point], Apply):
            self.pass_gates(visit.point, visit.point + 1)
            return 1.0
        probability = 1.0
        for application in acting(self._program, visit):
            weight = self.act(application)
            if weight <= IMPOSSIBLE:
                return weight
            probability *= weight
        return probability


class Stage(NamedTuple):
    """Steps begin <= k < end of a replayed path: their store and probability, and the state at the first.

    The state is None where nobody wanted to see it.
    """

    begin: int
    end: int
    store: Store
    state: Vector | None
    probability: float
    """That of coming this far."""


def everything(_: int) -> bool:
    """All states are wanted."""
    return True


def replay(
    program: Program,
    simulator: Numeric,
    visits: Sequence[Visit],
    start: Vector,
    store: Store,
    *,
    wanted: Callable[[int], bool] = everything,
) -> Iterator[Stage]:
    """The stages of a path whose Kraus choices are known, with states at the `wanted` steps.

    Inside a node nothing but gates acts; those between wanted states run as one block. An impossible step
    ends the replay early.
    """
    follower, probability, begin, last = Follower(program, simulator, start), 1.0, 0, len(visits) - 1
    while True:
        point = visits[begin].point
        leaving = min(begin + visits[begin].node.last - point, last)
        while begin <= leaving:
            state = follower.state if wanted(begin) else None
            end = next((k for k in range(begin + 1, leaving + 1) if wanted(k)), leaving + 1)
            yield Stage(begin, end, store, state, probability)
            passed = min(end, leaving) - begin
            follower.pass_gates(point, point + passed)
            begin, point = end, point + passed
        if leaving == last:
            return
        visit = visits[leaving]
        weight = follower.leave(visit)
        probability *= weight
        if weight <= IMPOSSIBLE:
            return
        store = next_store(program.code[visit.point], store, visit.outcome)


TERMS_SHOWN = 8
STATES_KEPT = 400
AMPLITUDES_LOOKED_AT = 40_000
"""Longer executions keep so many states only, and fewer where states of many qubits take long to look at."""
BYTES_LOOKED_AT = 1 << 29
FEWEST_STATES = 8
"""States of so many bytes together are looked at, but a few always; those near the start and near the end."""


class LargestTerms(NamedTuple):
    """The largest terms of a state, and how many others there are; no terms where it was not simulated."""

    terms: tuple[Term, ...] | None = None
    left_out: int = 0

    @classmethod
    def of(cls, simulator: Numeric, state: Vector) -> LargestTerms:
        terms, left_out = simulator.largest(state, TERMS_SHOWN)
        return cls(tuple(terms), left_out)


class Pictures:
    """The states that a replay passes, written out: all, or those near the start and near the end."""

    def __init__(self, simulator: Numeric, visits: Sequence[Visit]) -> None:
        self.taken: dict[int, LargestTerms] = {}
        """By step."""
        self._simulator = simulator
        shown = _shown(visits, min(STATES_KEPT, max(2, AMPLITUDES_LOOKED_AT // max(simulator.num_qubits, 1))))
        self._after = {step: number for number, step in enumerate(sorted(shown, reverse=True))}
        """How many further steps are shown behind each."""
        self._spent = 0
        """Bytes that were looked at."""
        self._half: int | None = None
        """How many states there was room for near the start, and so is near the end."""

    def wants(self, step: int) -> bool:
        """Is the state before a step to be written out?"""
        return step in self._after and (self._half is None or self._after[step] < self._half)

    def take(self, stage: Stage) -> None:
        """Write out the state of a stage."""
        self.taken[stage.begin] = LargestTerms.of(self._simulator, stage.state)
        size = self._simulator.bytes_of(stage.state)
        self._spent += size
        is_full = 2 * (self._spent + size) > BYTES_LOOKED_AT
        if self._half is None and is_full and len(self.taken) >= FEWEST_STATES // 2:
            self._half = len(self.taken)


def _shown(visits: Sequence[Visit], most: int) -> Sequence[int]:
    """The steps whose states are kept: all, or the ends of straight runs near the start and near the end."""
    if len(visits) <= most:
        return range(len(visits))
    ends = [k for k, visit in enumerate(visits) if visit.point in (visit.node.start, visit.node.last)]
    half = most // 2
    return list({0, len(visits) - 1, *ends[:half], *ends[-half:]})


@dataclass(frozen=True)
class Replay:
    """What a replay of visits passed; an impossible step ends it early."""

    visits: Sequence[Visit]
    stages: Sequence[Stage]
    """Only the first and the last one keep their states."""
    pictures: Mapping[int, LargestTerms] | None = None
    """States written out, by step, where somebody looked at them on the way."""

    def __len__(self) -> int:
        """The number of steps that were possible."""
        return self.last.end

    @property
    def complete(self) -> bool:
        """Was every step possible?"""
        return len(self) == len(self.visits)

    @property
    def first(self) -> Stage:
        return self.stages[0]

    @property
    def last(self) -> Stage:
        return self.stages[-1]

    def stage(self, step: int) -> Stage:
        """The one that a step belongs to."""
        return self.stages[bisect_right(self.stages, step, key=lambda stage: stage.begin) - 1]


def replayed(
    program: Program,
    simulator: Numeric,
    visits: Sequence[Visit],
    start: Vector,
    store: Store,
    *,
    pictures: Pictures | None = None,
) -> Replay:
    """A replay of visits from a state and a store; the first and the last state are kept."""
    stages, ends = list[Stage](), (0, len(visits) - 1)
    wanted = ends.__contains__ if pictures is None else pictures.wants
    for stage in replay(program, simulator, visits, start, store, wanted=wanted):
        if pictures is not None and stage.state is not None:
            pictures.take(stage)
        stages.append(stage if stage.begin in ends else stage._replace(state=None))
    return Replay(visits, stages, None if pictures is None else pictures.taken)
