"""What the text of a formula tells, before any state is computed.

*Classical* formulas speak of points and classical values only. *Merging* joins locations that differ in
unread classical bits: it joins their sp and the ways out of them. It keeps which points are reached with
which observed bits, and a proposition holds at the merged location iff it holds at all of them. It does not
keep paths, negated propositions or disjunctions of propositions: for those the bits stay apart.

A formula is *robust* if its verdict needs only that what is zero is zero. A check with generic angles sees
all that can happen, and perhaps more: more edges, larger sp. A formula that holds of more paths and of larger
subspaces holds of fewer and smaller ones: universal quantifiers only, propositions never negated. Its HOLDS
is then valid for all values of the angles.
"""

from __future__ import annotations

from collections.abc import Container

from typing_extensions import assert_never

from qismc.language import syntax
from qismc.program import LOCATION


def merging_is_safe(formula: syntax.Formula, propositions: Container[str]) -> bool:
    """Is the truth at the start the same with and without merging? (Names of propositions are given.)"""
    if isinstance(formula, syntax.Temporal):
        operator, body = formula.quantifier + formula.op, formula.operands[0]
        if operator == "AG":
            return _is_joint(body, propositions)
        return operator == "EF" and is_classical(body, propositions)
    if isinstance(formula, syntax.Probability):
        return all(is_classical(part, propositions) for part in formula.operands)
    parts = syntax.operands(formula)
    if parts:
        return all(merging_is_safe(part, propositions) for part in parts)
    return is_classical(formula, propositions)


def _is_joint(body: syntax.Formula, propositions: Container[str]) -> bool:
    """Does it hold for several locations together iff it holds at each of them?

    Connectives come first: what is classical is made of classical parts, and long conjunctions are common.
    """
    match body:
        case syntax.And(left, right):
            return _is_joint(left, propositions) and _is_joint(right, propositions)
        case syntax.Or(left, right):
            sides = ((left, right), (right, left))
            return any(is_classical(a, propositions) and _is_joint(b, propositions) for a, b in sides)
        case syntax.Implies(left, right):
            return is_classical(left, propositions) and _is_joint(right, propositions)
        case syntax.Atom(name) if name in propositions:
            return True
    return isinstance(body, syntax.Quantum) or is_classical(body, propositions)


def is_classical(formula: syntax.Formula, propositions: Container[str]) -> bool:
    """Does it speak of a location's point and observed bits only? Location numbers depend on merging."""
    if isinstance(formula, syntax.Temporal | syntax.Probability | syntax.Quantum):
        return False
    if isinstance(formula, syntax.Atom):
        special = formula.name in ("reached", "init") or LOCATION.match(formula.name) is not None
        return not special and formula.name not in propositions
    return all(is_classical(part, propositions) for part in syntax.operands(formula))


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
        case syntax.Not() | syntax.And() | syntax.Or() | syntax.Implies() | syntax.Iff():
            return all(robust(part, sign) for part, sign in syntax.signed(formula, positive))
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
