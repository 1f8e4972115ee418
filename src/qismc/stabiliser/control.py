"""Where the arms of a branch meet again, and whether only Paulis and classical values change on the way.

Such arms need no case distinction: their Paulis are applied where a function of the symbols is true.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from qismc.common.lazily import cached_property
from qismc.program import Apply, Branch, Classical, Control, Goto, Jump, Leaf, Program, Switch
from qismc.stabiliser.gates import Gates
from qismc.system import crossings, runs_of, successors


@dataclass
class ControlFacts:
    """Facts about the control flow of a program, each found out once."""

    program: Program
    gates: Gates
    _meeting: dict[int, int | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Inner branches first, so that outer ones step over them."""
        code = self.program.code
        self._crossings = crossings(self.program)
        self._turns = [
            p for p in self._crossings if isinstance(code[p], Branch | Switch | Goto | Jump | Leaf)
        ]
        for point in reversed(self._turns):
            if isinstance(code[point], Branch | Switch):
                self._meeting[point] = self._search(point)

    def meeting(self, branch: int) -> int | None:
        """The point where all arms of a branch meet, if control only goes forwards to it and all is light."""
        return self._meeting[branch]

    @cached_property
    def joins(self) -> frozenset[int]:
        """The points where control may come from several others, and perhaps further ones."""
        return runs_of(self.program).leaders

    @cached_property
    def _pauses(self) -> list[int]:
        """The points where gates that follow one another end: a name, something else, or others may come."""
        before_jumps = (p - 1 for p in self._turns if isinstance(self.program.code[p], Jump))
        before_joins = (p - 1 for p in self.joins)
        return sorted({*self._crossings, *self.program.marked, *before_jumps, *before_joins})

    def pause(self, point: int) -> int:
        """Up to here there are only gates without names, and control meets no other."""
        return self._pauses[bisect_left(self._pauses, point)]

    @cached_property
    def goes_back(self) -> bool:
        """May control come to a point that is not behind the last one?"""
        return any(target <= point for point in self._turns for target in self.program.code[point].targets)

    def _search(self, branch: int) -> int | None:
        """The first point at which nothing else is pending: arms are walked in the order of their points."""
        skipped = self._skipped(branch)
        if skipped is not None:
            return skipped
        pending: list[int] = []
        waiting: set[int] = set()

        def wait(point: int, target: int) -> bool:
            if target <= point:
                return False
            if target not in waiting:
                waiting.add(target)
                heappush(pending, target)
            return True

        if not all(wait(branch, target) for target in successors(self.program, branch)):
            return None
        while len(pending) > 1:
            point = heappop(pending)
            waiting.discard(point)
            targets = successors(self.program, point)
            if point in self._meeting:
                meeting = self._meeting[point]
                if meeting is None:
                    return None
                targets = (meeting,)
            if not self.is_light(point) or not all(wait(point, target) for target in targets):
                return None
        return pending[0]

    def _skipped(self, branch: int) -> int | None:
        """Where a branch meets whose one arm has light gates alone, as most have."""
        statement = self.program.code[branch]
        if not isinstance(statement, Branch) or not branch < statement.then < statement.otherwise:
            return None
        gates = range(statement.then, statement.otherwise)
        straight = self._last(statement.then) >= statement.otherwise  # so it is no jump
        return statement.otherwise if straight and all(map(self.is_light, gates)) else None

    def is_light(self, point: int) -> bool:
        """Does the statement leave the group as it is, up to signs?"""
        match self.program.code[point]:
            case Apply(operator, _):
                action = self.gates.action(operator)
                return action is not None and action.pauli is not None
            case Leaf() | Jump():
                return False
        return isinstance(self.program.code[point], Classical | Control)

    def after(self, point: int) -> list[range]:
        """The points that control may come to behind a point, as stretches."""
        return self._stretches(successors(self.program, point))

    @property
    def size(self) -> tuple[int, int]:
        """How many points control may come to, and how many ways lead on from them."""
        stretches = self._stretches((self.program.entry,))
        turns = sum(len(successors(self.program, stretch[-1])) for stretch in stretches)
        return sum(map(len, stretches)), turns + sum(len(stretch) - 1 for stretch in stretches)

    def _stretches(self, starts: Sequence[int]) -> list[range]:
        """Everything from some points on; no point is in two stretches."""
        first: dict[int, int] = {}
        pending = list(starts)
        for start in pending:
            last = self._last(start)
            if last not in first:
                pending += successors(self.program, last)
            first[last] = min(start, first.get(last, start))
        return [range(start, last + 1) for last, start in first.items()]

    def _last(self, point: int) -> int:
        """The next point from which control may go elsewhere than to its neighbour."""
        turn = self._turns[bisect_left(self._turns, point)]
        return turn - isinstance(self.program.code[turn], Jump)
