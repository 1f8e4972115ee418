"""The solved system in exact coordinates: every edge is a small matrix between bases of sp at its ends.

All states stay in the reached subspaces, so what happens to them happens to their coordinates. Spaces of rows
grow here with an account of every test, as the fixed point has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product as choices
from typing import NamedTuple

import numpy as np

from qismc.common.lazily import cached_method, cached_property
from qismc.engines import Vector, ledger_of, size_of
from qismc.errors import Undecided
from qismc.fixpoint import Arrival, Solved
from qismc.limits import Budget
from qismc.numbers import CoordinateRow, LargestProducts, Ledger, Matrix, RowArithmetic, Size, product
from qismc.probability.frames import Frames
from qismc.program import Havoc
from qismc.system import At, Hop, Node


class Bundle(NamedTuple):
    """Rows of coordinates of states on a basis (or of conditions on coordinates), and how large each is.

    A row of coordinates of v counts as v itself: a matrix of rows times that of the basis is that of the
    states, and the basis is independent. A condition, a coordinate at a goal, is a determinant of the goal's
    basis with one vector left out for a place of its own.
    """

    rows: Matrix
    sizes: list[Size]

    def through(self, arithmetic: RowArithmetic, matrix: Matrix, size: Size) -> Bundle:
        """The images under a matrix whose operators make numbers larger by `size`."""
        return Bundle(arithmetic.image(self.rows, matrix), [product([s, size]) for s in self.sizes])


def together(bundles: list[Bundle]) -> Bundle:
    """All rows of one or more bundles."""
    return Bundle(np.concatenate([b.rows for b in bundles]), [size for b in bundles for size in b.sizes])


@dataclass(eq=False)
class ExactEdge:
    """An edge in coordinates."""

    target: Node
    matrix: Matrix
    size: Size
    """By how much its operators make numbers larger."""
    hop: Hop
    choices: tuple[int, ...]
    """Which of its Kraus operators act."""

    def images(self, sizes: list[Size]) -> Bundle:
        """The images of the basis; `sizes` are those of its vectors."""
        return Bundle(self.matrix, [product([size, self.size]) for size in sizes])

    def taken_by(self, parent: Arrival) -> Arrival:
        """What arrives by this edge from a state before it."""
        return Arrival(At(self.target, self.target.start), parent.vectors, parent, self.hop, self.choices)


class RowSpace:
    """A growing space of rows whose tests are noted: a determinant of the rows and of as many of `others`."""

    def __init__(self, arithmetic: RowArithmetic, length: int, ledger: Ledger, others: list[Size]) -> None:
        self._arithmetic = arithmetic
        self._span = arithmetic.span(length)
        self._ledger = ledger
        self._others = LargestProducts(others)
        self._kept: list[Bundle] = []
        self._bits, self._degree = 0.0, 0.0
        self.dimension = 0

    def extend(self, bundle: Bundle) -> list[int]:
        """Join rows; the numbers of those that were outside."""
        added = self._span.extend(bundle.rows)
        kept = [k for k, fresh in enumerate(added) if fresh]
        for fresh, size in zip(added, bundle.sizes, strict=True):
            others = self._others.of(self.dimension + 1)
            bits, degree = self._bits + size.bits, self._degree + size.degree
            self._ledger.decided_on(not fresh, bits + others.bits, degree + others.degree)
            if fresh:
                self._bits, self._degree, self.dimension = bits, degree, self.dimension + 1
        if kept:
            rows = self._arithmetic.units(bundle.rows[kept])
            self._kept.append(Bundle(rows, [bundle.sizes[k] for k in kept]))
        return kept

    def since(self, number: int) -> Bundle | None:
        """The rows that enlarged the space after so many others."""
        kept = self.kept
        return None if kept is None else Bundle(kept.rows[number:], kept.sizes[number:])

    @property
    def kept(self) -> Bundle | None:
        """The rows that enlarged the space; None if there are none."""
        if len(self._kept) > 1:
            self._kept = [together(self._kept)]
        return self._kept[0] if self._kept else None


class NoChance(Undecided):
    """A path that always takes the same value may decide; values that are left open have no probability."""

    kind = "path"


class Coordinates:
    """The solved system as small matrices between the coordinates of sp at node entries."""

    def __init__(self, solved: Solved, budget: Budget) -> None:
        self.solved = solved
        self.arithmetic = solved.engine.arithmetic
        self._budget = budget

    @cached_property
    def frames(self) -> Frames:
        """The same in orthonormal coordinates, in floating point."""
        return Frames(self.solved, self._budget)

    def basis(self, node: Node) -> list[Vector]:
        """The vectors that span sp at the entry of a node."""
        return [a.vector for a in self.solved.posts.spread.arrivals(At(node, node.start))]

    def lines_of_states(self) -> list[Node]:
        """The nodes of the system at whose entry sp has one dimension."""
        solved = self.solved
        places = solved.posts.spread.places.items()
        single = (node for (node, point), place in places if point == node.start and len(place) == 1)
        return [node for node in single if solved.system.has(node)]

    @cached_property
    def open_values(self) -> list[Node]:
        """The nodes whose last statement leaves a value open on which it depends how control goes on."""
        solved = self.solved
        code = solved.explorer.program.code
        ends = (node for node in solved.system.nodes if isinstance(code[node.last], Havoc))
        return [node for node in ends if len(set(taken_ahead(node))) > 1]

    def no_chance(self, node: Node) -> NoChance:
        """Nobody says how often an open value is which."""
        program = self.solved.explorer.program
        where = f"{program.sources[node.last]}: " if program.sources[node.last] else ""
        return NoChance(
            f"{where}'{program.text(node.last)}' leaves a value open in a loop: it may always be the same"
        )

    def targets(self, node: Node) -> Iterable[Node]:
        """Where edges lead that some state of the node's entry takes; others join at annotated points."""
        if self.solved.explorer.took_all or self.solved.posts.cuts:
            return [step.target for step in self.steps(node)]
        return taken_ahead(node)

    @cached_method
    def steps(self, node: Node) -> list[ExactEdge]:
        """The edges that leave a node."""
        return list(self.steps_from(At(node, node.start), self.basis(node)))

    def ahead(self, nodes: Iterable[Node], wanted: Callable[[Node], bool]) -> list[Node]:
        """The wanted nodes among some and all ahead of them; what is not wanted is not looked behind."""
        found, seen, pending = list[Node](), set[Node](), list(nodes)
        for node in pending:
            if node not in seen and wanted(node):
                seen.add(node)
                found.append(node)
                pending += [step.target for step in self.steps(node)]
        return found

    def steps_from(self, location: At, vectors: list[Vector]) -> Iterator[ExactEdge]:
        """The edges that leave a node, for vectors at one of its points; impossible ones are left out."""
        engine, explorer, (node, point) = self.solved.engine, self.solved.explorer, location
        gates = explorer.gates(point, node.end)
        for hop in node.hops:
            if not hop.taken or hop.target is None:
                continue
            families = hop.way.families
            for picked in choices(*(range(len(family)) for family in families)):
                self._budget.spend("qualitative probability")
                kraus = [family[k] for family, k in zip(families, picked, strict=True)]
                block = engine.compile([*gates, *kraus])
                images = engine.run_all(block, vectors)
                rows = [None if engine.is_zero(image) else self._coordinates(hop, image) for image in images]
                some = next((row for row in rows if row is not None), None)
                if some is not None:  # rounding may leave something of images that are zero
                    zero = np.zeros_like(some)
                    matrix = np.stack([zero if row is None else row for row in rows])
                    yield ExactEdge(hop.target, matrix, size_of(block), hop, picked)

    def _coordinates(self, hop: Hop, image: Vector) -> CoordinateRow:
        assert hop.target is not None
        row = self.solved.posts.spread.span(At(hop.target, hop.target.start)).coordinates(image)
        assert row is not None, "sp is closed under the edges of the system"
        return row

    def sizes(self, node: Node) -> list[Size]:
        """Of the vectors that span sp at the entry of a node."""
        return [size_of(vector) for vector in self.basis(node)]

    def lines(self, length: int, others: list[Size] | None = None) -> RowSpace:
        """An empty space of rows: of states, or of conditions on a basis of vectors of the given sizes."""
        return RowSpace(self.arithmetic, length, ledger_of(self.solved.engine), others or [])


def taken_ahead(node: Node) -> Iterator[Node]:
    """Where edges lead that some state takes."""
    return (hop.target for hop in node.hops if hop.taken and hop.target is not None)
