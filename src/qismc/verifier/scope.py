"""Which answers of the graph are answers about executions, and which do not mind that locations were merged.

Every execution is a path of the graph, and every place is reached by an execution. But a path may be none:
its measurements may contradict each other. So "on all paths" is sure where it holds, "such a location can be
reached" where it holds at the start, and both for their negations; "on some path" is more than this checker
looks at. Inside of other operators "can be reached" is asked of single executions: that is not sure either.

Locations that differ in forgotten bits are one. A merged location has the states and the ways out of all of
them. So a subspace holds there iff it holds at each, and the same points are reached with the same remembered
bits; paths and negated subspaces are lost.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from qismc.language import syntax

MOST_ANSWERS = 1 << 14
"""Maximum number of answers kept: nested equivalences ask for both values of both sides many times."""


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


def may_be_merged(formula: syntax.Formula, is_proposition: Callable[[str], bool]) -> bool:
    """Is the truth at the start the same with and without forgotten bits?"""

    def classical(part: syntax.Formula) -> bool:
        match part:
            case syntax.Constant() | syntax.Bit() | syntax.Compare():
                return True
            case syntax.Atom(name):
                return name not in ("init", "reached") and not is_proposition(name)
            case syntax.Not() | syntax.And() | syntax.Or() | syntax.Implies() | syntax.Iff():
                return all(map(classical, syntax.operands(part)))
        return False

    def joint(part: syntax.Formula) -> bool:
        """For several locations together iff for each of them."""
        match part:
            case syntax.Quantum():
                return True
            case syntax.Atom(name) if is_proposition(name):
                return True
            case syntax.And(left, right):
                return joint(left) and joint(right)
            case syntax.Or(left, right):
                return (
                    (classical(left) and joint(right))
                    or (joint(left) and classical(right))
                    or classical(part)
                )
            case syntax.Implies(left, right):
                return classical(left) and joint(right)
        return classical(part)

    match formula:
        case syntax.Temporal("A", "G", (body,)):
            return joint(body)
        case syntax.Temporal("E", "F", (body,)):
            return classical(body)
        case syntax.Probability(_, _, parts):
            return all(map(classical, parts))
        case syntax.Not() | syntax.And() | syntax.Or() | syntax.Implies() | syntax.Iff():
            return all(may_be_merged(part, is_proposition) for part in syntax.operands(formula))
    return classical(formula)
