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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import product as choices
from typing import NamedTuple

import numpy as np

from qismc.chain_of_states import ChainOfStates
from qismc.fixpoint.post import Found
from qismc.fixpoint.propagate import Arrival
from qismc.fixpoint.stations import At
from qismc.lazily import cached_property
from qismc.limits import Budget
from qismc.solve import Solved
from qismc.subspace.counting import ledger_of, size_of
from qismc.subspace.engine import Vector
from qismc.subspace.ledger import Ledger
from qismc.subspace.rows import Arithmetic, Matrix, Row
from qismc.subspace.sizes import UNIT, LargestProducts, Size, product
from qismc.system.explorer import Hop, Node


class Status(Enum):
    """What a node means for `p U q`."""

    GOAL = "goal"
    BAD = "bad"
    OPEN = "open"


class Bundle(NamedTuple):
    """Rows of coordinates of states on a basis (or of conditions on coordinates), and how large each is.

    A row of coordinates of v counts as v itself: a matrix of rows times that of the basis is that of the
    states, and the basis is independent. A condition, a coordinate at a goal, is a determinant of the goal's
    basis with one vector left out for a place of its own.
    """

    rows: Matrix
    sizes: list[Size]

    def through(self, arithmetic: Arithmetic, matrix: Matrix, size: Size) -> Bundle:
        """The images under a matrix whose operators make numbers larger by `size`."""
        return Bundle(arithmetic.image(self.rows, matrix), [product([s, size]) for s in self.sizes])


def together(bundles: list[Bundle]) -> Bundle:
    """All rows of one or more bundles."""
    return Bundle(np.concatenate([b.rows for b in bundles]), [size for b in bundles for size in b.sizes])


@dataclass(eq=False)
class Step:
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


class Lines:
    """A growing space of rows whose tests are noted: a determinant of the rows and of as many of `others`."""

    def __init__(self, arithmetic: Arithmetic, length: int, ledger: Ledger, others: list[Size]) -> None:
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


class Coordinates:
    """The solved system as small matrices between the coordinates of sp at node entries."""

    def __init__(self, solved: Solved, budget: Budget) -> None:
        self._solved = solved
        self._budget = budget
        self._steps: dict[int, list[Step]] = {}

    def basis(self, node: Node) -> list[Vector]:
        """The vectors that span sp at the entry of a node."""
        return [a.vector for a in self._solved.posts.spread.arrivals(At(node, node.start))]

    def lines_of_states(self) -> Iterator[Node]:
        """The nodes at whose entry sp has one dimension."""
        for (node, point), place in self._solved.posts.spread.places.items():
            if point == node.start and len(place) == 1:
                yield node

    def targets(self, node: Node) -> Iterable[Node]:
        """Where edges lead that some state takes."""
        if self._solved.explorer.took_all:
            return [step.target for step in self.steps(node)]
        return taken_ahead(node)

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
                    yield Step(hop.target, matrix, size_of(block), hop, picked)

    def _coordinates(self, hop: Hop, image: Vector) -> Row:
        assert hop.target is not None
        row = self._solved.posts.spread.span(At(hop.target, hop.target.start)).coordinates(image)
        assert row is not None, "sp is closed under the edges of the system"
        return row

    @property
    def arithmetic(self) -> Arithmetic:
        return self._solved.engine.arithmetic

    def sizes(self, node: Node) -> list[Size]:
        """Of the vectors that span sp at the entry of a node."""
        return [size_of(vector) for vector in self.basis(node)]

    def lines(self, length: int, others: list[Size] | None = None) -> Lines:
        """An empty space of rows: of states, or of conditions on a basis of vectors of the given sizes."""
        return Lines(self.arithmetic, length, ledger_of(self._solved.engine), others or [])


@dataclass(eq=False)
class Reached:
    """A node, what arrives there from some start, and how each of its rows came."""

    node: Node
    lines: Lines
    arrivals: list[Arrival] = field(default_factory=list)


@dataclass
class Until:
    """`p U q` on the nodes of a solved system."""

    coordinates: Coordinates
    status: Callable[[Node, int], Status]
    """The first decisive location of a node from a point on."""
    culprit: Arrival | None = None
    """What decided the last answer, by way of open nodes: at a goal, at a bad node, or in a trap."""
    _avoiding: dict[int, Lines] = field(default_factory=dict)

    @cached_property
    def _chain(self) -> ChainOfStates:
        """What needs no states; it knows no culprits."""

        def is_goal(node: Node) -> bool | None:
            status = self.status(node, node.start)
            return None if status is Status.OPEN else status is Status.GOAL

        coordinates = self.coordinates
        return ChainOfStates(coordinates.lines_of_states(), coordinates.targets, is_goal)

    def possible(self, node: Node, point: int, states: list[Found], *, blame: bool = True) -> bool:
        """Does some execution from these states satisfy p U q? With `blame`, a culprit is wanted."""
        self.culprit, first = None, self.status(node, point)
        if first is not Status.OPEN:
            return first is Status.GOAL
        known = None if blame or len(states) > 1 else self._chain.possible(node)
        if known is not None:
            return known
        reached = self._reach(node, point, states)
        goal = next(self._those(Status.GOAL, reached), None)
        self.culprit = None if goal is None else goal.arrivals[0]
        return goal is not None

    def certain(self, node: Node, point: int, states: list[Found], *, blame: bool = True) -> bool:
        """Do almost all executions from these states satisfy p U q? With `blame`, a culprit is wanted."""
        self.culprit, first = None, self.status(node, point)
        if first is not Status.OPEN:
            return first is Status.GOAL
        known = None if blame or len(states) > 1 else self._chain.certain(node)
        if known is not None:
            return known
        if self._inevitable(node):
            return True
        reached = self._reach(node, point, states)
        bad = next(self._those(Status.BAD, reached), None)
        self.culprit = self._trapped(reached) if bad is None else bad.arrivals[0]
        if self.culprit is not None:
            return False
        vectors = [found.vector for found in states]
        start = list(self.coordinates.steps_from(node, point, vectors))
        constraints = self._all_constraints(start)
        units = self.coordinates.arithmetic.identity(len(vectors))
        own = Bundle(units, [size_of(vector) for vector in vectors])
        return not self._meets_avoidance(own, constraints)

    def loops(self, start: Node) -> bool:
        """May control go round among open nodes, from a node on?"""
        return not self._walked(start, bad_ends=False)

    def _inevitable(self, start: Node) -> bool:
        """Does every path of the graph from the end of a node come to a goal? No state need be looked at."""
        return self._walked(start, bad_ends=True)

    def _walked(self, start: Node, *, bad_ends: bool) -> bool:
        """Is there no cycle of open nodes ahead of a node, and (`bad_ends`) no bad node?"""
        entered, done = {id(start)}, set[int]()
        stack = [(start, taken_ahead(start))]
        while stack:
            node, targets = stack[-1]
            target = next(targets, None)
            if target is None:
                done.add(id(node))
                stack.pop()
            elif id(target) not in done:
                status = self.status(target, target.start)
                if status is Status.BAD and bad_ends:
                    return False
                if status is Status.OPEN and id(target) in entered:
                    return False  # a cycle, as the target is not done
                if status is Status.OPEN:
                    entered.add(id(target))
                    stack.append((target, taken_ahead(target)))
        return True

    def constrained(self, nodes: list[Node]) -> list[int]:
        """For open nodes, closed under open successors: dim sp less the dimension of D."""
        self._solve_avoidance(nodes)
        return [self._avoiding[id(node)].dimension for node in nodes]

    def _those(self, status: Status, reached: Iterable[Reached]) -> Iterator[Reached]:
        return (one for one in reached if self.status(one.node, one.node.start) is status)

    def _trapped(self, reached: list[Reached]) -> Arrival | None:
        """What arrives at an open node and may never reach a goal any more."""
        opened = list(self._those(Status.OPEN, reached))
        self._solve_avoidance(self._open_from([one.node for one in opened]))
        trap = next((one for one in opened if self._is_trap(one.node, one.lines.kept)), None)
        if trap is None or len(trap.arrivals) == 1:
            return None if trap is None else trap.arrivals[0]
        # Several states together have a part that stays, so that one of them has one by itself.
        alone = (k for k in range(len(trap.arrivals)) if self._stays(trap, k))
        return trap.arrivals[next(alone, 0)]

    def _is_trap(self, node: Node, arrived: Bundle | None) -> bool:
        assert arrived is not None, "only nodes where something arrived are kept"
        return self._meets_avoidance(arrived, self._avoiding[id(node)].kept)

    def _stays(self, trap: Reached, number: int) -> bool:
        """Does a state that arrives at an open node, by itself, miss the goals with positive probability?"""
        arrived = trap.lines.kept
        assert arrived is not None
        row = Bundle(arrived.rows[number : number + 1], arrived.sizes[number : number + 1])
        steps, arithmetic = self.coordinates.steps(trap.node), self.coordinates.arithmetic
        parents = [trap.arrivals[number]]
        further = self._spread(
            (step, row.through(arithmetic, step.matrix, step.size), parents) for step in steps
        )
        if self._is_trap(trap.node, row) or any(self._those(Status.BAD, further)):
            return True
        return any(self._is_trap(one.node, one.lines.kept) for one in self._those(Status.OPEN, further))

    def _reach(self, node: Node, point: int, states: list[Found]) -> list[Reached]:
        """What arrives where from the start; only open nodes are left."""
        sizes, starts = [size_of(found.vector) for found in states], [found.arrival for found in states]
        steps = self.coordinates.steps_from(node, point, [found.vector for found in states])
        return self._spread((step, step.images(sizes), starts) for step in steps)

    def _spread(self, leaving: Iterable[tuple[Step, Bundle, Sequence[Arrival]]]) -> list[Reached]:
        """What arrives where from images of some states; each row of them has its own parent."""
        found: dict[int, Reached] = {}
        left: dict[int, int] = {}
        """By node: how many of its rows went on."""
        pending: deque[Reached] = deque()  # those with something waiting; all of it leaves together

        def arrive(step: Step, bundle: Bundle, parents: Sequence[Arrival]) -> None:
            here = found.get(id(step.target))
            if here is None:
                lines = self.coordinates.lines(len(self.coordinates.basis(step.target)))
                here = found[id(step.target)] = Reached(step.target, lines)
            waits = len(here.arrivals) > left.get(id(step.target), 0)
            here.arrivals += [step.taken_by(parents[k]) for k in here.lines.extend(bundle)]
            if not waits and len(here.arrivals) > left.get(id(step.target), 0):
                pending.append(here)

        for step, images, parents in leaving:
            arrive(step, images, parents)
        while pending:
            here = pending.popleft()
            first = left.get(id(here.node), 0)
            left[id(here.node)] = len(here.arrivals)
            bundle = here.lines.since(first)
            if bundle is not None and self.status(here.node, here.node.start) is Status.OPEN:
                for step in self.coordinates.steps(here.node):
                    images = bundle.through(self.coordinates.arithmetic, step.matrix, step.size)
                    arrive(step, images, here.arrivals[first:])
        return [one for one in found.values() if one.lines.dimension]

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
            self._avoiding.setdefault(id(node), self.coordinates.lines(len(basis), basis))
            pending.append(node)
            for step in self.coordinates.steps(node):
                before.setdefault(id(step.target), []).append(node)
        while pending:
            node = pending.popleft()
            conditions = self._all_constraints(self.coordinates.steps(node))
            if conditions is not None and self._avoiding[id(node)].extend(conditions):
                pending.extend(before.get(id(node), []))

    def _all_constraints(self, steps: Iterable[Step]) -> Bundle | None:
        found = [bundle for step in steps if (bundle := self._constraints(step)) is not None]
        return together(found) if found else None

    def _constraints(self, step: Step) -> Bundle | None:
        """The linear conditions on x that its image under the step never reaches a goal."""
        status = self.status(step.target, step.target.start)
        columns = step.matrix.swapaxes(0, 1)
        if status is Status.GOAL:
            size = product([*self.coordinates.sizes(step.target), step.size])
            return Bundle(columns, [size] * len(columns))
        if status is Status.BAD:
            return None
        conditions = self._avoiding[id(step.target)].kept
        if conditions is None:
            return None
        return conditions.through(self.coordinates.arithmetic, columns, step.size)

    def _meets_avoidance(self, reached: Bundle, constraints: Bundle | None) -> bool:
        """Is R /\\ D more than 0, that is, has the matrix of constraints on R a kernel?"""
        if constraints is None:
            return bool(len(reached.rows))
        lines = self.coordinates.lines(len(constraints.rows), constraints.sizes)
        conditions = constraints.rows.swapaxes(0, 1)
        lines.extend(reached.through(self.coordinates.arithmetic, conditions, UNIT))
        return lines.dimension < len(reached.rows)


def taken_ahead(node: Node) -> Iterator[Node]:
    """Where edges lead that some state takes."""
    return (hop.target for hop in node.hops if hop.taken and hop.target is not None)
