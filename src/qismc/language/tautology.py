"""Parts of formulas that are true whatever a program does: `p | !p`, `P>=0 [F p]`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product

from qismc.language import syntax as s
from qismc.language.coefficients import ONE, ZERO
from qismc.language.printer import to_text

MOST_ATOMS = 8
"""Truth tables of more atoms are not looked at."""
OPPOSITE: dict[s.Comparison, s.Comparison] = {"!=": "==", ">=": "<", ">": "<="}
"""Comparisons as negations of others."""


Table = Mapping[s.Formula, bool]
Tables = Callable[[Sequence[s.Formula]], Iterable[Table] | None]
"""Truth values that atoms may have together, none that occurs left out; None if there are too many."""


def independent(atoms: Sequence[s.Formula]) -> Iterator[Table] | None:
    """All truth values, where nothing is known of the atoms."""
    if len(atoms) > MOST_ATOMS:
        return None
    rows = product((False, True), repeat=len(atoms))
    return (dict(zip(atoms, row, strict=True)) for row in rows)


def tautologies(formula: s.Formula, tables: Tables = independent) -> tuple[str, ...]:
    """Warnings for what is asked of locations or of the whole."""
    asked = dict.fromkeys([formula, *_asked(formula)])
    for part in asked:
        if _is_tautology(part, tables):
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


def _is_tautology(formula: s.Formula, tables: Tables) -> bool:
    found = tables(list(dict.fromkeys(_atoms(formula))))
    return found is not None and all(_value(formula, table) for table in found)


def _atoms(formula: s.Formula) -> Iterator[s.Formula]:
    """What connectives put together, `!=` as the negation of `==`."""
    if isinstance(formula, s.Not | s.And | s.Or | s.Implies | s.Iff):
        for part in s.operands(formula):
            yield from _atoms(part)
    elif _constant(formula) is None:
        yield _affirmed(formula)[0]


def _affirmed(atom: s.Formula) -> tuple[s.Formula, bool]:
    """The atom, or one of which it is the negation."""
    if isinstance(atom, s.Compare) and atom.op in OPPOSITE:
        return s.Compare(atom.left, OPPOSITE[atom.op], atom.right), False
    return atom, True


def _constant(atom: s.Formula) -> bool | None:
    """The value of what does not depend on the program."""
    match atom:
        case s.Constant(value):
            return value
        case s.Probability(s.Threshold(relation, number)):
            least, most = (">=", ZERO), ("<=", ONE)
            return True if (relation, number) in (least, most) else None
    return None


def _value(formula: s.Formula, table: Table) -> bool:
    values = [_value(part, table) for part in _connected(formula)]
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
    known = _constant(formula)
    if known is not None:
        return known
    atom, affirmed = _affirmed(formula)
    return table[atom] == affirmed


def _connected(formula: s.Formula) -> tuple[s.Formula, ...]:
    return () if isinstance(formula, s.Temporal) else s.operands(formula)
