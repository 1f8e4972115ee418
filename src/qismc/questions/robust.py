"""Which verdicts need only that what is zero is zero.

A check with generic angles sees all that can happen, and perhaps more: more edges, larger sp. A formula that
holds of more paths and of larger subspaces holds of fewer and smaller ones: universal quantifiers only,
propositions never negated. Its HOLDS is then valid for all values of the angles.
"""

from __future__ import annotations

from collections.abc import Container

from typing_extensions import assert_never

from qismc.language import syntax
from qismc.program import LOCATION


def is_robust(formula: syntax.Formula, propositions: Container[str], *, positive: bool = True) -> bool:
    """Does the formula (or, if not `positive`, its negation) survive fewer edges and smaller subspaces?"""

    def robust(part: syntax.Formula, positive: bool = positive) -> bool:
        return is_robust(part, propositions, positive=positive)

    match formula:
        case syntax.Quantum():
            return positive
        case syntax.Atom(name):
            return _is_robust_name(name, propositions, positive=positive)
        case syntax.Bit() | syntax.Compare() | syntax.Constant():
            return True
        case syntax.Not(operand):
            return robust(operand, not positive)
        case syntax.And(left, right) | syntax.Or(left, right):
            return robust(left) and robust(right)
        case syntax.Implies(left, right):
            return robust(left, not positive) and robust(right)
        case syntax.Iff(left, right):
            return all(robust(part, sign) for part in (left, right) for sign in (True, False))
        case syntax.Temporal():
            return (formula.quantifier == "A") == positive and all(map(robust, formula.operands))
        case syntax.Probability():
            return False
    assert_never(formula)


def _is_robust_name(name: str, propositions: Container[str], *, positive: bool) -> bool:
    """Numbers of locations depend on all edges; what is reached in truth is reached for generic angles."""
    if name in propositions:
        return positive
    return not positive if name == "reached" else LOCATION.match(name) is None
