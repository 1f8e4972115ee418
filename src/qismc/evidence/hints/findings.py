"""Findings about a program: exact observations from sp alone, whatever the formulas say."""

from __future__ import annotations

from qismc.errors import Undecided
from qismc.evidence.hints.endless import endless
from qismc.evidence.hints.fixed import FixedValues, fixed_values
from qismc.evidence.hints.hint import Hint
from qismc.evidence.hints.untaken import untaken
from qismc.limits import Budget
from qismc.solve import Solved

SECONDS = 0.2
SHARE_OF_TIME = 0.1
"""Observations may take so long, and besides this share of the time that the check took."""


class Findings:
    """The observations about one solved system, made when somebody asks for them.

    They do not travel unless they were made before: a pickled copy holds what is known.
    """

    def __init__(self, solved: Solved | None = None, budget: Budget | None = None) -> None:
        self._task = None if solved is None or budget is None else (solved, budget, _allowed(budget))
        self._found: tuple[Hint, ...] = ()

    def __reduce__(self) -> tuple[type[Findings], tuple[()], dict[str, object]]:
        return Findings, (), {"_found": self._found}

    def found(self) -> tuple[Hint, ...]:
        """All observations, in the order of the program."""
        if self._task is not None:
            self._task[1].restart()
            self._found, self._task = find(*self._task), None
        return self._found


def _allowed(budget: Budget) -> float:
    return SECONDS + SHARE_OF_TIME * budget.elapsed


def find(solved: Solved, budget: Budget, seconds: float = SECONDS) -> tuple[Hint, ...]:
    """Observations by program point; where a limit stopped the search, a last one says so."""
    found = list(untaken(solved))
    stopped: str | None = None
    try:
        found += endless(solved, budget)
        fixed = FixedValues(solved, budget, seconds)
        stopped = fixed.ask()
        found += fixed_values(solved.system.program, fixed.values)
    except Undecided as doubt:
        stopped = doubt.reason
    glue = solved.system.program.glue
    hints = [hint for point, hint in sorted(found, key=lambda pair: pair[0]) if point not in glue]
    if stopped is not None:
        hints.append(Hint("limit", f"not everything was looked for: {stopped}"))
    return tuple(hints)
