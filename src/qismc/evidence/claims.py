"""Claims about formulas: what they rest on, and how the truth of atoms decides them.

Every execution is a path of the graph. So a claim that speaks of all paths only, such as "AG p holds" or
"EF p fails", is right for executions if it is right for the graph. A claim that speaks of some path is right
only if an execution takes such a path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from qismc.evidence.proof import Evidence
from qismc.language import (
    MOST_FORMULAS,
    And,
    Constant,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Probability,
    Temporal,
    operands,
    subformulas,
)


def is_universal(formula: Formula, holds: bool) -> bool:
    """Does "the formula is `holds`" speak of all paths only, in every part?"""
    match formula:
        case Temporal():
            same = (formula.quantifier == "A") == holds
            return same and all(is_universal(part, holds) for part in formula.operands)
        case Probability():
            return all(is_timeless(part) for part in formula.operands)
        case Not(operand):
            return is_universal(operand, not holds)
        case Implies(left, right):
            return is_universal(left, not holds) and is_universal(right, holds)
        case Iff(left, right):
            return all(is_universal(part, truth) for part in (left, right) for truth in (True, False))
    return all(is_universal(part, holds) for part in operands(formula))


@lru_cache(maxsize=MOST_FORMULAS)
def is_sure(formula: Formula, holds: bool) -> bool:
    """Is a claim about the start right for executions if it is right for the graph?

    A location is in the graph because an execution reached it, so `EF p` and `AG p` are decided by it alone.
    """
    match formula:
        case Temporal("E", "F", (goal,)) if holds and is_timeless(goal):
            return True
        case Temporal("A", "G", (body,)) if not holds and is_timeless(body):
            return True
        case Not(operand):
            return is_sure(operand, not holds)
        case And(left, right) | Or(left, right):
            return is_sure(left, holds) and is_sure(right, holds)
        case Implies(left, right):
            return is_sure(left, not holds) and is_sure(right, holds)
    return is_universal(formula, holds)


@lru_cache(maxsize=MOST_FORMULAS)
def timed_probabilities(formula: Formula) -> tuple[Probability, ...]:
    """The probabilities of paths on which others are spoken of; no path of the graph shows them."""
    parts = (part for part in subformulas(formula) if isinstance(part, Probability))
    return tuple(part for part in parts if not is_timeless(part))


def speaks_of_start(formula: Formula) -> bool:
    """Does no temporal operator stand around what a formula says?"""
    return not isinstance(formula, Temporal) and all(map(speaks_of_start, operands(formula)))


def is_timeless(formula: Formula) -> bool:
    """No temporal operator anywhere: the truth at a location depends on no path."""
    if isinstance(formula, Temporal):
        return False
    parts = formula.operands if isinstance(formula, Probability) else operands(formula)
    return all(is_timeless(part) for part in parts)


def nested(evidence: Evidence, offset: int = 0) -> Iterator[tuple[int, Evidence]]:
    """The evidence beside the spine: (position on the spine, evidence for a claim that is made there)."""
    continued = evidence.continuation()
    for place, child in evidence.children:
        if child is continued:
            yield from nested(child, offset + place)
        else:
            yield offset + place, child


AtomTruth = Callable[[Formula], bool]


def is_true(formula: Formula, atom: AtomTruth) -> bool:
    """The truth of a Boolean combination of atoms."""
    match formula:
        case Constant(value):
            return value
        case Not(operand):
            return not is_true(operand, atom)
        case And(left, right):
            return is_true(left, atom) and is_true(right, atom)
        case Or(left, right):
            return is_true(left, atom) or is_true(right, atom)
        case Implies(left, right):
            return not is_true(left, atom) or is_true(right, atom)
        case Iff(left, right):
            return is_true(left, atom) == is_true(right, atom)
    return atom(formula)


def blamed(formula: Formula, atom: AtomTruth) -> Iterator[tuple[Formula, bool]]:
    """The atoms, with their truth, that make the formula what it is: the others may change freely."""
    truth = is_true(formula, atom)
    match formula:
        case Constant():
            return
        case Not(operand):
            yield from blamed(operand, atom)
        case And(left, right):
            yield from _deciding((left, right), (truth, truth), atom)
        case Or(left, right):
            yield from _deciding((left, right), (truth, truth), atom)
        case Implies(left, right):
            yield from _deciding((left, right), (not truth, truth), atom)
        case Iff(left, right):
            yield from blamed(left, atom)
            yield from blamed(right, atom)
        case _:
            yield formula, truth


def _deciding(
    parts: tuple[Formula, Formula], wanted: tuple[bool, bool], atom: AtomTruth
) -> Iterator[tuple[Formula, bool]]:
    """What makes a connective true or false: the parts whose truth pulls that way."""
    for part, truth in zip(parts, wanted, strict=True):
        if is_true(part, atom) == truth:
            yield from blamed(part, atom)
