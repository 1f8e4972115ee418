"""Replays a path by plain numeric simulation, independent of the engine that found it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import pairwise, product
from typing import NamedTuple

from qismc.engines import WORTH, Numeric, Vector, behind
from qismc.evidence.path import OpenVisit, Visit, acting
from qismc.fixpoint import Blocks
from qismc.program import Apply, Program, Store
from qismc.system import LONG, Application, Hop, Node, Stretch, next_store


class Moment(NamedTuple):
    """A location on a replayed path: the full store, the state and the probability of coming this far.

    The state is None where nobody wanted to see it.
    """

    visit: Visit
    store: Store
    state: Vector | None
    probability: float


TRIES = 500
"""Steps of the search for outcomes that make a path possible."""
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


class _Walker:
    """A state that goes along a path."""

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


class Leg(NamedTuple):
    """Steps begin <= k < end of a replayed path: their store and probability, and the state at the first."""

    begin: int
    end: int
    store: Store
    state: Vector | None
    probability: float


def legs(
    program: Program,
    simulator: Numeric,
    visits: Sequence[Visit],
    start: Vector,
    store: Store,
    *,
    wanted: Container[int] | None = None,
) -> Iterator[Leg]:
    """The legs of a path whose Kraus choices are known, with states at the `wanted` steps (default: all).

    Inside a node nothing but gates acts; those between wanted states run as one block. An impossible step
    ends the replay early.
    """
    walker, probability, here, last = _Walker(program, simulator, start), 1.0, 0, len(visits) - 1
    while True:
        point = visits[here].point
        leaving = min(here + visits[here].node.last - point, last)
        seen = [k for k in range(here, leaving + 1) if wanted is None or k in wanted]
        begins = seen if seen and seen[0] == here else [here, *seen]
        for begin, end in pairwise([*begins, leaving + 1]):
            state = walker.state if wanted is None or begin in wanted else None
            yield Leg(begin, end, store, state, probability)
            walker.pass_gates(point + begin - here, point + min(end, leaving) - here)
        if leaving == last:
            return
        weight = _left(program, walker, visits[leaving])
        probability *= weight
        if weight <= IMPOSSIBLE:
            return
        store = _store_after(program, visits[leaving], store)
        here = leaving + 1


def _left(program: Program, walker: _Walker, visit: Visit) -> float:
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
    """The moments of the legs, one for every step."""
    for leg in legs(program, simulator, visits, start, store, wanted=wanted):
        for k in range(leg.begin, leg.end):
            yield Moment(visits[k], leg.store, leg.state if k == leg.begin else None, leg.probability)


def _store_after(program: Program, visit: Visit, store: Store) -> Store:
    outcome = visit.hop.way.outcome if visit.hop is not None else None
    return next_store(program.code[visit.point], store, outcome)


class _Partial(NamedTuple):
    """The beginning of a path: the last visits, what came before them, and the state behind them."""

    visits: tuple[Visit, ...]
    before: _Partial | None
    length: int
    state: Vector

    def whole(self, rest: Sequence[Visit]) -> tuple[Visit, ...]:
        parts: list[Sequence[Visit]] = [rest]
        here: _Partial | None = self
        while here is not None:
            parts.append(here.visits)
            here = here.before
        return tuple(visit for part in reversed(parts) for visit in part)


def choose(
    program: Program, simulator: Numeric, open_path: Sequence[OpenVisit], start: Vector
) -> Iterator[tuple[Visit, ...]]:
    """Outcomes and Kraus choices that make a location path possible, likely ones first.

    A depth-first search with a bound on its steps; straight stretches run as one block.
    """
    tries = TRIES
    pending = [_Partial((), None, 0, simulator.run(simulator.compile([]), start))]
    while pending and tries >= 0:
        tries -= 1
        here = pending.pop()
        straight, gates = _straight(program, open_path[here.length :])
        if here.length + len(straight) == len(open_path):
            yield here.whole(straight)
            continue
        node, point, hops = open_path[here.length + len(straight)]
        state = simulator.run(simulator.compile(gates), here.state)
        length = here.length + len(straight) + 1
        leaving = _leave(simulator, node, point, hops, state)
        pending += [_Partial((*straight, v), here, length, image) for _, v, image in reversed(leaving)]


def _straight(program: Program, path: Sequence[OpenVisit]) -> tuple[list[Visit], list[Application]]:
    """The visits up to the first way out of a node, and the gates that act until then."""
    visits: list[Visit] = []
    gates: list[Application] = []
    for node, point, hops in path:
        statement = program.code[point]
        if isinstance(statement, Apply):
            gates.append(Application(*statement))
        if hops:
            break
        visits.append(Visit(node, point))
    return visits, gates


def _leave(
    simulator: Numeric, node: Node, point: int, hops: Sequence[Hop], state: Vector
) -> list[tuple[float, Visit, Vector]]:
    """The possible ways out of a node, likeliest first."""
    found = []
    for hop in hops:
        for choices in product(*(range(len(family)) for family in hop.way.families)):
            image, weight = state, 1.0
            for family, choice in zip(hop.way.families, choices, strict=True):
                image = simulator.run(simulator.compile([family[choice]]), image)
                weight *= simulator.length(image) ** 2
                if weight <= IMPOSSIBLE:
                    break
            else:
                found.append((weight, Visit(node, point, hop, choices), image))
    return sorted(found, key=lambda item: -item[0])
