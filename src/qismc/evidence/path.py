"""Paths through the transition system, and the operators that act along them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from qismc.fixpoint import Arrival, At, LocatedState
from qismc.program import Apply, Program
from qismc.system import Application, Hop, Node, families


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
