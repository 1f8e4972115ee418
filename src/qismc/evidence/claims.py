"""Claims about formulas: what they rest on, and how the truth of atoms decides them.

Every execution is a path of the graph. So a claim that speaks of all paths only, such as "AG p holds" or
"EF p fails", is right for executions if it is right for the graph. A claim that speaks of some path is right
only if an execution takes such a path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

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
    is_true,
    operands,
    signed,
    subformulas,
)


class Claim(NamedTuple):
    """`formula` is `holds`, at a location that the context names."""

    formula: Formula
    holds: bool


class Split(NamedTuple):
    """Claims about operands that together imply a claim: every one of them, or any."""

    every: bool
    parts: tuple[Claim, ...]


def split(claim: Claim) -> Split | None:
    """What a claim about a Boolean connective rests on; None for all other formulas."""
    formula, holds = claim
    match formula:
        case Not(operand):
            return Split(True, (Claim(operand, not holds),))
        case And(left, right):
            return Split(holds, (Claim(left, holds), Claim(right, holds)))
        case Or(left, right):
            return Split(not holds, (Claim(left, holds), Claim(right, holds)))
        case Implies(left, right):
            return Split(not holds, (Claim(left, not holds), Claim(right, holds)))
        case Iff(left, right):
            return Split(holds, (Claim(Implies(right, left), holds), Claim(Implies(left, right), holds)))
    return None


def is_universal(formula: Formula, holds: bool) -> bool:
    """Does "the formula is `holds`" speak of all paths only, in every part?"""
    match formula:
        case Temporal():
            same = (formula.quantifier == "A") == holds
            return same and all(is_universal(part, holds) for part in formula.operands)
        case Probability():
            return all(is_timeless(part) for part in formula.operands)
    return all(is_universal(part, truth) for part, truth in signed(formula, holds))


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
        case Not() | And() | Or() | Implies():
            return all(is_sure(part, truth) for part, truth in signed(formula, holds))
    return is_universal(formula, holds)


@lru_cache(maxsize=MOST_FORMULAS)
def timed_probabilities(formula: Formula) -> tuple[Probability, ...]:
    """The probabilities of paths on which others are spoken of; no path of the graph shows them."""
    parts = (part for part in subformulas(formula) if isinstance(part, Probability))
    return tuple(part for part in parts if not is_timeless(part))


def is_local(formula: Formula) -> bool:
    """The formula speaks of one location only: no temporal operator in it; P-operators count as labels."""
    return not isinstance(formula, Temporal) and all(map(is_local, operands(formula)))


def is_timeless(formula: Formula) -> bool:
    """No temporal operator anywhere: the truth at a location depends on no path."""
    return not any(isinstance(part, Temporal) for part in subformulas(formula))


def invariant(formula: Formula) -> Formula | None:
    """phi of `AG phi` (or of phi itself, at the start) if phi speaks of single locations only."""
    always = isinstance(formula, Temporal) and formula.quantifier + formula.op == "AG"
    body = operands(formula)[0] if always else formula
    return None if any(isinstance(part, Temporal | Probability) for part in subformulas(body)) else body


def blamed(formula: Formula, atom: Callable[[Formula], bool]) -> Iterator[Claim]:
    """The atoms, with their truth, that make the formula what it is: the others may change freely."""
    claim = Claim(formula, is_true(formula, atom))
    if split(claim) is None and not isinstance(formula, Constant):
        yield claim
    elif split(claim) is not None:
        for part, truth in signed(*claim):
            if is_true(part, atom) == truth:
                yield from blamed(part, atom)
