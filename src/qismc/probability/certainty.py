"""Qualitative probability, decided exactly by linear algebra inside the reached subspaces.

All states stay in the reached subspaces, so every edge is a small matrix between the coordinates of sp at its
ends. For `p U q` a node is a *goal* (q holds), *bad* (neither holds) or *open*. Among the open nodes

    D(k) = { x : no path from k with x ever reaches a goal }   (greatest; kept as the rows that annihilate it)
    R(k) = span of what arrives at k from the start            (least; goals and bad nodes are not left)

The goal is reached with positive probability iff something non-zero arrives at a goal, and with
probability 1 iff nothing arrives at a bad node and R(k) /\\ D(k) = 0 for every open k: a state with a
component in D(k) would keep the probability of that component away from the goal for ever.

Where sp is a line, no state is needed: every edge that carries something is taken with positive probability,
and what arrives at the next line is all that can be there. As far as lines lead, a goal is reached with
positive probability iff a path leads to it, and with probability 1 iff no path leads to a bad node, or to an
open one from which no path leads to a goal.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from qismc.common.lazily import cached_property
from qismc.ctl import Graph, Indices, Mask, forward, until_on_all_paths, until_on_some_path
from qismc.engines import size_of
from qismc.fixpoint import Arrival, LocatedState
from qismc.numbers import UNIT, product
from qismc.probability.coordinates import Bundle, Coordinates, ExactEdge, RowSpace, together
from qismc.probability.until import Status, Until
from qismc.system import At, Node


class ChainOfStates:
    """Answers for numbered lines of one `p U q`; None where a way leads to a node with several states."""

    def __init__(self, edges: Sequence[tuple[int, int]], lines: Mask, goals: Mask, undecided: Mask) -> None:
        """`edges` leave lines; `goals` and `undecided` say what nodes mean to those who enter them."""
        loops = [
            (k, k) for k in range(len(lines))
        ]  # a graph has no ends; they make no further way to anything
        tails, heads = np.array([*edges, *loops], dtype=int).reshape(-1, 2).T
        graph, own = Graph.from_edges(len(lines), tails, heads), slice(len(edges))

        def leading_to(ends: Mask) -> Mask:
            """Lines from which a way leads to one of the nodes. Some were asked about from a point behind the
            one that decides whoever enters them: no way leads through these."""
            found, ahead = graph.nowhere(), until_on_some_path(graph, lines & undecided, ends)
            found[tails[own][ahead[heads[own]]]] = True
            return found

        self._winning = leading_to(goals)
        open_ended = leading_to(undecided & ~lines)
        lost = lines & ~self._winning & ~open_ended
        self._losing = leading_to(~goals & (~undecided | lost)) | lost
        self._known = lines & ~open_ended

    def possible(self, number: int) -> bool | None:
        """Does some execution from the state of an open node reach a goal?"""
        if self._winning[number]:
            return True
        return False if self._known[number] else None

    def certain(self, number: int) -> bool | None:
        """Do almost all executions from the state of an open node reach a goal?"""
        if self._losing[number]:
            return False
        return True if self._known[number] else None


@dataclass(eq=False)
class Reached:
    """A node, what arrives there from some start, and how each of its rows came."""

    node: Node
    lines: RowSpace
    arrivals: list[Arrival] = field(default_factory=list)


class ExactUntil:
    """`p U q` on the nodes of a solved system."""

    def __init__(self, coordinates: Coordinates, until: Until) -> None:
        self.coordinates = coordinates
        self.until = until
        self.culprit: Arrival | None = None
        """What decided the last answer, by way of open nodes: at a goal, at a bad node, or in a trap."""
        self._avoiding: dict[Node, RowSpace] = {}

    @cached_property
    def _chain(self) -> ChainOfStates:
        """What needs no states; it knows no culprits."""
        number = self.until.system.number
        lines = self.coordinates.lines_of_states()
        edges = [
            (number(node), number(target)) for node in lines for target in self.coordinates.targets(node)
        ]
        mask = self.until.graph.nowhere()
        mask[[number(node) for node in lines]] = True
        return ChainOfStates(edges, mask, self.until.goals, self.until.open)

    def possible(self, location: At, states: list[LocatedState], *, blame: bool = True) -> bool:
        """Does some execution from these states satisfy p U q? With `blame`, a culprit is wanted."""
        self.culprit, first = None, self.until.status(*location)
        if first is not Status.OPEN:
            return first is Status.GOAL
        number = self.until.system.number(location.node)
        known = None if blame or len(states) > 1 else self._chain.possible(number)
        if known is not None:
            return known
        goal = next(self._those(Status.GOAL, self._reach(location, states)), None)
        self.culprit = None if goal is None else goal.arrivals[0]
        return goal is not None

    def certain(self, location: At, states: list[LocatedState], *, blame: bool = True) -> bool:
        """Do almost all executions from these states satisfy p U q? With `blame`, a culprit is wanted."""
        self.culprit, first = None, self.until.status(*location)
        if first is not Status.OPEN:
            return first is Status.GOAL
        number = self.until.system.number(location.node)
        known = None if blame or len(states) > 1 else self._chain.certain(number)
        if known is None and self._inevitable(location.node):
            return True
        if known is None and self._blamed(location, states):
            known = False
        if known is not False:
            self._check_choices(location.node)
        return self._leaves_nothing(location, states) if known is None else known

    def _blamed(self, location: At, states: list[LocatedState]) -> bool:
        """Is there a culprit: something that arrives at a bad node, or a state that may be trapped?"""
        reached = self._reach(location, states)
        bad = next(self._those(Status.BAD, reached), None)
        self.culprit = self._trapped(reached) if bad is None else bad.arrivals[0]
        return self.culprit is not None

    def _leaves_nothing(self, location: At, states: list[LocatedState]) -> bool:
        """Has no state in the span of these a part that never reaches a goal?"""
        vectors = [found.vector for found in states]
        constraints = self._all_constraints(self.coordinates.steps_from(location, vectors))
        units = self.coordinates.arithmetic.identity(len(vectors))
        own = Bundle(units, [size_of(vector) for vector in vectors])
        return not self._meets_avoidance(own, constraints)

    def _check_choices(self, start: Node) -> None:
        """Raise NoChance where a loop of open nodes leaves a value open: it may always be the same.

        Outside of loops every choice is one of several ways, and all of them are looked at.
        """
        if not self.coordinates.open_values or self._inevitable(start):
            return
        number = self.until.system.number
        ahead = self._ahead(start)
        ahead[number(start)] = True
        for node in self.coordinates.open_values:
            if ahead[number(node)] and self._ahead(node)[number(node)]:
                raise self.coordinates.no_chance(node)

    def _ahead(self, start: Node) -> Mask:
        """The open nodes that control comes to from a node; itself over a loop only."""
        after = self.until.graph.nowhere()
        after[self._after(start)] = True
        return forward(self.until.graph, after & self.until.open, self.until.open) & self.until.open

    def _after(self, node: Node) -> Indices:
        return self.until.graph.successors.of(self.until.system.number(node))

    def loops(self, start: Node) -> bool:
        """May control go round among open nodes, from a node on?"""
        return not self._finite[self._after(start)].all()

    @cached_property
    def _finite(self) -> Mask:
        """The nodes from which every path leaves the open nodes."""
        graph = self.until.graph
        return until_on_all_paths(graph, graph.everywhere, ~self.until.open)

    def _inevitable(self, start: Node) -> bool:
        """Does every path of the graph from the end of a node come to a goal? No state need be looked at."""
        return bool(self._safe[self._after(start)].all())

    @cached_property
    def _safe(self) -> Mask:
        """The nodes from which every path comes to a goal."""
        return until_on_all_paths(self.until.graph, self.until.open, self.until.goals)

    def constrained(self, nodes: list[Node]) -> list[int]:
        """For open nodes, closed under open successors: dim sp less the dimension of D."""
        self._solve_avoidance(nodes)
        return [self._avoiding[node].dimension for node in nodes]

    def _those(self, status: Status, reached: Iterable[Reached]) -> Iterator[Reached]:
        return (one for one in reached if self.until.status(one.node) is status)

    def _is_open(self, node: Node) -> bool:
        return self.until.status(node) is Status.OPEN

    def _trapped(self, reached: list[Reached]) -> Arrival | None:
        """What arrives at an open node and may never reach a goal any more."""
        opened = list(self._those(Status.OPEN, reached))
        self._solve_avoidance(self.coordinates.ahead([one.node for one in opened], self._is_open))
        trap = next((one for one in opened if self._is_trap(one.node, one.lines.kept)), None)
        if trap is None or len(trap.arrivals) == 1:
            return None if trap is None else trap.arrivals[0]
        # Several states together have a part that stays, so that one of them has one by itself.
        alone = (k for k in range(len(trap.arrivals)) if self._stays(trap, k))
        return trap.arrivals[next(alone, 0)]

    def _is_trap(self, node: Node, arrived: Bundle | None) -> bool:
        assert arrived is not None, "only nodes where something arrived are kept"
        return self._meets_avoidance(arrived, self._avoiding[node].kept)

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

    def _reach(self, location: At, states: list[LocatedState]) -> list[Reached]:
        """What arrives where from the start; only open nodes are left."""
        sizes, starts = [size_of(found.vector) for found in states], [found.arrival for found in states]
        steps = self.coordinates.steps_from(location, [found.vector for found in states])
        return self._spread((step, step.images(sizes), starts) for step in steps)

    def _spread(self, leaving: Iterable[tuple[ExactEdge, Bundle, Sequence[Arrival]]]) -> list[Reached]:
        """What arrives where from images of some states; each row of them has its own parent."""
        found: dict[Node, Reached] = {}
        left: dict[Node, int] = {}
        """By node: how many of its rows went on."""
        pending: deque[Reached] = deque()  # those with something waiting; all of it leaves together

        def arrive(step: ExactEdge, bundle: Bundle, parents: Sequence[Arrival]) -> None:
            here = found.get(step.target)
            if here is None:
                lines = self.coordinates.lines(len(self.coordinates.basis(step.target)))
                here = found[step.target] = Reached(step.target, lines)
            waits = len(here.arrivals) > left.get(step.target, 0)
            here.arrivals += [step.taken_by(parents[k]) for k in here.lines.extend(bundle)]
            if not waits and len(here.arrivals) > left.get(step.target, 0):
                pending.append(here)

        for step, images, parents in leaving:
            arrive(step, images, parents)
        while pending:
            here = pending.popleft()
            first = left.get(here.node, 0)
            left[here.node] = len(here.arrivals)
            bundle = here.lines.since(first)
            if bundle is not None and self.until.status(here.node) is Status.OPEN:
                for step in self.coordinates.steps(here.node):
                    images = bundle.through(self.coordinates.arithmetic, step.matrix, step.size)
                    arrive(step, images, here.arrivals[first:])
        return [one for one in found.values() if one.lines.dimension]

    def _solve_avoidance(self, nodes: Iterable[Node]) -> None:
        """The rows that annihilate D, for open nodes that are closed under open successors."""
        before: dict[Node, list[Node]] = {}
        pending: deque[Node] = deque()
        for node in nodes:
            basis = self.coordinates.sizes(node)
            self._avoiding.setdefault(node, self.coordinates.lines(len(basis), basis))
            pending.append(node)
            for step in self.coordinates.steps(node):
                before.setdefault(step.target, []).append(node)
        while pending:
            node = pending.popleft()
            conditions = self._all_constraints(self.coordinates.steps(node))
            if conditions is not None and self._avoiding[node].extend(conditions):
                pending.extend(before.get(node, []))

    def _all_constraints(self, steps: Iterable[ExactEdge]) -> Bundle | None:
        found = [bundle for step in steps if (bundle := self._constraints(step)) is not None]
        return together(found) if found else None

    def _constraints(self, step: ExactEdge) -> Bundle | None:
        """The linear conditions on x that its image under the step never reaches a goal."""
        status = self.until.status(step.target)
        columns = step.matrix.swapaxes(0, 1)
        if status is Status.GOAL:
            size = product([*self.coordinates.sizes(step.target), step.size])
            return Bundle(columns, [size] * len(columns))
        if status is Status.BAD:
            return None
        conditions = self._avoiding[step.target].kept
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
