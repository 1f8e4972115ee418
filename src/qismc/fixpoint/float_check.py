"""Floating point beside the fixed point: the states that were found are computed once more with numbers."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import product

from qismc.engines import Numeric, Vector, behind
from qismc.errors import NumbersDisagree, NumericDoubt
from qismc.fixpoint.arrivals import Arrival, Memory
from qismc.fixpoint.post import Images, LocatedState
from qismc.fixpoint.propagate import Place
from qismc.fixpoint.solving import Solved, Starts
from qismc.system import Hop, Node


class FloatStates:
    """The states of a solution as its own engine, which is one of floating point, has found them."""

    def __init__(self, solved: Solved, engine: Numeric) -> None:
        self.solved = solved
        self.engine = engine

    def arrived(self, arrival: Arrival) -> Vector:
        """The state of an arrival at its station."""
        return arrival.vector

    def over(self, hop: Hop, place: Place) -> Iterator[tuple[Arrival, Vector]]:
        """The images of the states of a place under an edge, for every choice of Kraus operators."""
        for arrival in place:
            gates = self.solved.explorer.gates(arrival.station.point, arrival.station.node.end)
            for kraus in product(*hop.way.families):
                yield arrival, self.engine.run(self.engine.compile([*gates, *kraus]), self.arrived(arrival))

    def all_arrivals(self) -> Iterator[Arrival]:
        """Everything that arrives anywhere."""
        for place in self.solved.posts.spread.places.values():
            yield from place

    def unshown(self) -> Iterator[tuple[Hop, Place]]:
        """Edges that are taken and by which no kept state has come, each with the states before it."""
        shown = {arrival.way for arrival in self.all_arrivals() if isinstance(arrival.way, Hop)}
        for station, place in self.solved.posts.spread.places.items():
            for hop in station.node.hops:
                if hop.taken and hop not in shown:
                    yield hop, place

    def amplitudes(self) -> dict[Arrival, float]:
        """The amplitude of the execution that led to each arrival."""
        return _amplitudes({one: self.engine.length(self.arrived(one)) for one in self.all_arrivals()})


class FloatReplay(FloatStates):
    """The same states, each from the start on along the execution that led to it."""

    def __init__(self, solved: Solved, engine: Numeric) -> None:
        super().__init__(solved, engine)
        self._memory = Memory(engine, Images(solved.explorer, engine, Starts(solved, engine).vector))
        self._cursor: dict[Arrival, tuple[int, Vector]] = {}

    def arrived(self, arrival: Arrival) -> Vector:
        return self._memory.vector(arrival)

    def at(self, found: LocatedState, point: int) -> Vector:
        """The state that a found vector stands for, at a point of its node.

        Along a run of gates it goes on from the last point that was asked for.
        """
        arrival = found.arrival
        here, vector = self._cursor.get(arrival, (arrival.station.point, None))
        if vector is None or here > point:
            here, vector = arrival.station.point, self.arrived(arrival)
        vector = behind(self.engine, self.solved.explorer.gates(here, point), vector)
        self._cursor[arrival] = (point, vector)
        return vector


# --- improbable executions ----------------------------------------------------------------------------------

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


def strongest_dropped(solved: Solved, engine: Numeric, nodes: Container[Node]) -> float:
    """The largest amplitude of an outcome that counts as impossible, at some nodes."""
    states, found = FloatStates(solved, engine), 0.0
    for station, place in solved.posts.spread.places.items():
        if station.node in nodes:
            for hop in (hop for hop in station.node.hops if not hop.taken):
                found = max([found, *(engine.length(image) for _, image in states.over(hop, place))])
    return found


def least_amplitude(states: FloatStates) -> float:
    """The amplitude of the least probable execution that a state or an edge rests on."""
    found = states.amplitudes()
    least = min(found.values(), default=1.0)
    for edge in states.unshown():
        least = min(least, _amplitude_over(states.engine, states.over(*edge), found, least))
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


def least_backwards(solved: Solved, engine: Numeric) -> float:
    """The same for wp: of what is spread against the edges."""
    places = () if solved.pres is None else solved.pres.spread.places.values()
    found = _amplitudes({one: engine.length(one.vector) for place in places for one in place})
    return min(found.values(), default=1.0)


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


def check_stable(replay: FloatReplay, perturbed: FloatReplay) -> None:
    """Raise NumericDoubt unless improbable states are the same for angles that differ in their last digits.

    States are brought to unit length after every outcome. After improbable outcomes rounding errors are
    larger by the same factor, and what should cancel may be taken for a state that arrives. With slightly
    other angles such a state becomes another one; states that are really there hardly change, however
    improbable they are. Of the states that go over an improbable edge, one must be the same.
    """
    engine = replay.engine
    if has_dropped(engine, least_amplitude(replay)):
        raise NumericDoubt(DOUBT)
    found = replay.amplitudes()
    for arrival in (arrival for arrival, amplitude in found.items() if not amplitude >= LIKELY):
        if not is_same(engine, replay.arrived(arrival), perturbed.arrived(arrival)):
            raise NumericDoubt(DOUBT)
    for edge in replay.unshown():
        if _amplitude_over(engine, replay.over(*edge), found, LIKELY) >= LIKELY:
            continue
        pairs = zip(replay.over(*edge), perturbed.over(*edge), strict=True)
        if not any(is_same(engine, image, other) for (_, image), (_, other) in pairs):
            raise NumericDoubt(DOUBT)


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


# --- what exact numbers assume ------------------------------------------------------------------------------

TOGETHER = 32
"""States whose independence is tested at once."""


def confirm(replay: FloatReplay) -> None:
    """Raise NumbersDisagree where floating point sees less than the exact engine, NumericDoubt if unsure.

    sp and the edges rest on decisions "not zero": an outcome is possible, a state adds a dimension. For
    generic angles these may be wrong about the angles of the program; "zero" is right for all angles. So it
    is enough to follow every kept vector in floating point: none may vanish, those of one place must be
    independent, and some state must go over every edge.
    """
    for place in replay.solved.posts.spread.places.values():
        span = replay.engine.span()
        for begin in range(0, len(place), TOGETHER):
            arrivals = place[begin : begin + TOGETHER]
            vectors = [replay.arrived(arrival) for arrival in arrivals]
            missing = [replay.engine.is_zero(vector) for vector in vectors]
            if not any(missing) and len(place) > 1:
                missing = [not fresh for fresh in span.add_all(vectors)]
            if any(missing):
                where = _where(replay.solved, arrivals[missing.index(True)].station.point)
                raise NumbersDisagree(f"fewer states arrive at {where} than for generic angles")
    for hop, place in replay.unshown():
        if all(replay.engine.is_zero(image) for _, image in replay.over(hop, place)):
            where = _where(replay.solved, place[0].station.node.last)
            raise NumbersDisagree(f"an outcome at {where} is possible for generic angles only")


def _where(solved: Solved, point: int) -> str:
    program = solved.explorer.program
    return f"'{program.text(point)}' ({program.sources[point] or f'statement {point}'})"
