"""Replays a path by plain numeric simulation, independent of the engine that found it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Protocol

from qismc.evidence.path import Path, Visit
from qismc.program.classical import Store
from qismc.program.program import Program
from qismc.program.statements import Apply
from qismc.subspace.engine import Block, Vector
from qismc.system.edges import Application, families, next_store
from qismc.system.explorer import Hop, Node


class Simulator(Protocol):
    """What a replay needs of a numeric engine; `run` keeps lengths relative to a unit vector."""

    def compile(self, applications: Sequence[Application]) -> Block: ...
    def run(self, block: Block, vector: Vector) -> Vector: ...
    def length(self, vector: Vector) -> float: ...


@dataclass(frozen=True)
class Moment:
    """A location on a replayed path: the full store, the state and the probability of coming this far."""

    visit: Visit
    store: Store
    state: Vector
    probability: float


IMPOSSIBLE = 1e-14
"""Conditional probabilities below this count as 0 in a replay."""


def replay(program: Program, simulator: Simulator, path: Path, start: Vector, store: Store) -> list[Moment]:
    """The moments of a path whose Kraus choices are known."""
    moments: list[Moment] = []
    state, probability = simulator.run(simulator.compile([]), start), 1.0
    for k, visit in enumerate(path.visits):
        moments.append(Moment(visit, store, state, probability))
        if k + 1 == len(path.visits):
            break
        applications, store = _step(program, visit, store)
        for application in applications:
            state = simulator.run(simulator.compile([application]), state)
            weight = 1.0 if application.operator.unitary else simulator.length(state) ** 2
            probability *= weight
            if weight <= IMPOSSIBLE:
                return moments
    return moments


def _step(program: Program, visit: Visit, store: Store) -> tuple[list[Application], Store]:
    """What acts when a path goes on from a visit, and the store after it."""
    statement = program.code[visit.point]
    if isinstance(statement, Apply):
        return [Application(*statement)], store
    outcome = visit.hop.way.outcome if visit.hop is not None else None
    steps = zip(families(statement, outcome), visit.choices, strict=False)
    return [family[choice] for family, choice in steps], next_store(statement, store, outcome)


def choose(
    program: Program,
    simulator: Simulator,
    open_path: Sequence[tuple[Node, int, list[Hop]]],
    start: Vector,
    tries: int = 500,
) -> tuple[Visit, ...] | None:
    """Outcomes and Kraus choices that make a location path possible; None if none was found."""
    search = _Search(program, simulator, open_path, tries)
    return next(search.extend((), simulator.run(simulator.compile([]), start)), None)


@dataclass
class _Search:
    """Depth-first search with a bound on the number of steps."""

    program: Program
    simulator: Simulator
    path: Sequence[tuple[Node, int, list[Hop]]]
    tries: int

    def extend(self, visits: tuple[Visit, ...], state: Any) -> Iterator[tuple[Visit, ...]]:
        """Every way to complete a path, depth first; straight stretches are walked without recursion."""
        while len(visits) < len(self.path):
            node, point, hops = self.path[len(visits)]
            if hops:
                break
            statement = self.program.code[point]
            if isinstance(statement, Apply) and len(visits) + 1 < len(self.path):
                state = self.simulator.run(self.simulator.compile([Application(*statement)]), state)
            visits = (*visits, Visit(node, point))
        else:
            yield visits
            return
        for _, visit, image in self._leave(node, point, hops, state):
            self.tries -= 1
            if self.tries < 0:
                return
            yield from self.extend((*visits, visit), image)

    def _leave(self, node: Node, point: int, hops: list[Hop], state: Any) -> list[tuple[float, Visit, Any]]:
        """The possible ways out of a node, likeliest first."""
        found = []
        for hop in hops:
            for choices in product(*(range(len(family)) for family in hop.way.families)):
                visit = Visit(node, point, hop, choices)
                image, weight = state, 1.0
                for application in _step(self.program, visit, 0)[0]:
                    image = self.simulator.run(self.simulator.compile([application]), image)
                    weight *= self.simulator.length(image) ** 2
                    if weight <= IMPOSSIBLE:
                        break
                else:
                    found.append((weight, visit, image))
        return sorted(found, key=lambda item: -item[0])
