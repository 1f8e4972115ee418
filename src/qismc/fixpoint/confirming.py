"""Compares the fixed point of an engine that assumes something about its numbers with the numbers themselves.

sp and the edges rest on decisions "not zero": an outcome is possible, a state adds a dimension. For generic
angles they may be wrong about the very angles of the program; "zero" is right for all angles. So it is enough
to follow every kept vector in floating point: none may vanish, those of a place must be independent, and some
state must go over every edge.
"""

from __future__ import annotations

from qismc.errors import NumbersDisagree
from qismc.fixpoint.crossings import images_over, unshown
from qismc.fixpoint.float_replay import Shadow
from qismc.fixpoint.post import Posts
from qismc.fixpoint.propagate import Arrival
from qismc.system import Explorer

TOGETHER = 32
"""States whose independence is tested at once."""


def confirm(explorer: Explorer, posts: Posts, shadow: Shadow) -> None:
    """Raise NumbersDisagree where floating point sees less than the exact engine, NumericDoubt if unsure."""
    places = posts.spread.places
    for place in places.values():
        span = shadow.engine.span()
        for begin in range(0, len(place), TOGETHER):
            arrivals = place[begin : begin + TOGETHER]
            vectors = [shadow.arrived(arrival) for arrival in arrivals]
            missing = [shadow.engine.is_zero(vector) for vector in vectors]
            if not any(missing) and len(place) > 1:
                missing = [not fresh for fresh in span.add_all(vectors)]
            if any(missing):
                raise NumbersDisagree(_doubt(explorer, arrivals[missing.index(True)]))
    for hop, place in unshown(posts):
        images = images_over(explorer, shadow.engine, hop, place, shadow.arrived)
        if all(shadow.engine.is_zero(image) for _, image in images):
            raise NumbersDisagree(_impossible(explorer, place[0]))


def _doubt(explorer: Explorer, arrival: Arrival) -> str:
    return f"fewer states arrive at {_where(explorer, arrival.station.point)} than for generic angles"


def _impossible(explorer: Explorer, arrival: Arrival) -> str:
    return f"an outcome at {_where(explorer, arrival.station.node.last)} is possible for generic angles only"


def _where(explorer: Explorer, point: int) -> str:
    program = explorer.program
    return f"'{program.text(point)}' ({program.sources[point] or f'statement {point}'})"
