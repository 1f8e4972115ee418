"""Qualitative probability, decided exactly by linear algebra inside the reached subspaces.

All states stay in the reached subspaces, so every edge is a small matrix between the coordinates of sp at its
ends. For `p U q` a node is a *goal* (q holds), *bad* (neither holds) or *open*. Among the open nodes

    D(k) = { x : no path from k with x ever reaches a goal }   (greatest; kept as the rows that annihilate it)
    R(k) = span of what arrives at k from the start            (least; goals and bad nodes are not left)

The goal is reached with positive probability iff something non-zero arrives at a goal, and with
probability 1 iff nothing arrives at a bad node and R(k) /\\ D(k) = 0 for every open k: a state with a
component in D(k) would keep the probability of that component away from the goal for ever.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import product as choices
from typing import NamedTuple

import numpy as np

from qismc.fixpoint.stations import At
from qismc.limits import Budget
from qismc.solve import Solved
from qismc.subspace.counting import ledger_of, size_of
from qismc.subspace.engine import Vector
from qismc.subspace.ledger import Ledger
from qismc.subspace.rows import Arithmetic, Matrix, Row, RowSpan
from qismc.subspace.sizes import Size, largest_product, product
from qismc.system.explorer import Hop, Node


class Status(Enum):
    """What a node means for `p U q`."""

    GOAL = "goal"
    BAD = "bad"
    OPEN = "open"


class Line(NamedTuple):
    """Coordinates of a state on a basis (or of a condition on its coordinates), and how large they are.

    A row of coordinates of v counts as v itself: a matrix of rows times that of the basis is that of the
    states, and the basis is independent. A condition, a coordinate at a goal, is a determinant of the goal's
    basis with one vector left out for a place of its own.
    """

    row: Row
    size: Size


@dataclass(eq=False)
class Step:
    """An edge in coordinates."""

    target: Node
    matrix: Matrix
    size: Size
    """By how much its operators make numbers larger."""

    def rows(self, sizes: list[Size]) -> list[Line]:
        """The images of the basis; `sizes` are those of its vectors."""
        return [Line(r, product([s, self.size])) for r, s in zip(self.matrix, sizes, strict=True)]


class Lines:
    """A growing space of rows whose tests are noted: a determinant of the rows and of as many of `others`."""

    def __init__(self, span: RowSpan, ledger: Ledger, others: list[Size]) -> None:
        self._span = span
        self._ledger = ledger
        self._others = others
        self.kept: list[Line] = []

    def add(self, line: Line) -> bool:
        added = self._span.add(line.row)
        sizes = [*(kept.size for kept in self.kept), line.size]
        self._ledger.decided(not added, [*sizes, largest_product(self._others, len(sizes))])
        if added:
            self.kept.append(line)
        return added


class Coordinates:
    """The solved system as small matrices between the coordinates of sp at node entries."""

    def __init__(self, solved: Solved, budget: Budget) -> None:
        self._solved = solved
        self._budget = budget
        self._steps: dict[int, list[Step]] = {}

    def basis(self, node: Node) -> list[Vector]:
        """The vectors that span sp at the entry of a node."""
        return [a.vector for a in self._solved.posts.spread.arrivals(At(node, node.start))]

    def steps(self, node: Node) -> list[Step]:
        """The edges that leave a node."""
        if id(node) not in self._steps:
            self._steps[id(node)] = list(self.steps_from(node, node.start, self.basis(node)))
        return self._steps[id(node)]

    def steps_from(self, node: Node, point: int, vectors: list[Vector]) -> Iterator[Step]:
        """The edges that leave a node, for vectors at one of its points; impossible ones are left out."""
        engine, explorer = self._solved.engine, self._solved.explorer
        gates = explorer.gates(point, node.end)
        for hop in node.hops:
            if not hop.taken or hop.target is None:
                continue
            for kraus in choices(*hop.way.families):
                self._budget.spend("qualitative probability")
                block = engine.compile([*gates, *kraus])
                images = [engine.run(block, vector) for vector in vectors]
                rows = [None if engine.is_zero(image) else self._coordinates(hop, image) for image in images]
                some = next((row for row in rows if row is not None), None)
                if some is not None:  # rounding may leave something of images that are zero
                    zero = np.zeros_like(some)
                    matrix = np.stack([zero if row is None else row for row in rows])
                    yield Step(hop.target, matrix, size_of(block))

    def _coordinates(self, hop: Hop, image: Vector) -> Row:
        assert hop.target is not None
        place = self._solved.posts.spread.places[At(hop.target, hop.target.start)]
        row = place.span.coordinates(image)
        assert row is not None, "sp is closed under the edges of the system"
        return row

    @property
    def arithmetic(self) -> Arithmetic:
        return self._solved.engine.arithmetic

    def sizes(self, node: Node) -> list[Size]:
        """Of the vectors that span sp at the entry of a node."""
        return [size_of(vector) for vector in self.basis(node)]

    def lines(self, others: list[Size] | None = None) -> Lines:
        """An empty space of rows: of states, or of conditions on a basis of vectors of the given sizes."""
        return Lines(self.arithmetic.span(), ledger_of(self._solved.engine), others or [])


@dataclass
class Until:
    """`p U q` on the nodes of a solved system."""

    coordinates: Coordinates
    status: Callable[[Node, int], Status]
    """The first decisive location of a node from a point on."""
    culprit: Node | None = None
    """Where the last answer was decided: a goal that is reached, a bad node, or a trap."""
    _avoiding: dict[int, Lines] = field(default_factory=dict)

    def possible(self, node: Node, point: int, vectors: list[Vector]) -> bool:
        """Does some execution from these states satisfy p U q?"""
        first = self.status(node, point)
        if first is not Status.OPEN:
            return first is Status.GOAL
        self.culprit = self._first(Status.GOAL, dict(self._reach(node, point, vectors)))
        return self.culprit is not None

    def certain(self, node: Node, point: int, vectors: list[Vector]) -> bool:
        """Do almost all executions from these states satisfy p U q?"""
        first = self.status(node, point)
        if first is not Status.OPEN:
            return first is Status.GOAL
        if self._inevitable(node):
            return True
        reached = dict(self._reach(node, point, vectors))
        self.culprit = self._first(Status.BAD, reached) or self._trap(reached)
        if self.culprit is not None:
            return False
        start = list(self.coordinates.steps_from(node, point, vectors))
        constraints = [row for step in start for row in self._constraints(step)]
        units = self.coordinates.arithmetic.identity(len(vectors))
        own = [Line(row, size_of(vector)) for row, vector in zip(units, vectors, strict=True)]
        return not self._meets_avoidance(own, constraints)

    def _inevitable(self, start: Node) -> bool:
        """Does every path of the graph from the end of a node come to a goal? No state need be looked at."""
        entered, done = {id(start)}, set[int]()
        stack = [(start, _ahead(start))]
        while stack:
            node, targets = stack[-1]
            target = next(targets, None)
            if target is None:
                done.add(id(node))
                stack.pop()
            elif id(target) not in done:
                status = self.status(target, target.start)
                if status is Status.BAD or (status is Status.OPEN and id(target) in entered):
                    return False  # a cycle, as the target is not done
                if status is Status.OPEN:
                    entered.add(id(target))
                    stack.append((target, _ahead(target)))
        return True

    def constrained(self, nodes: list[Node]) -> list[int]:
        """For open nodes, closed under open successors: dim sp less the dimension of D."""
        self._solve_avoidance(nodes)
        return [len(self._avoiding[id(node)].kept) for node in nodes]

    def _first(self, status: Status, nodes: Iterable[Node]) -> Node | None:
        return next((node for node in nodes if self.status(node, node.start) is status), None)

    def _trap(self, reached: dict[Node, Lines]) -> Node | None:
        """An open node where some arriving state never reaches a goal any more."""
        opened = [node for node in reached if self.status(node, node.start) is Status.OPEN]
        self._solve_avoidance(self._open_from(opened))
        avoiding = {node: self._avoiding[id(node)].kept for node in opened}
        return next((n for n in opened if self._meets_avoidance(reached[n].kept, avoiding[n])), None)

    def _reach(self, node: Node, point: int, vectors: list[Vector]) -> Iterator[tuple[Node, Lines]]:
        """What arrives where from the start; only open nodes are left."""
        found: dict[int, tuple[Node, Lines]] = {}
        pending: deque[tuple[Node, Line]] = deque()

        def arrive(target: Node, line: Line) -> None:
            lines = found.setdefault(id(target), (target, self.coordinates.lines()))[1]
            if lines.add(line):
                pending.append((target, line))

        for step in self.coordinates.steps_from(node, point, vectors):
            for line in step.rows([size_of(vector) for vector in vectors]):
                arrive(step.target, line)
        while pending:
            here, line = pending.popleft()
            if self.status(here, here.start) is Status.OPEN:
                for step in self.coordinates.steps(here):
                    image = self.coordinates.arithmetic.image(line.row, step.matrix)
                    arrive(step.target, Line(image, product([line.size, step.size])))
        yield from ((target, lines) for target, lines in found.values() if lines.kept)

    def _open_from(self, nodes: list[Node]) -> list[Node]:
        """The open nodes and every open one ahead: sp may lead where nothing from this start arrives."""
        found, seen = list(nodes), {id(node) for node in nodes}
        for node in found:
            for target in (step.target for step in self.coordinates.steps(node)):
                if id(target) not in seen and self.status(target, target.start) is Status.OPEN:
                    seen.add(id(target))
                    found.append(target)
        return found

    def _solve_avoidance(self, nodes: Iterable[Node]) -> None:
        """The rows that annihilate D, for open nodes that are closed under open successors."""
        before: dict[int, list[Node]] = {}
        pending: deque[Node] = deque()
        for node in nodes:
            basis = self.coordinates.sizes(node)
            self._avoiding.setdefault(id(node), self.coordinates.lines(basis))
            pending.append(node)
            for step in self.coordinates.steps(node):
                before.setdefault(id(step.target), []).append(node)
        while pending:
            node = pending.popleft()
            grown = [
                self._avoiding[id(node)].add(row)
                for step in self.coordinates.steps(node)
                for row in self._constraints(step)
            ]
            if any(grown):
                pending.extend(before.get(id(node), []))

    def _constraints(self, step: Step) -> list[Line]:
        """The linear conditions on x that its image under the step never reaches a goal."""
        status = self.status(step.target, step.target.start)
        columns = step.matrix.swapaxes(0, 1)
        if status is Status.GOAL:
            size = product([*self.coordinates.sizes(step.target), step.size])
            return [Line(column, size) for column in columns]
        if status is Status.BAD:
            return []
        image = self.coordinates.arithmetic.image
        conditions = self._avoiding[id(step.target)].kept
        return [Line(image(c.row, columns), product([c.size, step.size])) for c in conditions]

    def _meets_avoidance(self, reached: list[Line], constraints: list[Line]) -> bool:
        """Is R /\\ D more than 0, that is, has the matrix of constraints on R a kernel?"""
        if not constraints:
            return bool(reached)
        lines = self.coordinates.lines([c.size for c in constraints])
        image = self.coordinates.arithmetic.image
        conditions = np.stack([c.row for c in constraints]).swapaxes(0, 1)
        return not all(lines.add(Line(image(line.row, conditions), line.size)) for line in reached)


def _ahead(node: Node) -> Iterator[Node]:
    return (hop.target for hop in node.hops if hop.taken and hop.target is not None)
