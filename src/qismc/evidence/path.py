"""Paths through the transition system, down to the Kraus operator that acted at each step."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from qismc.fixpoint import Arrival, At, Found
from qismc.system import Hop, Node, TransitionSystem


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
