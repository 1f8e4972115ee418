"""Whether the execution so far keeps promises `left U right`, as a function of the levels.

Nothing classical is ever overwritten on levels, so what was true at an earlier point is still a function of
recorded outcomes. In a region without loops the points come in the order in which control passes them.
"""

from __future__ import annotations

from dataclasses import dataclass

from qismc.symbolic import Bool, Logic


@dataclass
class Monitor:
    """`pending`: since a promise `left` was true, and `right` was not yet; `broken`: one was not kept."""

    logic: Logic
    pending: Bool
    """At the start: does the execution itself promise it, or do only triggers on its way?"""
    broken: Bool = False
    _last: tuple[Bool, ...] = ()

    def visit(self, guard: Bool, trigger: Bool, left: Bool, right: Bool) -> None:
        """Control passes a point where the guard is true; all others are functions of the store there.

        A point that is a trigger promises, and may keep what it promises at once.
        """
        now = (guard, trigger, left, right)
        if len(self._last) == len(now) and all(a is b for a, b in zip(now, self._last, strict=True)):
            return
        self._last = now
        logic = self.logic
        promised = logic.disjunction(self.pending, logic.conjunction(guard, trigger))
        self.pending = logic.conjunction(promised, logic.negation(logic.conjunction(guard, right)))
        breaks = logic.conjunction(self.pending, guard, logic.negation(left))
        self.broken = logic.disjunction(self.broken, breaks)

    def failed(self, *, weak: bool = False) -> Bool:
        """If this is the end: was a promise broken, or is one still pending that is not weak?"""
        return self.broken if weak else self.logic.disjunction(self.broken, self.pending)
