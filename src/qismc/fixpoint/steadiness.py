"""Is what floating point sees there for sure, or what rounding has left of something larger?

States are brought to unit length after every outcome. After improbable ones rounding errors are as much
larger beside them, and what should cancel may be taken for a state that arrives. If angles tremble in their
last digits, such a state becomes another one; states that are really there hardly change, however improbable
they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from qismc.errors import NumericDoubt
from qismc.fixpoint.crossings import images_over, unshown
from qismc.fixpoint.post import Posts
from qismc.fixpoint.pre import Pres
from qismc.fixpoint.propagate import Arrival
from qismc.fixpoint.shadow import Shadow
from qismc.subspace.engine import Vector
from qismc.subspace.registry import Numeric
from qismc.subspace.trains import TrainEngine
from qismc.system.explorer import Explorer

SEEN = 1e-9
"""What is shorter is no state: with paths="all" edges need none."""
LIKELY = 1e-4
"""Rounding does not matter beside amplitudes of executions from here on."""
UNSEEN = 1e-9
"""Beside amplitudes below this, what trains drop as rounding (1e-15 of a state, at many gates) is large."""
STRETCHED = 0.05
"""The length and the phase of a state that is there change by less than this part of it."""
TURNED = 5e-14
"""1 - |<u|v>| of unit vectors that are the same: they are less than 1e-6 apart, which spans tell apart."""
DOUBT = "an outcome is so improbable that rounding decides what happens then"


def least_amplitude(
    explorer: Explorer, posts: Posts, engine: Numeric, state: Callable[[Arrival], Vector]
) -> float:
    """The amplitude of the least probable execution that a state or an edge rests on."""
    found = _amplitudes({arrival: engine.length(state(arrival)) for arrival in _arrivals(posts)})
    least = min(found.values(), default=1.0)
    for hop, place in unshown(posts):
        images = images_over(explorer, engine, hop, place, state)
        lengths = [(arrival, engine.length(image)) for arrival, image in images]
        if any(length > SEEN for _, length in lengths):
            least = min(least, max(found[arrival] * length for arrival, length in lengths))
    return least


def least_backwards(pres: Pres, engine: Numeric) -> float:
    """The same for wp: of what is spread against the edges."""
    arrivals = [arrival for place in pres.spread.places.values() for arrival in place]
    found = _amplitudes({arrival: engine.length(arrival.vector) for arrival in arrivals})
    return min(found.values(), default=1.0)


def hold_still(explorer: Explorer, posts: Posts, shadow: Shadow, trembling: Shadow) -> None:
    """Raise NumericDoubt unless states, and one over every edge, are the same for angles that tremble."""
    engine = shadow.engine
    if has_dropped(engine, least_amplitude(explorer, posts, engine, shadow.arrived)):
        raise NumericDoubt(DOUBT)
    for arrival in _arrivals(posts):
        if not is_same(engine, shadow.arrived(arrival), trembling.arrived(arrival)):
            raise NumericDoubt(DOUBT)
    for hop, place in unshown(posts):
        images, others = (
            [image for _, image in images_over(explorer, one.engine, hop, place, one.arrived)]
            for one in (shadow, trembling)
        )
        seen = any(engine.length(image) > SEEN for image in images)
        if seen and not any(is_same(engine, *pair) for pair in zip(images, others, strict=True)):
            raise NumericDoubt(DOUBT)


def has_dropped(engine: Numeric, amplitude: float) -> bool:
    """May trains have dropped what matters after outcomes of such an amplitude? Products lose nothing."""
    return (
        isinstance(engine, TrainEngine) and amplitude < UNSEEN and int(engine.statistics()["peak_bond"]) > 1
    )


def is_same(engine: Numeric, one: Vector, other: Vector) -> bool:
    """Is it the same state, of the same length, up to rounding?"""
    length, again = engine.length(one), engine.length(other)
    if not length or is_stretched(length, again):
        return False
    cosine = engine.inner(one, other) / (length * again)
    return 1 - abs(cosine) <= TURNED and abs(1 - cosine) <= STRETCHED


def is_stretched(one: float, other: float) -> bool:
    """Do two lengths, or probabilities, differ by more than rounding?"""
    return abs(one - other) > STRETCHED * one


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
