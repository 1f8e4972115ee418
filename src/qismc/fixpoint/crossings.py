"""States on their way over edges: what shows that an edge is taken, where nothing new arrives by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from qismc.fixpoint.post import Posts
from qismc.fixpoint.propagate import Arrival, Place
from qismc.subspace.engine import Engine, Vector
from qismc.system.explorer import Explorer, Hop


def unshown(posts: Posts) -> Iterator[tuple[Hop, Place]]:
    """Edges that are taken and by which no kept state has come, each with the states before it."""
    places = posts.spread.places
    shown = {arrival.way for place in places.values() for arrival in place if isinstance(arrival.way, Hop)}
    for station, place in places.items():
        for hop in station.node.hops:
            if hop.taken and hop not in shown:
                yield hop, place


def images_over(
    explorer: Explorer, engine: Engine, hop: Hop, place: Place, state: Callable[[Arrival], Vector]
) -> Iterator[tuple[Arrival, Vector]]:
    """Of the states of a place, carried to the end of their node, for every choice of Kraus operators."""
    for arrival in place:
        gates = explorer.gates(arrival.station.point, arrival.station.node.end)
        for kraus in product(*hop.way.families):
            yield arrival, engine.run(engine.compile([*gates, *kraus]), state(arrival))
