"""Is what floating point sees there for sure, or what rounding has left of something larger?

States are brought to unit length after every outcome. After improbable ones rounding errors are as much
larger beside them, and what should cancel may be taken for a state that arrives. If angles tremble in their
last digits, such a state becomes another one; states that are really there hardly change, however improbable
they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from qismc.engines import Numeric, Vector
from qismc.errors import NumericDoubt
from qismc.fixpoint.crossings import images_over, unshown
from qismc.fixpoint.float_replay import Shadow
from qismc.fixpoint.post import Posts
from qismc.fixpoint.pre import Pres
from qismc.fixpoint.propagate import Arrival, Place
from qismc.system import Explorer, Hop

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
        least = min(least, _amplitude_over(engine, images, found, least))
    return least


def _amplitude_over(
    engine: Numeric, images: Iterable[tuple[Arrival, Vector]], found: Mapping[Arrival, float], enough: float
) -> float:
    """The amplitude of the most probable execution over an edge, or the first that is `enough`.

    1 if no state is seen there. One image is held at a time: all of them may be gigabytes.
    """
    most, seen = 0.0, False
    for arrival, image in images:
        length = engine.length(image)
        most = max(most, found[arrival] * length)
        if most >= enough:
            return most
        seen = seen or not length <= SEEN
    return most if seen else 1.0


def least_backwards(pres: Pres, engine: Numeric) -> float:
    """The same for wp: of what is spread against the edges."""
    arrivals = [arrival for place in pres.spread.places.values() for arrival in place]
    found = _amplitudes({arrival: engine.length(arrival.vector) for arrival in arrivals})
    return min(found.values(), default=1.0)


def hold_still(explorer: Explorer, posts: Posts, shadow: Shadow, trembling: Shadow) -> None:
    """Raise NumericDoubt unless improbable states are the same for angles that tremble.

    Of the states that go over an improbable edge, one must be.
    """
    engine = shadow.engine
    if has_dropped(engine, least_amplitude(explorer, posts, engine, shadow.arrived)):
        raise NumericDoubt(DOUBT)
    found = _amplitudes({arrival: engine.length(shadow.arrived(arrival)) for arrival in _arrivals(posts)})
    for arrival in (arrival for arrival, amplitude in found.items() if not amplitude >= LIKELY):
        if not is_same(engine, shadow.arrived(arrival), trembling.arrived(arrival)):
            raise NumericDoubt(DOUBT)
    for edge in unshown(posts):
        if _amplitude_over(engine, _images(explorer, shadow, *edge), found, LIKELY) >= LIKELY:
            continue
        pairs = zip(*(_images(explorer, one, *edge) for one in (shadow, trembling)), strict=True)
        if not any(is_same(engine, image, other) for (_, image), (_, other) in pairs):
            raise NumericDoubt(DOUBT)


def _images(explorer: Explorer, shadow: Shadow, hop: Hop, place: Place) -> Iterator[tuple[Arrival, Vector]]:
    return images_over(explorer, shadow.engine, hop, place, shadow.arrived)


def has_dropped(engine: Numeric, amplitude: float) -> bool:
    """May trains have dropped what matters after outcomes of such an amplitude? Products lose nothing."""
    return amplitude < UNSEEN and (engine.peak_bond or 1) > 1


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
