"""A part of the transition system: what remains if choices are made as on one given execution."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from qismc.limits import Budget
from qismc.program import Havoc, Measure, Program, Store
from qismc.system.edges import Way, ways
from qismc.system.explorer import Explorer, Hop
from qismc.system.flow import all_bits


class Step(NamedTuple):
    """A location of an execution, and the outcome with which it goes on where there is a choice."""

    point: int
    store: Store
    outcome: int | None
    choices: tuple[int, ...] = ()
    """Which Kraus operators act, one of each family; the first ones if none are given."""


class Course(NamedTuple):
    """An execution that starts in vector number `seed` of `init`."""

    seed: int
    steps: Sequence[Step]


class SteeredExplorer(Explorer):
    """Leaves every location that a given execution visits as the execution does, and no other one.

    Paths of this system are paths of the program, so what it violates, and what it can reach, is violated and
    can be reached.
    """

    def __init__(self, program: Program, budget: Budget, steps: Iterable[Step]) -> None:
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

    def hops(self, steps: Iterable[Step]) -> Iterator[tuple[Hop, tuple[int, ...]]]:
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
        for node in self.reached():
            if not any(hop.taken for hop in node.hops):
                node.hops.append(Hop(node, Way((), node.start), node, taken=True))
