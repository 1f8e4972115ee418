"""The one fixed-point routine: concrete vectors spread over a graph until no span grows.

Least solution of  S(t) = span( seeds at t, images of S(s) over the moves s -> t ).  Every stored vector is
the image of a stored vector, so the parent chain of a vector is a real execution that produces it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import Any, Protocol

from qismc.fixpoint.memory import Memory
from qismc.limits import Budget
from qismc.subspace.engine import Block, Engine, Span, Vector
from qismc.subspace.runs import Course, through

STAGE = "the fixed point"
Families = tuple[tuple[Block, ...], ...]
"""Kraus families that act one after the other."""


class Flow(Protocol):
    """The graph that vectors spread over, made on demand; what a way out is, is its own business."""

    def leave(self, station: Any) -> tuple[Block | Course | None, Sequence[Any]]:
        """The gates that all ways out of a station share, and the ways; asked for whenever vectors leave."""

    def families(self, way: Any) -> Families:
        """What acts on a way out, behind the gates that all share."""

    def arrive(self, way: Any) -> Any:
        """The station that a way leads to; called only when a non-zero vector goes there."""


class Vectors(Protocol):
    """Who has the vectors of arrivals, or computes them where they are asked for."""

    def vector(self, arrival: Arrival) -> Vector: ...

    def pin(self, arrival: Arrival) -> Vector:
        """The vector, which need not be computed again from now on."""


class Arrival:
    """A vector at a station, and how it came there: by `way` with Kraus operators `choices` from `parent`.

    A seed has no parent; `seed` is its number among the seeds. `depth` is the number of arrivals before it.
    """

    __slots__ = ("choices", "depth", "parent", "seed", "station", "vectors", "way")

    def __init__(
        self,
        station: Any,
        vectors: Vectors,
        parent: Arrival | None = None,
        way: Any = None,
        choices: tuple[int, ...] = (),
        *,
        seed: int | None = None,
    ) -> None:
        self.station = station
        self.vectors = vectors
        self.parent = parent
        self.way = way
        self.choices = choices
        self.seed = seed
        self.depth: int = 0 if parent is None else parent.depth + 1

    @property
    def vector(self) -> Vector:
        return self.vectors.vector(self)

    def chain(self) -> list[Arrival]:
        """From the seed to this arrival."""
        found: list[Arrival] = [self]
        while found[-1].parent is not None:
            found.append(found[-1].parent)
        return found[::-1]


Image = tuple[Vector, Arrival, tuple[int, ...]]
"""A vector on its way, the arrival that it comes from, and the Kraus operators that acted since."""


Place = list[Arrival]
"""What has arrived at a station: concrete vectors that span everything that can arrive."""
Pending = deque[tuple[Place, Image]]
"""Arrivals that have not gone on yet, as images of themselves, with their places."""


class Spread:
    """The fixed point: the places by station. Long executions pass here once for every few statements.

    At most stations one vector arrives, or all come at once: there is no span before somebody asks for it.
    """

    def __init__(self, engine: Engine, budget: Budget) -> None:
        self._engine = engine
        self._budget = budget
        self.places: dict[Any, Place] = {}
        self._spans: dict[Any, Span] = {}
        self._memory = Memory(engine, self._image)
        self._flow: Flow | None = None

    def arrivals(self, station: Any) -> Sequence[Arrival]:
        return self.places.get(station, ())

    def dissolve(self) -> None:
        """Let go of everything; who computes vectors again and who asks for them know each other."""
        self.places.clear()
        self._spans.clear()
        self._flow = None
        self._memory.forget()

    @property
    def max_dimension(self) -> int:
        return max(map(len, self.places.values()), default=0)

    def span(self, station: Any) -> Span:
        """The span of what has arrived at a station."""
        if station not in self._spans:
            self._add(station, [])
        return self._spans[station]

    def _add(self, station: Any, vectors: list[Vector]) -> list[bool]:
        """Which of these enlarge the span of what has arrived and of those before."""
        span = self._spans.get(station)
        if span is not None:
            return span.add_all(vectors)
        span = self._spans[station] = self._engine.span()
        known = [arrival.vectors.pin(arrival) for arrival in self.places[station]]
        return span.add_all(known + vectors)[len(known) :]

    def keep(self, arrivals: Iterable[Arrival]) -> None:
        """Note the arrivals of one execution."""
        for arrival in arrivals:
            self.places.setdefault(arrival.station, []).append(arrival)

    def run(
        self, flow: Flow, seeds: Iterable[tuple[Any, Vector]], stop: frozenset[Any] = frozenset()
    ) -> None:
        """Spread the seeds; nothing leaves the stations of `stop`.

        Vectors that come to a station one after the other leave it together.
        """
        self._flow = flow
        pending: Pending = deque()
        self._sow(list(seeds), pending)
        while pending:
            place, image = pending.popleft()
            bundle = [image]
            while pending and pending[0][0] is place:
                bundle.append(pending.popleft()[1])
            for _ in bundle:
                self._budget.spend(STAGE)
            station = image[1].station
            if stop and station in stop:
                continue
            self._go(flow, station, bundle, pending)
            if station not in self._spans:
                for _, arrival, _ in bundle:
                    self._memory.leave(arrival)

    def _go(self, flow: Flow, station: Any, here: list[Image], pending: Pending) -> None:
        """Send what has arrived at a station over every way out."""
        prefix, ways = flow.leave(station)
        if prefix is not None:
            here = self._behind(prefix, here)
        for way in ways:
            families = flow.families(way)
            images = self._images(families, here) if families else here
            if images:
                self._admit(flow.arrive(way), way, images, pending)

    def _behind(self, prefix: Block | Course, here: list[Image]) -> list[Image]:
        """The vectors behind the gates that all ways out share."""
        vectors = through(self._engine, prefix, [vector for vector, _, _ in here])
        return [(vector, arrival, ()) for vector, (_, arrival, _) in zip(vectors, here, strict=True)]

    def _sow(self, seeds: list[tuple[Any, Vector]], pending: Pending) -> None:
        """Seeds may be zero vectors, and depend on each other."""
        for station in {station: None for station, _ in seeds}:
            place = self.places.setdefault(station, [])
            own = [(number, vector) for number, (at, vector) in enumerate(seeds) if at == station]
            fresh = self._add(station, [vector for _, vector in own])
            for number, vector in compress(own, fresh):
                self._keep(place, Arrival(station, self._memory, seed=number), vector, pending)
            self._budget.count_dimension(len(place))

    def _admit(self, station: Any, way: Any, images: list[Image], pending: Pending) -> None:
        """Keep the images, none of which is zero, that enlarge the span of what has arrived."""
        place = self.places.get(station)
        if place is None:
            place = self.places[station] = []
            if len(images) > 1 and images[0][2]:
                images = self._first(station, images)
        else:
            fresh = self._add(station, [vector for vector, _, _ in images])
            images = list(compress(images, fresh))
        for vector, parent, choices in images:
            self._keep(place, Arrival(station, self._memory, parent, way, choices), vector, pending)
        self._budget.count_dimension(len(place))

    def _first(self, station: Any, images: list[Image]) -> list[Image]:
        """Of the first that arrive at a station; gates alone leave independent what was independent."""
        span = self._engine.span()
        kept = list(compress(images, span.add_all([vector for vector, _, _ in images])))
        if len(kept) > 1:
            self._spans[station] = span
        return kept

    def _keep(self, place: Place, arrival: Arrival, vector: Vector, pending: Pending) -> None:
        place.append(arrival)
        self._memory.hold(arrival, vector)
        pending.append((place, (vector, arrival, ())))

    def _image(self, arrival: Arrival, vector: Vector | None) -> Vector:
        """The vector of an arrival, once more from that of its parent."""
        assert arrival.parent is not None and self._flow is not None
        prefix, _ = self._flow.leave(arrival.parent.station)
        families = self._flow.families(arrival.way)
        chosen = (family[k] for family, k in zip(families, arrival.choices, strict=True))
        if prefix is not None:
            vector = through(self._engine, prefix, [vector])[0]
        for block in chosen:
            vector = self._engine.run(block, vector)
        return vector

    def _images(self, families: Families, here: list[Image]) -> list[Image]:
        """The non-zero images of vectors under every choice of one operator per family.

        Between families, images that add nothing to the span of the earlier ones are dropped: resetting k
        qubits makes 2^k choices, but rarely 2^k different states.
        """
        current = here
        for number, family in enumerate(families):
            if number and len(current) > 1:
                span = self._engine.span()
                current = list(compress(current, span.add_all([vector for vector, _, _ in current])))
            current = self._chosen(family, current)
            if not current:
                break
        return current

    def _chosen(self, family: tuple[Block, ...], images: list[Image]) -> list[Image]:
        """The non-zero images under every operator of a family."""
        is_zero, found = self._engine.is_zero, list[Image]()
        if len(images) == 1:  # as at most measurements
            vector, parent, choices = images[0]
            for k, block in enumerate(family):
                image = self._engine.run(block, vector)
                if not is_zero(image):
                    found.append((image, parent, (*choices, k)))
            return found
        vectors = [vector for vector, _, _ in images]
        results = [self._engine.run_all(block, vectors) for block in family]
        for j, (_, parent, choices) in enumerate(images):
            found += [(r[j], parent, (*choices, k)) for k, r in enumerate(results) if not is_zero(r[j])]
        return found
