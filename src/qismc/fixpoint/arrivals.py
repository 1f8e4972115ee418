"""Stations, where vectors are kept: the ends of nodes and annotated points. Arrivals there and their memory.

An arrival is a vector with the execution that produces it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from qismc.engines import Engine, Vector
from qismc.system import At, Node


class Cuts:
    """The annotated points, sorted; within a node they separate stations."""

    def __init__(self, points: Iterable[int] = ()) -> None:
        self._points = sorted(set(points))

    def __bool__(self) -> bool:
        return bool(self._points)

    def after(self, node: Node, point: int) -> At | None:
        """The first cut of the node behind `point`."""
        if not self._points:
            return None
        k = bisect_right(self._points, point)
        return At(node, self._points[k]) if k < len(self._points) and self._points[k] < node.end else None

    def before(self, node: Node, point: int) -> At | None:
        """The last cut of the node in front of `point`."""
        k = bisect_left(self._points, point) - 1
        return At(node, self._points[k]) if k >= 0 and self._points[k] >= node.start else None

    def station_at_or_before(self, node: Node, point: int) -> At:
        return self.before(node, point + 1) or At(node, node.start)

    def station_at_or_after(self, node: Node, point: int) -> At:
        return self.after(node, point - 1) or At(node, node.last)


class Arrival:
    """A vector at a station, and how it came there: by `way` with Kraus operators `choices` from `parent`.

    A seed has no parent; `seed` is its number among the seeds. `depth` is the number of arrivals before it.
    """

    __slots__ = ("choices", "depth", "parent", "seed", "station", "vectors", "way")

    def __init__(
        self,
        station: Any,
        vectors: Memory,
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


ROOM = 8 * 2**20
"""Bytes that vectors may take which could be computed again; above it some are forgotten."""
FEWEST = 4
"""Number of latest vectors that are held however large they are."""

LARGE = 256
"""Smallest number of entries of an array that may be packed."""
THIN = 4
"""Arrays are packed if at most one entry in so many is not zero."""


class Packed:
    """The entries of an array that are not zero, as after measurements, and their places."""

    def __init__(self, vector: npt.NDArray[np.complex128]) -> None:
        self._size = vector.size
        self._places = np.flatnonzero(vector).astype(np.uint32)
        self._entries = vector[self._places]
        self.nbytes = self._places.nbytes + self._entries.nbytes

    def unpacked(self) -> npt.NDArray[np.complex128]:
        vector = np.zeros(self._size, dtype=complex)
        vector[self._places] = self._entries
        return vector


def packed(vector: Vector) -> Vector:
    """The vector in as little room as is easily found."""
    large = isinstance(vector, np.ndarray) and vector.size >= LARGE
    return Packed(vector) if large and THIN * np.count_nonzero(vector) <= vector.size else vector


class Memory:
    """The vectors of arrivals; `image` makes one from that of its parent (of a seed: from None).

    A long program has a station at every reset and every measurement, and the states at most of them are
    never asked for again. So where memory is short, only every 2nd, 4th, 8th, ... arrival of a chain keeps
    its vector; the others are computed again from the nearest earlier one. Asking along a chain goes on where
    it stopped.
    """

    def __init__(self, engine: Engine, image: Callable[[Arrival, Vector | None], Vector]) -> None:
        self._bytes_of = engine.bytes_of
        self._image = image
        self.held: dict[Arrival, Vector] = {}
        """What is kept, at least until the arrival is left; thin arrays are packed."""
        self._left: dict[Arrival, int] = {}
        """What is held and may be forgotten, with its bytes."""
        self._weight = 0
        """All these bytes."""
        self._stride = 1

    def hold(self, arrival: Arrival, vector: Vector) -> None:
        """Keep the vector of an arrival until this is left."""
        self.held[arrival] = packed(vector)

    def leave(self, arrival: Arrival) -> None:
        """The vector of an arrival that is held may be forgotten from now on, unless it is a seed."""
        if arrival.depth == 0:
            return
        weight = self._left[arrival] = self._bytes_of(self.held[arrival])
        self._weight += weight
        if self._weight > ROOM:
            self._thin()

    def forget(self) -> None:
        """Let go of all vectors."""
        self.held.clear()
        self._left.clear()
        self._weight = 0

    def pin(self, arrival: Arrival) -> Vector:
        """The vector, which is not forgotten from now on."""
        vector = self.vector(arrival)
        self._weight -= self._left.pop(arrival, 0)
        return vector

    def vector(self, arrival: Arrival) -> Vector:
        """The vector, from the nearest earlier one that is held; those on the way may be forgotten again."""
        held = self.held.get(arrival)
        if held is None:
            return self._again(arrival)
        return held.unpacked() if isinstance(held, Packed) else held

    def _again(self, arrival: Arrival) -> Vector:
        missing: list[Arrival] = []
        here: Arrival | None = arrival
        while here is not None and here not in self.held:
            missing.append(here)
            here = here.parent
        vector = None if here is None else self.vector(here)
        for link in reversed(missing):
            vector = self._image(link, vector)
            self.hold(link, vector)
            self.leave(link)
        return vector

    def _thin(self) -> None:
        """Forget, until half of the room is free or only the latest ones are left."""
        while self._weight > ROOM // 2 and len(self._left) > FEWEST:
            older = list(self._left)[:-FEWEST]
            if all(arrival.depth % self._stride == 0 for arrival in older):
                self._stride *= 2
            for arrival in older:
                if arrival.depth % self._stride:
                    self._weight -= self._left.pop(arrival)
                    del self.held[arrival]
