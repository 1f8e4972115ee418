"""The finished transition system: numbered locations and edges, and names for program points."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from qismc import _core
from qismc.common.lazily import cached_property
from qismc.common.source import Source
from qismc.errors import SpecError
from qismc.program import LOCATION, Leaf, Program, Statement, Store, Values
from qismc.system.explorer import At, Hop, Node
from qismc.system.gates import crossings


def names_of(program: Program, point: int) -> list[str]:
    """The names that mean this point."""
    found = list(program.marked.get(point, ()))
    statement = program.code[point]
    if isinstance(statement, Leaf):
        found.append("leaf")
    elif statement.loop:
        found.append("loop")
    return found


def points_of(where: str, program: Program) -> list[int]:
    """The points that a name means, in order."""
    if where in program.marks:
        return sorted(point for point, names in program.marked.items() if where in names)
    return list(program.once("points by name", _points).get(where, ()))


def _points(program: Program) -> dict[str, list[int]]:
    """All names that mean points, with the points in order."""
    found: dict[str, list[int]] = {}
    for point in sorted({*crossings(program), *program.marked}):  # gates have no names but marks
        for name in names_of(program, point):
            found.setdefault(name, []).append(point)
    return found


@dataclass(frozen=True)
class Location:
    """A program point with a classical store."""

    index: int
    point: int
    store: Store
    program: Program

    @property
    def name(self) -> str:
        return f"l{self.index}"

    @property
    def statement(self) -> Statement:
        return self.program.code[self.point]

    @property
    def text(self) -> str:
        return self.program.text(self.point)

    @property
    def source(self) -> Source | None:
        return self.program.sources[self.point]

    @property
    def values(self) -> Values:
        return Values(self.program, self.store)


class LocationKey(NamedTuple):
    """A location by what it is, not by its number: the run and the store of its node, and its point."""

    start: int
    store: Store
    point: int


class TransitionSystem:
    """Nodes in breadth-first order from the entry; a node's locations have consecutive numbers."""

    def __init__(self, program: Program, entry: Node) -> None:
        self.program = program
        self.nodes = [entry]
        self._number = {id(entry): 0}
        self.moves: tuple[list[int], list[int]] = [], []
        """The numbers of the nodes that edges between nodes leave, and of those that they enter."""
        self._go_through()
        *self._first, self.num_locations = accumulate([n.end - n.start for n in self.nodes], initial=0)

    def _go_through(self) -> None:
        """Find and number the nodes and the edges between them, breadth first."""
        nodes, number = self.nodes, self._number
        leave, enter = self.moves
        for k, node in enumerate(nodes):  # which grow meanwhile
            for hop in node.hops:
                target = hop.target
                if hop.taken and target is not None:
                    there = number.setdefault(id(target), len(nodes))
                    if there == len(nodes):
                        nodes.append(target)
                    leave.append(k)
                    enter.append(there)

    def has(self, node: Node) -> bool:
        """Is the node one of the system? An annotation may stand where no edge leads."""
        return id(node) in self._number

    def number(self, node: Node) -> int:
        """The number of a node of the system."""
        return self._number[id(node)]

    @property
    def offsets(self) -> npt.NDArray[np.int64]:
        """The numbers of the first locations of all nodes, and of the first location that there is not."""
        return np.array([*self._first, self.num_locations], dtype=np.int64)

    def first(self, node: Node) -> int:
        """The number of the node's first location."""
        return self._first[self._number[id(node)]]

    def node_of(self, index: int) -> At:
        """The location with a number."""
        k = bisect_right(self._first, index) - 1
        node = self.nodes[k]
        return At(node, node.start + index - self._first[k])

    def index(self, node: Node, point: int) -> int:
        """The number of a location."""
        return self.first(node) + point - node.start

    def location(self, index: int) -> Location:
        if not 0 <= index < self.num_locations:
            raise IndexError(index)
        node, point = self.node_of(index)
        return Location(index, point, node.store, self.program)

    def place(self, name: str) -> str | LocationKey:
        """The place of a location such as l7; other names mean what they say."""
        located = LOCATION.match(name)
        if not located:
            return name
        number = int(located[1])
        if number >= self.num_locations:
            raise SpecError(
                f"there is no location l{number}", hint=f"the last one is l{self.num_locations - 1}"
            )
        node, point = self.node_of(number)
        return LocationKey(node.start, node.store, point)

    def select(self, where: str) -> list[At]:
        """The locations that a mark, `leaf` or `loop` names, in order."""
        points = points_of(where, self.program)
        return [
            At(node, point)
            for node in self.nodes
            for point in points[bisect_left(points, node.start) : bisect_left(points, node.end)]
        ]

    def __iter__(self) -> Iterator[Location]:
        return (self.location(k) for k in range(self.num_locations))

    def hops(self) -> Iterator[tuple[int, int, Hop]]:
        """(source location, target location, hop) for every edge that leaves a node."""
        for node in self.nodes:
            for hop in node.hops:
                if hop.taken and hop.target is not None:
                    yield self.index(node, node.last), self.first(hop.target), hop

    @cached_property
    def edges(self) -> list[tuple[int, int]]:
        """All edges between locations, in order."""
        inside = [
            (first + k, first + k + 1)
            for node, first in zip(self.nodes, self._first, strict=True)
            for k in range(node.last - node.start)
        ]
        return sorted(inside + [(source, target) for source, target, _ in self.hops()])

    @cached_property
    def num_edges(self) -> int:
        return self.num_locations - len(self.nodes) + len(self.moves[0])

    @cached_property
    def points(self) -> npt.NDArray[np.int64]:
        """The program point of every location."""
        starts = np.array([node.start for node in self.nodes], dtype=np.int64)
        return np.repeat(starts - self._first, self._sizes) + np.arange(self.num_locations)

    def spread(self, per_node: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """A value per node, repeated for its locations."""
        return np.repeat(per_node, self._sizes)

    def gathered(self, per_location: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """For each node, whether the value is true at one of its locations."""
        return np.logical_or.reduceat(per_location, self._first)

    @cached_property
    def _sizes(self) -> npt.NDArray[np.int64]:
        return np.array([node.end - node.start for node in self.nodes], dtype=np.int64)

    @cached_property
    def successor_arrays(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """The bare graph in compressed form: the successors of l are targets[offsets[l] : offsets[l + 1]].

        They are in order, each once. Inside of a node the next location follows.
        """
        return _core.chain_rows([*self._first, self.num_locations], *self.moves)


@dataclass(frozen=True, eq=False)
class Backdrop:
    """A system, and the mask of store positions that were kept apart without being read by the program.

    It does not travel: nodes refer to one another in long chains, so a pickled copy is empty.
    """

    system: TransitionSystem | None = None
    kept: int = 0

    def __reduce__(self) -> tuple[type[Backdrop], tuple[()]]:
        return Backdrop, ()
