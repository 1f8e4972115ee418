"""Formulas that do not mind if locations which differ in forgotten bits are one.

A merged location has the states and the ways out of all of them. So a subspace holds there iff it holds at
each, and the same points are reached with the same remembered bits; paths and negated subspaces are lost.
"""

from __future__ import annotations

from collections.abc import Callable

from qismc.language import syntax


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
