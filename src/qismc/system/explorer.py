"""Nodes on the fly: a node is a run of points with one store, and so a chain of locations.

Nothing is enumerated in advance: a node exists once somebody arrives at it. A steered explorer makes the
choices of one given execution only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from qismc.limits import Budget
from qismc.program import Havoc, Measure, Program, Store
from qismc.system.edges import CHOOSING, Way, next_point, ways
from qismc.system.flow import all_bits, live_bits, runs_of
from qismc.system.gates import Stretch

Plan = tuple[int, Sequence[Way] | None]
"""Where the nodes that start at a point end, and their ways out unless the store chooses among them."""
FEW_STORES = 2
"""Stores per reached point that do not count as growth: long chains of `if`s have so many."""


@dataclass(eq=False, slots=True)
class Node:
    """The locations (p, store) for start <= p < end; `hops` are its known ways out."""

    start: int
    end: int
    store: Store
    hops: list[Hop] = field(default_factory=list)

    @property
    def size(self) -> int:
        return self.end - self.start

    @property
    def last(self) -> int:
        return self.end - 1


class At(NamedTuple):
    """A location: a point of a node, and the store of the node."""

    node: Node
    point: int


@dataclass(eq=False, slots=True)
class Hop:
    """A way out of a node; `target` is None until somebody looks; `taken`: it is an edge of the system."""

    source: Node
    way: Way
    target: Node | None = None
    taken: bool = False


class Explorer:
    """Makes nodes and their ways out; counts locations against the budget."""

    took_all = False
    """Are there edges that no state takes?"""

    def __init__(self, program: Program, budget: Budget, observed: int) -> None:
        self.program = program
        self.observed = observed
        """The mask of the bits that are kept apart although the program may not read them again."""
        self._budget = budget
        self._runs = runs_of(program)
        self._live = live_bits(program, observed)
        self._nodes: dict[tuple[int, Store], Node] = {}
        self._plans: dict[int, Plan] = {}
        self._count = 0
        self.entry = self.node(program.entry, program.initial_store)

    @property
    def start(self) -> At:
        """Where executions start."""
        return At(self.entry, self.entry.start)

    def node(self, point: int, store: Store) -> Node:
        """The node that starts at a point with a store, where bits that nobody reads again count as 0."""
        key = point, store & self._live[point]
        return self._nodes.get(key) or self._made(key)

    def _made(self, key: tuple[int, Store]) -> Node:
        start, store = key
        plan = self._plans.get(start)
        if plan is None:
            end = self._runs.end(start)
            plan = self._plans[start] = end, self.shared_ways(end - 1)
        elif self._budget.trial is not None:  # there is another store at this point
            self._budget.count_nodes(len(self._nodes) + 1 - FEW_STORES * len(self._plans))
        end, shared = plan
        node = self._nodes[key] = Node(start, end, store, [])
        for way in shared or self.ways(end - 1, store):
            node.hops.append(Hop(node, way))
        self._count += end - start
        self._budget.count_locations(self._count)
        return node

    def shared_ways(self, point: int) -> Sequence[Way] | None:
        """The ways out of a point that all stores have in common; None where the store chooses."""
        return None if isinstance(self.program.code[point], CHOOSING) else ways(self.program, point, 0)

    def ways(self, point: int, store: Store) -> Sequence[Way]:
        """The ways out of a location at which a node ends, where the store chooses."""
        return (Way((), next_point(self.program, point, store)),)

    def target(self, hop: Hop) -> Node:
        """Where a way out leads."""
        target = hop.target
        if target is None:
            target = hop.target = self.node(hop.way.point, hop.way.after(hop.source.store))
        return target

    def live(self, node: Node) -> int:
        """The mask of the bits that the node tells apart."""
        return self._live[node.start]

    def take_all(self) -> None:
        """Make every syntactic way an edge of the system."""
        self.took_all = True
        for node in self.reachable():
            for hop in node.hops:
                hop.taken = True

    def reachable(self) -> list[Node]:
        """Every node that syntactic ways lead to, breadth first."""
        pending, seen = [self.entry], {id(self.entry)}
        for node in pending:
            self._budget.spend("exploring the program")
            for hop in node.hops:
                target = self.target(hop)
                if id(target) not in seen:
                    seen.add(id(target))
                    pending.append(target)
        return pending

    def dissolve(self) -> None:
        """Let go of all nodes, which know each other: nobody else frees them soon."""
        for node in self._nodes.values():
            node.hops.clear()
        self._nodes.clear()

    def gates(self, first: int, last: int) -> Stretch:
        """The gates at the points first <= p < last of one run."""
        return Stretch(self.program, first, last)


class Waypoint(NamedTuple):
    """A location of an execution, and the outcome with which it goes on where there is a choice."""

    point: int
    store: Store
    outcome: int | None
    choices: tuple[int, ...] = ()
    """Which Kraus operators act, one of each family; the first ones if none are given."""


class Course(NamedTuple):
    """An execution that starts in vector number `seed` of `init`."""

    seed: int
    steps: Sequence[Waypoint]


class SteeredExplorer(Explorer):
    """Leaves every location that a given execution visits as the execution does, and no other one.

    Paths of this system are paths of the program, so what it violates, and what it can reach, is violated and
    can be reached.
    """

    def __init__(self, program: Program, budget: Budget, steps: Iterable[Waypoint]) -> None:
        self._allowed: dict[tuple[int, Store], set[int | None]] = {}
        for step in steps:
            self._allowed.setdefault((step.point, step.store), set()).add(step.outcome)
        super().__init__(program, budget, all_bits(program))

    def shared_ways(self, point: int) -> None:
        """The execution says how every location is left."""

    def ways(self, point: int, store: Store) -> list[Way]:
        chooses = isinstance(self.program.code[point], Measure | Havoc)
        allowed = self._allowed.get((point, store), ())
        return ways(self.program, point, store, [o for o in allowed if (o is not None) == chooses])

    def hops(self, steps: Iterable[Waypoint]) -> Iterator[tuple[Hop, tuple[int, ...]]]:
        """How the execution leaves one node after the other: the way out, and the Kraus operators."""
        node = self.entry
        for step, following in pairwise(steps):
            if step.point != node.last:
                continue
            hop = next(hop for hop in node.hops if hop.way.outcome == step.outcome)
            yield hop, step.choices or (0,) * len(hop.way.families)
            node = self.target(hop)
            assert following.point == node.start, "control goes elsewhere"

    def close(self) -> None:
        """Let the last location go on for ever: paths are infinite."""
        for node in list(self._nodes.values()):
            if not any(hop.taken for hop in node.hops):
                node.hops.append(Hop(node, Way((), node.start), node, taken=True))
