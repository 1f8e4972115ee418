"""Which answers of the graph are answers about executions.

Every execution is a path of the graph, and every place is reached by an execution. But a path may be none:
its measurements may contradict each other. So "on all paths" is sure where it holds, "such a location can be
reached" where it holds at the start, and both for their negations; "on some path" is more than this checker
looks at. Inside of other operators "can be reached" is asked of single executions: that is not sure either.
"""

from __future__ import annotations

from functools import lru_cache

from qismc.language import syntax

MOST_ANSWERS = 1 << 14
"""That are kept: an equivalence asks for both values of both sides, and so do those inside of it."""


@lru_cache(maxsize=MOST_ANSWERS)
def speaks_of_executions(formula: syntax.Formula, holds: bool, at_start: bool = True) -> bool:
    """Is the graph's answer the answer for executions, too? Operators ask their operands elsewhere."""
    match formula:
        case syntax.Not() | syntax.And() | syntax.Or() | syntax.Implies() | syntax.Iff():
            parts = syntax.signed(formula, holds)
            return all(speaks_of_executions(part, wanted, at_start) for part, wanted in parts)
        case syntax.Temporal("A", "G", (body,)) if not holds and at_start:
            return _is_local(body)
        case syntax.Temporal("E", "F", (body,)) if holds and at_start:
            return _is_local(body)
        case syntax.Temporal(quantifier, _, operands):
            universal = quantifier == "A"
            return universal == holds and all(speaks_of_executions(part, holds, False) for part in operands)
        case syntax.Probability(_, _, operands):
            return all(map(_is_local, operands))
    return True


def _is_local(formula: syntax.Formula) -> bool:
    """Does it speak of one location, not of paths?"""
    if isinstance(formula, syntax.Temporal | syntax.Probability):
        return False
    return all(map(_is_local, syntax.operands(formula)))
