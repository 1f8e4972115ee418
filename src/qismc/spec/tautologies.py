"""Parts of formulas that are true whatever a program does: `p | !p`, `p -> full`, `P>=0 [F p]`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product

from qismc.spec import syntax as s
from qismc.spec.coefficients import ONE, ZERO
from qismc.spec.printer import to_text

MOST_ATOMS = 8
"""Truth tables of more atoms are not looked at."""
OPPOSITE: dict[s.Comparison, s.Comparison] = {"!=": "==", ">=": "<", ">": "<="}
"""Comparisons as negations of others."""


@lru_cache(maxsize=s.MOST_FORMULAS)
def tautologies(formula: s.Formula, *, bounded: bool = False) -> tuple[str, ...]:
    """Warnings for what is asked of locations or of the whole; `bounded` if annotations bound what is true.

    (Then `full` is not true where they leave out something of it.)
    """
    asked = dict.fromkeys([formula, *_asked(formula)])
    for part in asked:
        if _is_tautology(part, bounded=bounded):
            # what is around it says nothing more
            return (f"'{to_text(part)}' is true whatever the program does",)
    return ()


def _asked(formula: s.Formula) -> Iterator[s.Formula]:
    """What temporal operators ask of locations; `true` in `A[true U p]` is no question."""
    match formula:
        case s.Temporal(_, op, parts) | s.Probability(_, op, parts):
            yield from (parts if op == "G" else (p for p in parts if not isinstance(p, s.Constant)))
            for part in parts:
                yield from _asked(part)
        case _:
            for part in s.operands(formula):
                yield from _asked(part)


def _is_tautology(formula: s.Formula, *, bounded: bool) -> bool:
    atoms = list(dict.fromkeys(_atoms(formula, bounded=bounded)))
    if len(atoms) > MOST_ATOMS:
        return False
    tables = (dict(zip(atoms, row, strict=True)) for row in product((False, True), repeat=len(atoms)))
    return all(_value(formula, table, bounded=bounded) for table in tables)


def _atoms(formula: s.Formula, *, bounded: bool) -> Iterator[s.Formula]:
    """What connectives put together, `!=` as the negation of `==`."""
    if isinstance(formula, s.Not | s.And | s.Or | s.Implies | s.Iff):
        for part in s.operands(formula):
            yield from _atoms(part, bounded=bounded)
    elif _constant(formula, bounded=bounded) is None:
        yield _affirmed(formula)[0]


def _affirmed(atom: s.Formula) -> tuple[s.Formula, bool]:
    """The atom, or one of which it is the negation."""
    if isinstance(atom, s.Compare) and atom.op in OPPOSITE:
        return s.Compare(atom.left, OPPOSITE[atom.op], atom.right), False
    return atom, True


def _constant(atom: s.Formula, *, bounded: bool) -> bool | None:
    """The value of what does not depend on the program."""
    match atom:
        case s.Constant(value):
            return value
        case s.Quantum(s.Full() | s.On(s.Full())) if not bounded:
            return True
        case s.Probability(s.Threshold(relation, number)):
            least, most = (">=", ZERO), ("<=", ONE)
            return True if (relation, number) in (least, most) else None
    return None


def _value(formula: s.Formula, table: Mapping[s.Formula, bool], *, bounded: bool) -> bool:
    values = [_value(part, table, bounded=bounded) for part in _connected(formula)]
    match formula:
        case s.Not():
            return not values[0]
        case s.And():
            return values[0] and values[1]
        case s.Or():
            return values[0] or values[1]
        case s.Implies():
            return not values[0] or values[1]
        case s.Iff():
            return values[0] == values[1]
    known = _constant(formula, bounded=bounded)
    if known is not None:
        return known
    atom, affirmed = _affirmed(formula)
    return table[atom] == affirmed


def _connected(formula: s.Formula) -> tuple[s.Formula, ...]:
    return () if isinstance(formula, s.Temporal) else s.operands(formula)
