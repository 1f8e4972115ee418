"""States on their way over edges: what shows that an edge is taken, where nothing new arrives by it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from itertools import product
from operator import attrgetter

from qismc.engines import Engine, Numeric, Vector
from qismc.fixpoint.post import Posts
from qismc.fixpoint.propagate import Arrival, Place
from qismc.system import Explorer, Hop


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


def strongest_dropped(explorer: Explorer, engine: Numeric, posts: Posts, nodes: Container[int]) -> float:
    """The largest amplitude of an outcome that counts as impossible, at nodes with the given ids."""
    found = 0.0
    for station, place in posts.spread.places.items():
        if id(station.node) in nodes:
            for hop in (hop for hop in station.node.hops if not hop.taken):
                images = images_over(explorer, engine, hop, place, attrgetter("vector"))
                found = max([found, *(engine.length(image) for _, image in images)])
    return found
