"""Where the arms of a branch meet again, and whether only Paulis and classical values change on the way.

Such arms need no case distinction: their Paulis are applied where a function of the symbols is true.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush

from qismc.program.program import Program
from qismc.program.statements import (
    Apply,
    Assign,
    AssignAt,
    Branch,
    Goto,
    Havoc,
    Jump,
    Leaf,
    Mark,
    Switch,
)
from qismc.stabiliser.gates import Gates
from qismc.system.flow import leaders, successors


@dataclass
class Control:
    """Facts about the control flow of a program, each found out once."""

    program: Program
    gates: Gates
    _meeting: dict[int, int | None] = field(default_factory=dict)
    _after: dict[int, frozenset[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Inner branches first, so that outer ones step over them."""
        code = self.program.code
        for point in range(len(code) - 1, -1, -1):
            if isinstance(code[point], Branch | Switch):
                self._meeting[point] = self._search(point)

    def meeting(self, branch: int) -> int | None:
        """The point where all arms of a branch meet, if control only goes forwards to it and all is light."""
        return self._meeting[branch]

    @cached_property
    def joins(self) -> frozenset[int]:
        """The points where control may come from several others, and perhaps further ones."""
        return leaders(self.program)

    def following(self, point: int) -> tuple[int, ...]:
        """Where control may go next; most statements are gates."""
        if isinstance(self.program.code[point], Apply) and not isinstance(self.program.code[point + 1], Jump):
            return (point + 1,)
        return successors(self.program, point)

    def _search(self, branch: int) -> int | None:
        """The first point at which nothing else is pending: arms are walked in the order of their points."""
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

    def is_light(self, point: int) -> bool:
        """Does the statement leave the group as it is, up to signs?"""
        match self.program.code[point]:
            case Apply(operator, _):
                action = self.gates.action(operator)
                return action is not None and action.pauli is not None
            case Assign() | AssignAt() | Havoc() | Branch() | Switch() | Goto() | Mark():
                return True
            case Leaf():
                return False
        return False

    def after(self, point: int) -> frozenset[int]:
        """The points that control may come to behind a point."""
        if point not in self._after:
            pending = list(self.following(point))
            found = set(pending)
            for here in pending:
                new = [target for target in self.following(here) if target not in found]
                found.update(new)
                pending += new
            self._after[point] = frozenset(found)
        return self._after[point]
