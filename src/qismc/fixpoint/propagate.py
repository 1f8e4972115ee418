"""The one fixed-point routine: concrete vectors spread over a graph until no span grows.

Least solution of  S(t) = span( seeds at t, images of S(s) over the moves s -> t ).  Every stored vector is
the image of a stored vector, so the parent chain of a vector is a real execution that produces it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import Any, Protocol

from qismc.engines import Block, Engine, LongRun, Span, Vector, through
from qismc.fixpoint.arrivals import Arrival, Memory
from qismc.limits import Budget

STAGE = "the fixed point"
Families = tuple[tuple[Block, ...], ...]
"""Kraus families that act one after the other."""


WaysOut = tuple[Block | LongRun | None, Sequence[Any], Sequence[Families]]
"""The gates that all ways out of a station share, the ways, and what acts on each; empty if nothing does."""


class Flow(Protocol):
    """The graph that vectors spread over, made on demand; what a way out is, is its own business."""

    def leave(self, station: Any) -> WaysOut:
        """What happens at a station; asked for whenever vectors leave it."""

    def families(self, way: Any) -> Families:
        """What acts on a way out, behind the gates that all share."""

    def arrive(self, way: Any) -> Any:
        """The station that a way leads to; called only when a non-zero vector goes there."""


PendingImage = tuple[Vector, Arrival, tuple[int, ...]]
"""A vector on its way, the arrival that it comes from, and the Kraus operators that acted since."""


Place = list[Arrival]
"""What has arrived at a station: concrete vectors that span everything that can arrive."""
Pending = deque[PendingImage]
"""Arrivals that have not gone on yet, as images of themselves."""


class Spread:
    """The fixed point: the places by station. Long executions pass here once for every few statements.

    At most stations one vector arrives, or all come at once: there is no span before somebody asks for it.
    """

    def __init__(self, engine: Engine, budget: Budget, flow: Flow) -> None:
        self._engine = engine
        self._budget = budget
        self._flow = flow
        self.places: dict[Any, Place] = {}
        self._spans: dict[Any, Span] = {}
        self._memory = Memory(engine, self._image)

    def arrivals(self, station: Any) -> Sequence[Arrival]:
        return self.places.get(station, ())

    def dissolve(self) -> None:
        """Let go of everything; who computes vectors again and who asks for them know each other."""
        self.places.clear()
        self._spans.clear()
        self._memory.forget()
        del self._flow

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
        known = [arrival.vectors.pin(arrival) for arrival in self.places[station]]
        if len(known) == len(vectors) == 1 and self._engine.aligned(known[0], vectors[0]):
            return [False]  # as where ways join: there is no need of a span
        span = self._spans[station] = self._engine.span()
        return span.add_all(known + vectors)[len(known) :]

    def keep(self, arrivals: Iterable[Arrival]) -> None:
        """Note the arrivals of one execution."""
        for arrival in arrivals:
            self.places.setdefault(arrival.station, []).append(arrival)

    def run(self, seeds: Iterable[tuple[Any, Vector]]) -> None:
        """Spread the seeds. Vectors that come to a station one after the other leave it together."""
        pending: Pending = deque()
        self._sow(list(seeds), pending)
        while pending:
            bundle = [pending.popleft()]
            station = bundle[0][1].station
            while pending and pending[0][1].station == station:
                bundle.append(pending.popleft())
            self._budget.spend(STAGE)
            stays = self._go(station, bundle, pending)
            if not stays and station not in self._spans:
                for _, arrival, _ in bundle:
                    self._memory.leave(arrival)

    def _go(self, station: Any, here: list[PendingImage], pending: Pending) -> bool:
        """Send what has arrived at a station over every way out; does it stay there as well?"""
        prefix, ways, acting = self._flow.leave(station)
        if acting:
            for way, images in zip(ways, self._forked(prefix, acting, here), strict=True):
                if images:
                    self._admit(self._flow.arrive(way), way, images, pending)
            return False
        if prefix is not None:
            here = self._behind(prefix, here)
        stays = False
        for way in ways:
            there = self._flow.arrive(way)
            if prefix is None and there == station:
                stays = True
            else:
                self._admit(there, way, here, pending)
        return stays

    def _forked(
        self, prefix: Block | LongRun | None, acting: Sequence[Families], here: list[PendingImage]
    ) -> list[list[PendingImage]]:
        """What becomes of vectors over each way, where families act behind the gates that all share."""
        if prefix is not None and (isinstance(prefix, LongRun) or not all(acting)):
            here, prefix = self._behind(prefix, here), None
        blocks = [block for families in acting if families for block in families[0]]
        forked = self._engine.fork(prefix, blocks, [vector for vector, _, _ in here])
        found, first = list[list[PendingImage]](), 0
        for families in acting:
            if families:
                last = first + len(families[0])
                images = _nonzero(forked[first:last], here)
                found.append(images if len(families) == 1 else self._further(families, images))
                first = last
            else:
                found.append(here)
        return found

    def _behind(self, prefix: Block | LongRun, here: list[PendingImage]) -> list[PendingImage]:
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
                arrival = Arrival(station, self._memory, seed=number)
                place.append(arrival)
                self._memory.hold(arrival, vector)
                pending.append((vector, arrival, ()))
            self._budget.count_dimension(len(place))

    def _admit(self, station: Any, way: Any, images: list[PendingImage], pending: Pending) -> None:
        """Keep the images, none of which is zero, that enlarge the span of what has arrived."""
        place = self.places.get(station)
        if place is None:
            place = self.places[station] = []
            if len(images) > 1 and images[0][2]:
                images = self._first(station, images)
        else:
            fresh = self._add(station, [vector for vector, _, _ in images])
            images = list(compress(images, fresh))
        memory = self._memory
        for vector, parent, choices in images:
            arrival = Arrival(station, memory, parent, way, choices)
            place.append(arrival)
            memory.hold(arrival, vector)
            pending.append((vector, arrival, ()))
        if len(place) > 1:
            self._budget.count_dimension(len(place))

    def _first(self, station: Any, images: list[PendingImage]) -> list[PendingImage]:
        """Of the first that arrive at a station; gates alone leave independent what was independent."""
        kept, span = self._independent(images)
        if len(kept) > 1:
            self._spans[station] = span
        return kept

    def _image(self, arrival: Arrival, vector: Vector | None) -> Vector:
        """The vector of an arrival, once more from that of its parent."""
        assert arrival.parent is not None
        prefix, _, _ = self._flow.leave(arrival.parent.station)
        families = self._flow.families(arrival.way)
        chosen = (family[k] for family, k in zip(families, arrival.choices, strict=True))
        if prefix is not None:
            vector = through(self._engine, prefix, [vector])[0]
        for block in chosen:
            vector = self._engine.run(block, vector)
        return vector

    def _further(self, families: Families, images: list[PendingImage]) -> list[PendingImage]:
        """The non-zero images behind the first family under every choice of an operator of the others.

        Between families, images that add nothing to the span of the earlier ones are dropped: resetting k
        qubits makes 2^k choices, but rarely 2^k different states.
        """
        for family in families[1:]:
            if len(images) > 1:
                images = self._independent(images)[0]
            if images:
                images = _nonzero(self._engine.fork(None, family, [v for v, _, _ in images]), images)
        return images

    def _independent(self, images: list[PendingImage]) -> tuple[list[PendingImage], Span]:
        """Those that enlarge the span of the earlier ones, and the span."""
        span = self._engine.span()
        return list(compress(images, span.add_all([vector for vector, _, _ in images]))), span


def _nonzero(forked: Sequence[Sequence[Vector | None]], here: list[PendingImage]) -> list[PendingImage]:
    """Images that are not zero; forked[k][j] is that of vector j under operator k."""
    found: list[PendingImage] = []
    for j, (_, parent, choices) in enumerate(here):
        for k, images in enumerate(forked):
            image = images[j]
            if image is not None:
                found.append((image, parent, (*choices, k)))
    return found
