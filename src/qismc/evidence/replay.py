"""Replays a path by plain numeric simulation, independent of the engine that found it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Protocol

from qismc.evidence.path import Path, Visit
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


@dataclass(frozen=True)
class Moment:
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
    path: Path,
    start: Vector,
    store: Store,
    *,
    wanted: Container[int] | None = None,
) -> list[Moment]:
    """The moments of a path whose Kraus choices are known, with states at the `wanted` steps (default: all).

    Gates between wanted states run as one block. An impossible step ends the replay early.
    """
    moments: list[Moment] = []
    waiting: list[Application] = []
    state, probability = simulator.run(simulator.compile([]), start), 1.0
    for k, visit in enumerate(path.visits):
        seen = wanted is None or k in wanted
        if seen and waiting:
            state, waiting = simulator.run(simulator.compile(waiting), state), []
        moments.append(Moment(visit, store, state if seen else None, probability))
        if k + 1 == len(path.visits):
            break
        store = _store_after(program, visit, store)
        for application in acting(program, visit):
            waiting.append(application)
            if not application.operator.unitary:
                state, waiting = simulator.run(simulator.compile(waiting), state), []
                weight = simulator.length(state) ** 2
                probability *= weight
                if weight <= IMPOSSIBLE:
                    return moments
    return moments


def _store_after(program: Program, visit: Visit, store: Store) -> Store:
    outcome = visit.hop.way.outcome if visit.hop is not None else None
    return next_store(program.code[visit.point], store, outcome)


def choose(
    program: Program,
    simulator: Simulator,
    open_path: Sequence[tuple[Node, int, list[Hop]]],
    start: Vector,
) -> tuple[Visit, ...] | None:
    """Outcomes and Kraus choices that make a location path possible; None if none was found."""
    search = _Search(program, simulator, open_path)
    return next(search.extend((), simulator.run(simulator.compile([]), start)), None)


@dataclass
class _Search:
    """Depth-first search with a bound on the number of steps."""

    program: Program
    simulator: Simulator
    path: Sequence[tuple[Node, int, list[Hop]]]
    tries: int = TRIES

    def extend(self, visits: tuple[Visit, ...], state: Any) -> Iterator[tuple[Visit, ...]]:
        """Every way to complete a path, depth first; a straight stretch runs as one block."""
        straight: list[Visit] = []
        gates: list[Application] = []
        for node, point, hops in self.path[len(visits) :]:
            statement = self.program.code[point]
            if hops:
                if isinstance(statement, Apply):
                    gates.append(Application(*statement))
                state = self.simulator.run(self.simulator.compile(gates), state)
                break
            if isinstance(statement, Apply):
                gates.append(Application(*statement))
            straight.append(Visit(node, point))
        else:
            yield (*visits, *straight)
            return
        for _, visit, image in self._leave(node, point, hops, state):
            self.tries -= 1
            if self.tries < 0:
                return
            yield from self.extend((*visits, *straight, visit), image)

    def _leave(self, node: Node, point: int, hops: list[Hop], state: Any) -> list[tuple[float, Visit, Any]]:
        """The possible ways out of a node, likeliest first."""
        found = []
        for hop in hops:
            for choices in product(*(range(len(family)) for family in hop.way.families)):
                visit = Visit(node, point, hop, choices)
                image, weight = state, 1.0
                for family, choice in zip(hop.way.families, choices, strict=True):
                    application = family[choice]
                    image = self.simulator.run(self.simulator.compile([application]), image)
                    weight *= self.simulator.length(image) ** 2
                    if weight <= IMPOSSIBLE:
                        break
                else:
                    found.append((weight, visit, image))
        return sorted(found, key=lambda item: -item[0])
