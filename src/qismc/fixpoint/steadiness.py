"""Is what floating point sees there for sure, or what rounding has left of something larger?

States are brought to unit length after every outcome. After improbable ones rounding errors are as much
larger beside them, and what should cancel may be taken for a state that arrives. If angles tremble in their
last digits, such a state becomes another one; states that are really there hardly change, however improbable
they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from qismc.errors import NumericDoubt
from qismc.fixpoint.post import Posts
from qismc.fixpoint.propagate import Arrival
from qismc.fixpoint.shadow import Shadow
from qismc.subspace.engine import Vector
from qismc.subspace.registry import Numeric
from qismc.system.explorer import Explorer, Hop

Images = list[tuple[Arrival, Vector]]
SEEN = 1e-9
"""What is shorter is no state."""
LIKELY = 1e-4
"""Rounding does not matter beside amplitudes of executions from here on."""
STRETCHED = 0.05
"""The length and the phase of a state that is there change by less than this part of it."""
TURNED = 5e-14
"""1 - |<u|v>| of unit vectors that are the same: they are less than 1e-6 apart, which spans tell apart."""


DOUBT = "an outcome is so improbable that rounding decides what happens then"


def least_amplitude(explorer: Explorer, posts: Posts, shadow: Shadow) -> float:
    """The amplitude of the least probable execution that a state or an edge rests on."""
    engine = _numeric(shadow)
    lengths = {arrival: engine.length(shadow.arrived(arrival)) for arrival in _arrivals(posts)}
    found = _amplitudes(lengths)
    over = [
        max([found[arrival] * engine.length(image) for arrival, image in images])
        for images in _over_edges(explorer, posts, shadow)
        if _are_seen(engine, images)
    ]
    return min([*found.values(), *over], default=1.0)


def hold_still(explorer: Explorer, posts: Posts, shadow: Shadow, trembling: Shadow) -> None:
    """Raise NumericDoubt unless states, and one over every edge, are the same for angles that tremble."""
    engine = _numeric(shadow)
    for arrival in _arrivals(posts):
        if not is_same(engine, shadow.arrived(arrival), trembling.arrived(arrival)):
            raise NumericDoubt(DOUBT)
    edges = (_over_edges(explorer, posts, one) for one in (shadow, trembling))
    for images, others in zip(*edges, strict=True):
        pairs = zip(images, others, strict=True)
        if _are_seen(engine, images) and not any(
            is_same(engine, image, other) for (_, image), (_, other) in pairs
        ):
            raise NumericDoubt(DOUBT)


def is_same(engine: Numeric, one: Vector, other: Vector) -> bool:
    """Is it the same state, of the same length, up to rounding?"""
    length, again = engine.length(one), engine.length(other)
    if not length or is_stretched(length, again):
        return False
    cosine = engine.inner(one, other) / (length * again)
    return 1 - abs(cosine) <= TURNED and abs(1 - cosine) <= STRETCHED


def _are_seen(engine: Numeric, images: Images) -> bool:
    """Does a state go over the edge? With paths="all" none need to."""
    return any(engine.length(image) > SEEN for _, image in images)


def is_stretched(one: float, other: float) -> bool:
    """Do two lengths, or probabilities, differ by more than rounding?"""
    return abs(one - other) > STRETCHED * one


def _numeric(shadow: Shadow) -> Numeric:
    engine: Numeric = shadow.engine  # type: ignore[assignment]
    return engine


def _arrivals(posts: Posts) -> Iterator[Arrival]:
    for place in posts.spread.places.values():
        yield from place


def _amplitudes(lengths: Mapping[Arrival, float]) -> dict[Arrival, float]:
    """Of executions: the product of the lengths on the way; starts count as 1."""
    found: dict[Arrival, float] = {}
    for arrival in lengths:
        way: list[Arrival] = []
        here: Arrival | None = arrival
        while here is not None and here not in found:
            way.append(here)
            here = here.parent
        for one in reversed(way):
            found[one] = 1.0 if one.parent is None else found[one.parent] * lengths.get(one, 1.0)
    return found


def _over_edges(explorer: Explorer, posts: Posts, shadow: Shadow) -> Iterator[Images]:
    """For every edge that is taken and by which no state of its own arrives: all images over it."""
    engine, places = shadow.engine, posts.spread.places
    shown = {arrival.way for arrival in _arrivals(posts) if isinstance(arrival.way, Hop)}
    for station, place in places.items():
        for hop in station.node.hops:
            if not hop.taken or hop in shown:
                continue
            images = []
            for arrival in place:
                gates = explorer.gates(arrival.station.point, arrival.station.node.end)
                for kraus in product(*hop.way.families):
                    block = engine.compile([*gates, *kraus])
                    images.append((arrival, engine.run(block, shadow.arrived(arrival))))
            yield images
