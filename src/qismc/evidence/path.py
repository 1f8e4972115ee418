"""Paths through the transition system, and the operators that act along them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from qismc.evidence.later import Later
from qismc.fixpoint import Arrival, At, Found
from qismc.program import Apply, Program
from qismc.propositions import Term
from qismc.system import Application, Hop, Node, TransitionSystem, families


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


def path_to(found: Found, point: int) -> Path:
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


def length_to(found: Found, point: int) -> int:
    """How many visits the path to `point` has."""
    chain = found.arrival.chain()
    count: int = point + 1 - chain[-1].station.point
    for arrival, following in pairwise(chain):
        node, start = arrival.station
        hop = following.way
        count += hop.point - start if isinstance(hop, At) else node.last + 1 - start
    return count


OpenVisit = tuple[Node, int, list[Hop]]
"""A location on a path; where the path leaves its node, every hop that it may have taken."""


def path_through(system: TransitionSystem, locations: Sequence[int]) -> list[OpenVisit]:
    """The visited points of a location path."""
    found: list[OpenVisit] = []
    for index, following in zip(locations, [*locations[1:], None], strict=True):
        node, point = system.node_of(index)
        hops: list[Hop] = []
        if following is not None and point == node.last:
            target = system.node_of(following)[0]
            hops = [hop for hop in node.hops if hop.taken and hop.target is target]
        found.append((node, point, hops))
    return found


TERMS_KEPT = 4096


@dataclass(frozen=True)
class Track:
    """What acted in a program, and on what; worked out for those who make a circuit of it."""

    program: Program
    first: Later[tuple[Term, ...] | None]
    acted: Later[tuple[tuple[Application, ...], ...]]

    @property
    def start(self) -> tuple[Term, ...] | None:
        """The first state; None where it has too many terms."""
        return self.first()

    @property
    def moves(self) -> tuple[tuple[Application, ...], ...]:
        """`moves[k]` acts between steps k and k+1."""
        return self.acted()


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
