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
    is_true,
    operands,
    signed,
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


def blamed(formula: Formula, atom: Callable[[Formula], bool]) -> Iterator[tuple[Formula, bool]]:
    """The atoms, with their truth, that make the formula what it is: the others may change freely."""
    truth = is_true(formula, atom)
    match formula:
        case Constant():
            return
        case Not() | And() | Or() | Implies() | Iff():
            for part, wanted in signed(formula, truth):
                if is_true(part, atom) == wanted:
                    yield from blamed(part, atom)
        case _:
            yield formula, truth
