"""Whether the execution so far satisfies `left U right`, as a function of the levels.

Nothing classical is ever overwritten on levels, so what was true at an earlier point is still a function of
recorded outcomes. In a region without loops the points come in the order in which control passes them.
"""

from __future__ import annotations

from dataclasses import dataclass

from qismc.levels.logic import Bool, Logic


@dataclass
class Monitor:
    """`won`: `right` was true where `left` had been true until then; `lost`: that cannot be any more."""

    logic: Logic
    won: Bool = False
    lost: Bool = False
    _last: tuple[Bool, Bool, Bool] | None = None

    def visit(self, guard: Bool, left: Bool, right: Bool) -> None:
        """Control passes a point where the guard is true; both sides are functions of the store there."""
        now = (guard, left, right)
        if self._last is not None and all(a is b for a, b in zip(now, self._last, strict=True)):
            return
        self._last = now
        logic = self.logic
        wins = logic.conjunction(guard, right, logic.negation(self.lost))
        self.won = logic.disjunction(self.won, wins)
        loses = logic.conjunction(guard, logic.negation(left), logic.negation(self.won))
        self.lost = logic.disjunction(self.lost, loses)
