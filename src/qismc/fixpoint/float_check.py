"""Floating point beside the fixed point: every kept vector is computed once more with numbers."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from itertools import product
from operator import attrgetter

from qismc.engines import Engine, Numeric, Vector, behind
from qismc.errors import NumbersDisagree, NumericDoubt
from qismc.fixpoint.arrivals import Arrival, Memory
from qismc.fixpoint.post import Images, LocatedState, Posts
from qismc.fixpoint.pre import Pres
from qismc.fixpoint.propagate import Place
from qismc.system import Explorer, Hop


class Shadow:
    """Follows provenance in floating point; asking along a run of gates goes on where it stopped."""

    def __init__(self, explorer: Explorer, engine: Numeric, start: Callable[[int], Vector]) -> None:
        self.engine = engine
        self._explorer = explorer
        self._memory = Memory(engine, Images(explorer, engine, start))
        self._cursor: dict[Arrival, tuple[int, Vector]] = {}

    def at(self, found: LocatedState, point: int) -> Vector:
        """The state that a found vector stands for, at a point of its node."""
        arrival = found.arrival
        here, vector = self._cursor.get(arrival, (arrival.station.point, None))
        if vector is None or here > point:
            here, vector = arrival.station.point, self.arrived(arrival)
        vector = behind(self.engine, self._explorer.gates(here, point), vector)
        self._cursor[arrival] = (point, vector)
        return vector

    def arrived(self, arrival: Arrival) -> Vector:
        """The state of an arrival at its station."""
        return self._memory.vector(arrival)


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


SEEN = 1e-9
"""Largest length that counts as no state (with paths="all" an edge may carry none)."""
LIKELY = 1e-4
"""Amplitude of an execution from which on rounding is not checked."""
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
    """Raise NumericDoubt unless improbable states are the same for angles that differ in their last digits.

    States are brought to unit length after every outcome. After improbable outcomes rounding errors are
    larger by the same factor, and what should cancel may be taken for a state that arrives. With slightly
    other angles such a state becomes another one; states that are really there hardly change, however
    improbable they are. Of the states that go over an improbable edge, one must be the same.
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


TOGETHER = 32
"""States whose independence is tested at once."""


def confirm(explorer: Explorer, posts: Posts, shadow: Shadow) -> None:
    """Raise NumbersDisagree where floating point sees less than the exact engine, NumericDoubt if unsure.

    sp and the edges rest on decisions "not zero": an outcome is possible, a state adds a dimension. For
    generic angles these may be wrong about the angles of the program; "zero" is right for all angles. So it
    is enough to follow every kept vector in floating point: none may vanish, those of one place must be
    independent, and some state must go over every edge.
    """
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
