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
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from qismc.fixpoint.stations import At
from qismc.limits import Budget
from qismc.solve import Solved
from qismc.spec import syntax
from qismc.subspace.engine import Vector
from qismc.subspace.rows import Row, RowSpan, transposed
from qismc.system.explorer import Hop, Node

Mask = npt.NDArray[np.bool_]
Matrix = list[Row]
"""One row of coordinates of the image for each basis vector: x (a row of coefficients) is sent to x M."""


class Status(Enum):
    """What a node means for `p U q`."""

    GOAL = "goal"
    BAD = "bad"
    OPEN = "open"


@dataclass(eq=False)
class Step:
    """An edge in coordinates."""

    target: Node
    matrix: Matrix


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
            for kraus in product(*hop.way.families):
                self._budget.spend("qualitative probability")
                block = engine.compile([*gates, *kraus])
                images = [engine.run(block, vector) for vector in vectors]
                if not all(engine.is_zero(image) for image in images):
                    yield Step(hop.target, [self._coordinates(hop, image) for image in images])

    def _coordinates(self, hop: Hop, image: Vector) -> Row:
        assert hop.target is not None
        place = self._solved.posts.spread.places[At(hop.target, hop.target.start)]
        row = place.span.coordinates(image)
        assert row is not None, "sp is closed under the edges of the system"
        return row

    def rows(self) -> RowSpan:
        return self._solved.engine.rows()


@dataclass
class Until:
    """`p U q` on the nodes of a solved system."""

    coordinates: Coordinates
    status: Callable[[Node, int], Status]
    """The first decisive location of a node from a point on."""
    _avoiding: dict[int, RowSpan] = field(default_factory=dict)

    def possible(self, node: Node, point: int, vectors: list[Vector]) -> bool:
        """Does some execution from these states satisfy p U q?"""
        first = self.status(node, point)
        if first is not Status.OPEN:
            return first is Status.GOAL
        return any(
            self.status(target, target.start) is Status.GOAL
            for target, _ in self._reach(node, point, vectors)
        )

    def certain(self, node: Node, point: int, vectors: list[Vector]) -> bool:
        """Do almost all executions from these states satisfy p U q?"""
        first = self.status(node, point)
        if first is not Status.OPEN:
            return first is Status.GOAL
        reached = dict(self._reach(node, point, vectors))
        if any(self.status(target, target.start) is Status.BAD for target in reached):
            return False
        opened = [t for t in reached if self.status(t, t.start) is Status.OPEN]
        self._solve_avoidance(opened)
        if any(
            self._meets_avoidance(reached[target].rows, self._avoiding[id(target)].rows) for target in opened
        ):
            return False
        start = list(self.coordinates.steps_from(node, point, vectors))
        constraints = [row for step in start for row in self._constraints(step)]
        identity = self._identity(len(vectors), start)
        return not self._meets_avoidance(identity, constraints)

    @staticmethod
    def _identity(size: int, steps: list[Step]) -> list[Row]:
        entry = steps[0].matrix[0][0]
        zero = entry - entry
        one = _one_like(entry)
        return [
            np.array([one if k == j else zero for k in range(size)], dtype=_dtype(entry)) for j in range(size)
        ]

    def _reach(self, node: Node, point: int, vectors: list[Vector]) -> Iterator[tuple[Node, RowSpan]]:
        """What arrives where from the start; only open nodes are left."""
        found: dict[int, tuple[Node, RowSpan]] = {}
        pending: deque[tuple[Node, Row]] = deque()

        def arrive(target: Node, row: Row) -> None:
            span = found.setdefault(id(target), (target, self.coordinates.rows()))[1]
            if span.add(row):
                pending.append((target, row))

        for step in self.coordinates.steps_from(node, point, vectors):
            for row in step.matrix:
                arrive(step.target, row)
        while pending:
            here, row = pending.popleft()
            if self.status(here, here.start) is Status.OPEN:
                for step in self.coordinates.steps(here):
                    arrive(step.target, _image(row, step.matrix))
        yield from ((target, span) for target, span in found.values() if span.rows)

    def _solve_avoidance(self, nodes: Iterable[Node]) -> None:
        """The rows that annihilate D, for open nodes that are closed under open successors."""
        before: dict[int, list[Node]] = {}
        pending: deque[Node] = deque()
        for node in nodes:
            self._avoiding.setdefault(id(node), self.coordinates.rows())
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

    def _constraints(self, step: Step) -> list[Row]:
        """The linear conditions on x that its image under the step never reaches a goal."""
        status = self.status(step.target, step.target.start)
        columns = transposed(step.matrix)
        if status is Status.GOAL:
            return columns
        if status is Status.BAD:
            return []
        return [_image(row, columns) for row in self._avoiding[id(step.target)].rows]

    def _meets_avoidance(self, reached: list[Row], constraints: list[Row]) -> bool:
        """Is R /\\ D more than 0, that is, has the matrix of constraints on R a kernel?"""
        span = self.coordinates.rows()
        for row in transposed([_image(c, transposed(reached)) for c in constraints]):
            if not span.add(row):
                return True
        return not constraints and bool(reached)


def _image(row: Row, matrix: Matrix) -> Row:
    """row times matrix."""
    total: Row = matrix[0] * row[0]
    for coefficient, line in zip(row[1:], matrix[1:], strict=True):
        total = total + line * coefficient
    return total


def _one_like(entry: Any) -> Any:
    return entry.one() if hasattr(entry, "one") else 1.0 + 0.0j


def _dtype(entry: Any) -> Any:
    return object if hasattr(entry, "one") else np.complex128


class Chances:
    """The truth of probability formulas at locations."""

    def __init__(self, solved: Solved, budget: Budget, truth: Callable[[syntax.Formula], Mask]) -> None:
        self._solved = solved
        self._coordinates = Coordinates(solved, budget)
        self._truth = truth
        self.used = False

    def __call__(self, formula: syntax.Probability, where: Mask) -> Mask:
        """The formula's truth at the locations of `where`; it speaks of all states of sp there."""
        self.used = True
        hold, goal, negated = self._as_until(formula)
        until = Until(self._coordinates, self._status(hold, goal))
        certain = (formula.bound == "=1") != negated
        found = np.zeros(len(where), dtype=bool)
        for index in np.flatnonzero(where):
            node, point = self._solved.system.node_of(int(index))
            vectors = [f.vector for f in self._solved.posts.at(node, point)]
            decide = until.certain if certain else until.possible
            found[index] = (decide(node, point, vectors) if vectors else certain) != negated
        return found

    def _as_until(self, formula: syntax.Probability) -> tuple[Mask, Mask, bool]:
        """(p, q, negated) with path formula = [not] p U q; a negation exchanges the bounds."""
        parts = [self._truth(operand) for operand in formula.operands]
        everywhere = np.ones(self._solved.system.num_locations, dtype=bool)
        if formula.op == "F":
            return everywhere, parts[0], False
        if formula.op == "U":
            return parts[0], parts[1], False
        if formula.op == "G":
            return everywhere, ~parts[0], True
        if formula.op == "W":
            return ~parts[1], ~parts[0] & ~parts[1], True
        return ~parts[0], ~parts[1], True

    def _status(self, hold: Mask, goal: Mask) -> Callable[[Node, int], Status]:
        """The first location from a point on at which the goal holds, or nothing does, decides."""
        decisive = goal | ~hold
        system = self._solved.system

        def status(node: Node, point: int) -> Status:
            first = system.first(node)
            window = slice(first + point - node.start, first + node.size)
            places = np.flatnonzero(decisive[window])
            if not len(places):
                return Status.OPEN
            return Status.GOAL if goal[window][places[0]] else Status.BAD

        return status
