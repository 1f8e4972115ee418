"""Formulas that read otherwise than they look: warnings from the text alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from qismc.language import syntax as s
from qismc.language.printer import to_text


@lru_cache(maxsize=s.MOST_FORMULAS)
def readings(formula: s.Formula, text: str) -> tuple[str, ...]:
    """Warnings for parts that no temporal operator encloses: they are asked at the start only."""
    return tuple(_readings(formula, text))


def _readings(formula: s.Formula, text: str) -> Iterator[str]:
    if _mentions_start(formula) or isinstance(formula, s.Constant):
        return
    if not _is_temporal(formula):
        asked = text.strip()
        ends = "" if _mentions(formula, "leaf") else f"for the end write AG (leaf -> {asked}), "
        write = "" if ends else "write "
        yield f"'{asked}' is asked at the start only: {ends}for all locations {write}AG ({asked})"
        return
    yield from _loose(formula, "".join(text.split()))


def _loose(formula: s.Formula, text: str) -> Iterator[str]:
    """Operands beside temporal ones."""
    if isinstance(formula, s.Not):
        yield from _loose(formula.operand, text)
    if not isinstance(formula, s.And | s.Or | s.Implies | s.Iff):
        return
    left, right = formula.left, formula.right
    for part, other in ((right, left), (left, right)):
        if _is_temporal(part) or isinstance(part, s.Constant) or not _is_temporal(other):
            continue
        if part is right and isinstance(other, s.Temporal) and f"({_packed(other)})" not in text:
            meant = _absorbed(other, formula)
            read = f"({to_text(other)}) {_symbol(formula)} {to_text(part)}"
            asked = f"'{to_text(part)}' is asked at the start only"
            yield f"'{to_text(formula)}' reads as '{read}', where {asked}: did you mean '{meant}'?"
        else:
            yield f"'{to_text(part)}' in '{to_text(formula)}' is asked at the start only"
    for part in (left, right):
        yield from _loose(part, text)


def _absorbed(temporal: s.Temporal, formula: s.And | s.Or | s.Implies | s.Iff) -> str:
    """The formula with the connective inside of the temporal operator."""
    inner = type(formula)(temporal.operands[-1], formula.right)
    return to_text(s.Temporal(temporal.quantifier, temporal.op, (*temporal.operands[:-1], inner)))


def _symbol(formula: s.And | s.Or | s.Implies | s.Iff) -> str:
    match formula:
        case s.And():
            return "&"
        case s.Or():
            return "|"
        case s.Implies():
            return "->"
        case s.Iff():
            return "<->"


def _packed(formula: s.Formula) -> str:
    return "".join(to_text(formula).split())


def _is_temporal(formula: s.Formula) -> bool:
    """Does it speak of more than one location?"""
    if isinstance(formula, s.Temporal | s.Probability):
        return True
    return any(map(_is_temporal, s.operands(formula)))


def _mentions_start(formula: s.Formula) -> bool:
    """Who names the start means it."""
    return _mentions(formula, "init", "l0", "@0")


def _mentions(formula: s.Formula, *names: str) -> bool:
    if isinstance(formula, s.Atom):
        return formula.name in names
    return any(_mentions(part, *names) for part in s.operands(formula))
