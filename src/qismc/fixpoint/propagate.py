"""The one fixed-point routine: concrete vectors spread over a graph until no span grows.

Least solution of  S(t) = span( seeds at t, images of S(s) over the moves s -> t ).  Every stored vector is
the image of a stored vector, so the parent chain of a vector is a real execution that produces it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile
from typing import Any, Protocol

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


@dataclass(eq=False, slots=True)
class Place:
    """What has arrived at a station: concrete vectors that span everything that can arrive.

    At most stations one vector arrives: there is no span before somebody asks for it.
    """

    arrivals: list[Arrival] = field(default_factory=list)
    span: Span | None = None
    leaving: Moves | None = None
    """What leaves the station, once something has."""

    def spanned(self, engine: Engine) -> Span:
        """The span of what has arrived."""
        if self.span is None:
            self.span = engine.span()
            for arrival in self.arrivals:
                self.span.add(arrival.vectors.pin(arrival))
        return self.span


Pending = deque[tuple[Arrival, Place]]
"""Arrivals that have not gone on yet."""
PER_THREAD = 4
"""Vectors that are worked on together, for each thread: enough that nobody waits long for the others."""


class Spread:
    """The fixed point: the places by station."""

    def __init__(self, engine: Engine, budget: Budget) -> None:
        self._engine = engine
        self._budget = budget
        self._together = 1 if budget.threads == 1 else PER_THREAD * budget.threads
        self._ahead: dict[tuple[int, int], tuple[Vector, Vector]] = {}
        """Vectors and their images that were computed ahead of their turn, by the block and the vector."""
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
        """Spread the seeds; nothing leaves the stations of `stop`."""
        pending: Pending = deque()
        for number, (station, vector) in enumerate(seeds):
            self.places.setdefault(station, Place()).spanned(self._engine)  # seeds may be zero vectors
            self._admit(Arrival(station, self._memory, seed=number), vector, pending)
        while pending:
            self._budget.spend("the fixed point")
            arrival, place = pending.popleft()
            if stop and arrival.station in stop:
                continue
            if place.leaving is None:
                place.leaving = flow.moves(arrival.station)
            if self._together > 1 and not self._ahead:
                self._work_ahead(arrival, place, flow, pending)
            prefix, vector = place.leaving.prefix, arrival.vector
            if prefix is not None:
                vector = self._run(prefix, vector)
            for move in place.leaving.moves:
                for image, choices in self.images(move.families, vector):
                    reached = Arrival(flow.arrive(move), self._memory, arrival, move, choices)
                    self._admit(reached, image, pending)
            if place.span is None:
                self._memory.leave(arrival)

    def _run(self, block: Block, vector: Vector) -> Vector:
        known = self._ahead.pop((id(block), id(vector)), None) if self._ahead else None
        return self._engine.run(block, vector) if known is None else known[1]

    def _work_ahead(self, arrival: Arrival, place: Place, flow: Flow, pending: Pending) -> None:
        """Compute what can be computed on several threads for the next arrivals, if they are at one place.

        Nothing is decided: that is left to their turns, so that all decisions are those of one thread.
        """
        others = takewhile(lambda waiting: waiting[1] is place, islice(pending, self._together - 1))
        vectors = [waiting.vector for waiting in (arrival, *(other for other, _ in others))]
        leaving = place.leaving
        if len(vectors) == 1 or leaving is None:
            return
        if leaving.prefix is not None:
            vectors = self._run_ahead(leaving.prefix, vectors)
        for move in leaving.moves:
            for block in move.families[0] if move.families else ():
                self._run_ahead(block, vectors)
            if not move.families and len(leaving.moves) == 1:
                target = self.places.get(flow.arrive(move))
                if target is not None:
                    target.spanned(self._engine).expect(vectors)

    def _run_ahead(self, block: Block, vectors: list[Vector]) -> list[Vector]:
        images = self._engine.run_all(block, vectors)
        for vector, image in zip(vectors, images, strict=True):
            self._ahead[id(block), id(vector)] = vector, image
        return images

    def _admit(self, arrival: Arrival, vector: Vector, pending: Pending) -> None:
        """Keep the arrival, which is not zero, if it is the first one or enlarges the span."""
        place = self.places.get(arrival.station)
        if place is None:
            place = self.places[arrival.station] = Place()
        elif not place.spanned(self._engine).add(vector):
            return
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

    def images(
        self, families: tuple[tuple[Block, ...], ...], vector: Vector
    ) -> list[tuple[Vector, tuple[int, ...]]]:
        """The non-zero images under every choice of one operator per family.

        After each family, images that add nothing to the span of the earlier ones are dropped: resetting k
        qubits makes 2^k choices, but rarely 2^k different states.
        """
        current: list[tuple[Vector, tuple[int, ...]]] = [(vector, ())]
        for family in families:
            following: list[tuple[Vector, tuple[int, ...]]] = []
            span = self._engine.span() if len(family) > 1 else None
            for state, choices in current:
                for k, block in enumerate(family):
                    image = self._run(block, state)
                    if not self._engine.is_zero(image) and (span is None or span.add(image)):
                        following.append((image, (*choices, k)))
            current = following
        return current
