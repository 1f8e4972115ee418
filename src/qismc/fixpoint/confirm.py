"""Compares the fixed point of an engine that assumes something about its numbers with the numbers themselves.

sp and the edges rest on decisions "not zero": an outcome is possible, a state adds a dimension. For generic
angles they may be wrong about the very angles of the program; "zero" is right for all angles. So it is enough
to follow every kept vector in floating point: none may vanish, those of a place must be independent, and some
state must go over every edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from qismc.errors import NumbersDisagree
from qismc.fixpoint.post import Posts
from qismc.fixpoint.propagate import Arrival
from qismc.fixpoint.shadow import Shadow
from qismc.fixpoint.stations import At
from qismc.subspace.engine import Vector
from qismc.system.explorer import Explorer, Hop, Node


def confirm(explorer: Explorer, posts: Posts, shadow: Shadow) -> None:
    """Raise NumbersDisagree where floating point sees less than the exact engine, NumericDoubt if unsure."""
    places = posts.spread.places
    for place in places.values():
        span = shadow.engine.span()
        for arrival in place:
            vector = shadow.arrived(arrival)
            if shadow.engine.is_zero(vector) or not span.add(vector):
                raise NumbersDisagree(_doubt(explorer, arrival))
    parents = {_hop_of(a) for place in places.values() for a in place}
    for station, place in places.items():
        for hop in _edges_out(station):
            if hop not in parents and not any(_passes(explorer, shadow, a, hop) for a in place):
                raise NumbersDisagree(_impossible(explorer, station.node))


def _hop_of(arrival: Arrival) -> Hop | None:
    return arrival.way if isinstance(arrival.way, Hop) else None


def _edges_out(station: At) -> Iterator[Hop]:
    return (hop for hop in station.node.hops if hop.taken)


def _passes(explorer: Explorer, shadow: Shadow, arrival: Arrival, hop: Hop) -> bool:
    """Does the state of an arrival, carried to the end of its node, have an image over the edge?"""
    node, point = arrival.station
    here: Vector = shadow.arrived(arrival)
    gates = explorer.gates(point, node.end)
    engine = shadow.engine
    images = (engine.run(engine.compile([*gates, *kraus]), here) for kraus in product(*hop.way.families))
    return any(not engine.is_zero(image) for image in images)


def _doubt(explorer: Explorer, arrival: Arrival) -> str:
    return f"fewer states arrive at {_where(explorer, arrival.station.point)} than for generic angles"


def _impossible(explorer: Explorer, node: Node) -> str:
    return f"an outcome at {_where(explorer, node.last)} is possible for generic angles only"


def _where(explorer: Explorer, point: int) -> str:
    program = explorer.program
    return f"'{program.text(point)}' ({program.sources[point] or f'statement {point}'})"
