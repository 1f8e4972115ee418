"""The one fixed-point routine: concrete vectors spread over a graph until no span grows.

Least solution of  S(t) = span( seeds at t, images of S(s) over the moves s -> t ).  Every stored vector is
the image of a stored vector, so the parent chain of a vector is a real execution that produces it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any, NamedTuple, Protocol

from qismc.fixpoint.memory import Memory
from qismc.limits import Budget
from qismc.subspace.engine import Block, Engine, Span, Vector


@dataclass(eq=False, slots=True)
class Move:
    """One way onwards: Kraus families act one after the other; `hop` is the caller's own note."""

    families: tuple[tuple[Block, ...], ...]
    hop: Any = None


@dataclass(eq=False, slots=True)
class Moves:
    """Everything that leaves a station: a block that all moves share, then the moves."""

    prefix: Block | None
    moves: list[Move]


class Flow(Protocol):
    """The graph that vectors spread over, made on demand."""

    def moves(self, station: Any) -> Moves:
        """Everything that leaves a station; asked for once."""

    def arrive(self, move: Move) -> Any:
        """The station that a move leads to; called only when a non-zero vector goes there."""


class Vectors(Protocol):
    """Who has the vectors of arrivals, or computes them where they are asked for."""

    def vector(self, arrival: Arrival) -> Vector: ...

    def pin(self, arrival: Arrival) -> Vector:
        """The vector, which need not be computed again from now on."""


@dataclass(eq=False, slots=True)
class Arrival:
    """A vector at a station, and how it came there: by `move` with Kraus operators `choices` from `parent`.

    A seed has no parent; `seed` is its number among the seeds.
    """

    station: Any
    vectors: Vectors
    parent: Arrival | None = None
    move: Move | None = None
    choices: tuple[int, ...] = ()
    seed: int | None = None
    depth: int = field(init=False)
    """The number of arrivals before it."""

    def __post_init__(self) -> None:
        self.depth = 0 if self.parent is None else self.parent.depth + 1

    @property
    def vector(self) -> Vector:
        return self.vectors.vector(self)

    def chain(self) -> list[Arrival]:
        """From the seed to this arrival."""
        found: list[Arrival] = [self]
        while found[-1].parent is not None:
            found.append(found[-1].parent)
        return found[::-1]


class Image(NamedTuple):
    """A vector on its way from the arrival `parent`, after the Kraus operators `choices`."""

    vector: Vector
    parent: Arrival
    choices: tuple[int, ...] = ()


@dataclass(eq=False, slots=True)
class Place:
    """What has arrived at a station: concrete vectors that span everything that can arrive.

    At most stations one vector arrives, or all come at once: there is no span before somebody asks for it.
    """

    arrivals: list[Arrival] = field(default_factory=list)
    span: Span | None = None
    leaving: Moves | None = None
    """What leaves the station, once something has."""

    def spanned(self, engine: Engine) -> Span:
        """The span of what has arrived."""
        if self.span is None:
            self.span = engine.span()
            self.span.add_all([arrival.vectors.pin(arrival) for arrival in self.arrivals])
        return self.span


Pending = deque[tuple[Arrival, Place]]
"""Arrivals that have not gone on yet."""


class Spread:
    """The fixed point: the places by station."""

    def __init__(self, engine: Engine, budget: Budget) -> None:
        self._engine = engine
        self._budget = budget
        self.places: dict[Any, Place] = {}
        self._memory = Memory(engine, self._image)

    def arrivals(self, station: Any) -> Sequence[Arrival]:
        place = self.places.get(station)
        return place.arrivals if place is not None else ()

    @property
    def max_dimension(self) -> int:
        return max((len(place.arrivals) for place in self.places.values()), default=0)

    def keep(self, arrivals: Iterable[Arrival]) -> None:
        """Note the arrivals of one execution."""
        for arrival in arrivals:
            self.places.setdefault(arrival.station, Place()).arrivals.append(arrival)

    def run(
        self, flow: Flow, seeds: Iterable[tuple[Any, Vector]], stop: frozenset[Any] = frozenset()
    ) -> None:
        """Spread the seeds; nothing leaves the stations of `stop`.

        Vectors that come to a station one after the other leave it together.
        """
        pending: Pending = deque()
        self._sow(list(seeds), pending)
        while pending:
            bundle, place = self._next(pending)
            station = bundle[0].station
            if stop and station in stop:
                continue
            if place.leaving is None:
                place.leaving = flow.moves(station)
            here = self._gone(place.leaving.prefix, bundle)
            for move in place.leaving.moves:
                images = self._images(move.families, here)
                if images:
                    self._admit(flow.arrive(move), move, images, pending)
            if place.span is None:
                for arrival in bundle:
                    self._memory.leave(arrival)

    def _next(self, pending: Pending) -> tuple[list[Arrival], Place]:
        """The next arrivals, as many as are at one place."""
        arrival, place = pending.popleft()
        bundle = [arrival]
        while pending and pending[0][1] is place:
            bundle.append(pending.popleft()[0])
        for _ in bundle:
            self._budget.spend("the fixed point")
        return bundle, place

    def _gone(self, prefix: Block | None, bundle: list[Arrival]) -> list[Image]:
        """The vectors of arrivals behind the gates that all ways out share."""
        vectors = [arrival.vector for arrival in bundle]
        if prefix is not None:
            vectors = self._run(prefix, vectors)
        return [Image(vector, arrival) for vector, arrival in zip(vectors, bundle, strict=True)]

    def _run(self, block: Block, vectors: list[Vector]) -> list[Vector]:
        if len(vectors) == 1:
            return [self._engine.run(block, vectors[0])]
        return self._engine.run_all(block, vectors)

    def _sow(self, seeds: list[tuple[Any, Vector]], pending: Pending) -> None:
        """Seeds may be zero vectors, and depend on each other."""
        for station in {station: None for station, _ in seeds}:
            place = self.places.setdefault(station, Place())
            own = [(number, vector) for number, (at, vector) in enumerate(seeds) if at == station]
            fresh = place.spanned(self._engine).add_all([vector for _, vector in own])
            for number, vector in compress(own, fresh):
                self._keep(place, Arrival(station, self._memory, seed=number), vector, pending)

    def _admit(self, station: Any, move: Move, images: list[Image], pending: Pending) -> None:
        """Keep the images, none of which is zero, that enlarge the span of what has arrived."""
        place = self.places.get(station)
        if place is None:
            place = self.places[station] = Place()
            if move.families and len(images) > 1:
                images = self._first(place, images)
        else:
            fresh = place.spanned(self._engine).add_all([image.vector for image in images])
            images = list(compress(images, fresh))
        for vector, parent, choices in images:
            self._keep(place, Arrival(station, self._memory, parent, move, choices), vector, pending)

    def _first(self, place: Place, images: list[Image]) -> list[Image]:
        """Of the first that arrive at a place; gates alone leave independent what was independent."""
        span = self._engine.span()
        kept = list(compress(images, span.add_all([image.vector for image in images])))
        if len(kept) > 1:
            place.span = span
        return kept

    def _keep(self, place: Place, arrival: Arrival, vector: Vector, pending: Pending) -> None:
        place.arrivals.append(arrival)
        self._memory.hold(arrival, vector)
        self._budget.count_dimension(len(place.arrivals))
        pending.append((arrival, place))

    def _image(self, arrival: Arrival, vector: Vector | None) -> Vector:
        """The vector of an arrival, once more from that of its parent."""
        assert arrival.parent is not None and arrival.move is not None
        leaving = self.places[arrival.parent.station].leaving
        prefix = None if leaving is None else leaving.prefix
        chosen = (family[k] for family, k in zip(arrival.move.families, arrival.choices, strict=True))
        for block in (*(() if prefix is None else (prefix,)), *chosen):
            vector = self._engine.run(block, vector)
        return vector

    def _images(self, families: tuple[tuple[Block, ...], ...], here: list[Image]) -> list[Image]:
        """The non-zero images of vectors under every choice of one operator per family.

        Between families, images that add nothing to the span of the earlier ones are dropped: resetting k
        qubits makes 2^k choices, but rarely 2^k different states.
        """
        current = here
        for number, family in enumerate(families):
            if number and len(current) > 1:
                span = self._engine.span()
                current = list(compress(current, span.add_all([image.vector for image in current])))
            if not current:
                break
            vectors = [image.vector for image in current]
            results = [self._run(block, vectors) for block in family]
            current = [
                Image(images[j], before.parent, (*before.choices, k))
                for j, before in enumerate(current)
                for k, images in enumerate(results)
                if not self._engine.is_zero(images[j])
            ]
        return current
