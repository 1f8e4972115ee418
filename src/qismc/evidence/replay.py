"""Replays a path by plain numeric simulation, independent of the engine that found it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import product
from typing import NamedTuple, Protocol

from qismc.evidence.path import OpenVisit, Visit
from qismc.evidence.track import acting
from qismc.program.classical import Store
from qismc.program.program import Program
from qismc.program.statements import Apply
from qismc.subspace.engine import Block, Vector
from qismc.system.edges import Application, next_store
from qismc.system.explorer import Hop, Node


class Simulator(Protocol):
    """What a replay needs of a numeric engine; `run` keeps lengths relative to a unit vector."""

    def compile(self, applications: Sequence[Application]) -> Block: ...
    def run(self, block: Block, vector: Vector) -> Vector: ...
    def length(self, vector: Vector) -> float: ...


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


def replay(
    program: Program,
    simulator: Simulator,
    visits: Sequence[Visit],
    start: Vector,
    store: Store,
    *,
    wanted: Container[int] | None = None,
) -> Iterator[Moment]:
    """The moments of a path whose Kraus choices are known, with states at the `wanted` steps (default: all).

    Gates between wanted states run as one block. An impossible step ends the replay early.
    """
    code, waiting = program.code, list[Application]()
    state, probability = simulator.run(simulator.compile([]), start), 1.0
    for k, visit in enumerate(visits):
        seen = wanted is None or k in wanted
        if seen and waiting:
            state, waiting = simulator.run(simulator.compile(waiting), state), []
        yield Moment(visit, store, state if seen else None, probability)
        if k + 1 == len(visits):
            break
        statement = code[visit.point]
        if isinstance(statement, Apply):  # most steps, by far
            waiting.append(Application(*statement))
            continue
        store = _store_after(program, visit, store)
        for application in acting(program, visit):
            waiting.append(application)
            if not application.operator.unitary:
                state, waiting = simulator.run(simulator.compile(waiting), state), []
                weight = simulator.length(state) ** 2
                probability *= weight
                if weight <= IMPOSSIBLE:
                    return


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
    program: Program, simulator: Simulator, open_path: Sequence[OpenVisit], start: Vector
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
    simulator: Simulator, node: Node, point: int, hops: Sequence[Hop], state: Vector
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
