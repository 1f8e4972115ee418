"""Replays a path by plain numeric simulation, independent of the engine that found it.

Paths through the transition system, and the operators that act along them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, overload

from qismc.engines import WORTH, Numeric, Vector, behind
from qismc.fixpoint import Arrival, Blocks, LocatedState
from qismc.program import Apply, Program, Store
from qismc.system import LONG, Application, At, Hop, Node, Stretch, families, next_store


class Visit(NamedTuple):
    """A location on a path; `hop` and `choices` say how the path leaves its node there."""

    node: Node
    point: int
    hop: Hop | None = None
    choices: tuple[int, ...] = ()


class Path(NamedTuple):
    """Visited locations from seed number `seed` on."""

    visits: tuple[Visit, ...]
    seed: int


def path_to(found: LocatedState, point: int) -> Path:
    """The execution that produced a concrete vector at `point`: its provenance, step by step."""
    return path_of(found.arrival, point)


def path_of(arrival: Arrival, point: int) -> Path:
    """The execution of an arrival at a station, up to a later point of the same node."""
    chain = arrival.chain()
    visits: list[Visit] = []
    for one, following in pairwise(chain):
        node, start = one.station
        hop = following.way
        if isinstance(hop, At):
            visits += [Visit(node, p) for p in range(start, hop.point)]
        else:
            visits += [Visit(node, p) for p in range(start, node.last)]
            visits.append(Visit(node, node.last, hop, following.choices))
    node, start = chain[-1].station
    visits += [Visit(node, p) for p in range(start, point + 1)]
    return Path(tuple(visits), chain[0].seed or 0)


def length_to(found: LocatedState, point: int) -> int:
    """How many visits the path to `point` has."""
    chain = found.arrival.chain()
    count: int = point + 1 - chain[-1].station.point
    for arrival, following in pairwise(chain):
        node, start = arrival.station
        hop = following.way
        count += hop.point - start if isinstance(hop, At) else node.last + 1 - start
    return count


def moves(program: Program, visits: Sequence[Visit]) -> tuple[tuple[Application, ...], ...]:
    """The operators that act when a path leaves each of its visits but the last."""
    return tuple(acting(program, visit) for visit in visits[:-1])


def acting(program: Program, visit: Visit) -> tuple[Application, ...]:
    """The operators that act when a path goes on from a visit."""
    statement = program.code[visit.point]
    if isinstance(statement, Apply):
        return (Application(*statement),)
    outcome = visit.hop.way.outcome if visit.hop is not None else None
    steps = zip(families(statement, outcome), visit.choices, strict=False)
    return tuple(family[choice] for family, choice in steps)


class Moment(NamedTuple):
    """A location on a replayed path: the full store, the state and the probability of coming this far.

    The state is None where nobody wanted to see it.
    """

    visit: Visit
    store: Store
    state: Vector | None
    probability: float


IMPOSSIBLE = 1e-14
"""Conditional probabilities below this count as 0 in a replay."""


class _Waiting:
    """Gates that did not act yet; those that stand one after the other stay a stretch of the program.

    Of a stretch the program knows the places, whatever comes before it.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._before: list[Application] = []
        self._first = self._last = 0

    def add(self, first: int, last: int) -> None:
        """The gates at the points first <= p < last act next."""
        if first != self._last:
            self._before += self._stretch.listed
            self._first = first
        self._last = last

    def append(self, application: Application) -> None:
        self._before += [*self._stretch.listed, application]
        self._first = self._last

    @property
    def _stretch(self) -> Stretch:
        return Stretch(self._program, self._first, self._last)

    def taken(self) -> Sequence[Application]:
        """All of them, which now do not wait any more."""
        before, stretch = self._before, self._stretch
        self._before, self._first = [], self._last
        return before + stretch.listed if before else stretch


class Follower:
    """A state that goes along a path; gates wait until the state is asked for, and then act as one block."""

    def __init__(self, program: Program, simulator: Numeric, start: Vector) -> None:
        self._simulator = simulator
        self._blocks = Blocks(simulator)
        self._waiting = _Waiting(program)
        self._start: Vector | None = start
        """Where it is, as long as nothing has acted."""
        self._state = simulator.run(simulator.compile([]), start)
        self.pass_gates = self._waiting.add

    @property
    def state(self) -> Vector:
        """The state here."""
        gates = self._waiting.taken()
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
            self._waiting.append(application)
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


class Stage(NamedTuple):
    """Steps begin <= k < end of a replayed path: their store and probability, and the state at the first."""

    begin: int
    end: int
    store: Store
    state: Vector | None
    probability: float

    def moment(self, visits: Sequence[Visit], step: int) -> Moment:
        """What there is at one of the steps."""
        state = self.state if step == self.begin else None
        return Moment(visits[step], self.store, state, self.probability)


def stages(
    program: Program,
    simulator: Numeric,
    visits: Sequence[Visit],
    start: Vector,
    store: Store,
    *,
    wanted: Container[int] | None = None,
) -> Iterator[Stage]:
    """The stages of a path whose Kraus choices are known, with states at the `wanted` steps (default: all).

    Inside a node nothing but gates acts; those between wanted states run as one block. An impossible step
    ends the replay early.
    """
    walker, probability, here, last = Follower(program, simulator, start), 1.0, 0, len(visits) - 1
    while True:
        point = visits[here].point
        leaving = min(here + visits[here].node.last - point, last)
        seen = [k for k in range(here, leaving + 1) if wanted is None or k in wanted]
        begins = seen if seen and seen[0] == here else [here, *seen]
        for begin, end in pairwise([*begins, leaving + 1]):
            state = walker.state if wanted is None or begin in wanted else None
            yield Stage(begin, end, store, state, probability)
            walker.pass_gates(point + begin - here, point + min(end, leaving) - here)
        if leaving == last:
            return
        weight = _left(program, walker, visits[leaving])
        probability *= weight
        if weight <= IMPOSSIBLE:
            return
        store = _store_after(program, visits[leaving], store)
        here = leaving + 1


def _left(program: Program, walker: Follower, visit: Visit) -> float:
    """What a path leaves its node with acts; the probability of it."""
    if isinstance(program.code[visit.point], Apply):
        walker.pass_gates(visit.point, visit.point + 1)
        return 1.0
    probability = 1.0
    for application in acting(program, visit):
        weight = walker.act(application)
        if weight <= IMPOSSIBLE:
            return weight
        probability *= weight
    return probability


def replay(
    program: Program,
    simulator: Numeric,
    visits: Sequence[Visit],
    start: Vector,
    store: Store,
    *,
    wanted: Container[int] | None = None,
) -> Iterator[Moment]:
    """The moments of a path, one for every step."""
    for stage in stages(program, simulator, visits, start, store, wanted=wanted):
        yield from (stage.moment(visits, step) for step in range(stage.begin, stage.end))


def _store_after(program: Program, visit: Visit, store: Store) -> Store:
    outcome = visit.hop.way.outcome if visit.hop is not None else None
    return next_store(program.code[visit.point], store, outcome)


class Moments(Sequence[Moment]):
    """What a replay of visits passes, kept as its stages; it ends early where a step is impossible."""

    def __init__(self, visits: Sequence[Visit], passed: Iterable[Stage]) -> None:
        self.visits = visits
        self._stages = list(passed)
        self._begins = [stage.begin for stage in self._stages]

    @property
    def complete(self) -> bool:
        """Was every step possible?"""
        return len(self) == len(self.visits)

    def __len__(self) -> int:
        return self._stages[-1].end

    @overload
    def __getitem__(self, index: int) -> Moment: ...
    @overload
    def __getitem__(self, index: slice) -> list[Moment]: ...

    def __getitem__(self, index: int | slice) -> Moment | list[Moment]:
        where = range(len(self))[index]
        return self._one(where) if isinstance(where, int) else [self._one(k) for k in where]

    def _one(self, step: int) -> Moment:
        return self._stages[bisect_right(self._begins, step) - 1].moment(self.visits, step)
