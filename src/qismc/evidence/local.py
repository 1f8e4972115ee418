"""Formulas without temporal operators: their truth from that of their atoms, and which atoms are to blame."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from qismc.language import And, Constant, Formula, Iff, Implies, Not, Or

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
