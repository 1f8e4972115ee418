"""Warnings about formulas: those that read otherwise than they look, and those that are always true."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial

from qismc.language import syntax as s
from qismc.language.coefficients import ONE, ZERO
from qismc.language.printer import BINARY, to_text


@lru_cache(maxsize=s.MOST_FORMULAS)
def readings(formula: s.Formula, text: str) -> tuple[str, ...]:
    """Warnings for parts that no temporal operator encloses: they are asked at the start only."""
    return tuple(_readings(formula, text))


def _readings(formula: s.Formula, text: str) -> Iterator[str]:
    if _mentions(formula, "init", "l0", "@0") or isinstance(formula, s.Constant):
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
    if not isinstance(formula, s.Connective):
        return
    left, right = formula.left, formula.right
    for part, other in ((right, left), (left, right)):
        if _is_temporal(part) or isinstance(part, s.Constant) or not _is_temporal(other):
            continue
        if part is right and isinstance(other, s.Temporal) and f"({_packed(other)})" not in text:
            meant = _absorbed(other, formula)
            read = f"({to_text(other)}) {BINARY[type(formula)]} {to_text(part)}"
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


def _packed(formula: s.Formula) -> str:
    return "".join(to_text(formula).split())


def _is_temporal(formula: s.Formula) -> bool:
    """Does it speak of more than one location?"""
    return any(isinstance(part, s.Temporal | s.Probability) for part in s.subformulas(formula))


def _mentions(formula: s.Formula, *names: str) -> bool:
    """Does a name occur outside of probability operators?"""
    if isinstance(formula, s.Atom):
        return formula.name in names
    return any(_mentions(part, *names) for part in s.operands(formula))


MOST_ATOMS = 8
"""Maximum number of atoms of a truth table; formulas with more are not examined."""
OPPOSITE: dict[s.Comparison, s.Comparison] = {"!=": "==", ">=": "<", ">": "<="}
"""Comparisons as negations of others."""


Table = Mapping[s.Formula, bool]
Tables = Callable[[Sequence[s.Formula]], Iterable[Table] | None]
"""Truth values that atoms may have together, none that occurs left out; None if there are too many."""


def tautologies(formula: s.Formula, tables: Tables) -> tuple[str, ...]:
    """Warnings for formulas, and parts that are asked at locations, that are always true."""
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
    return found is not None and all(s.is_true(formula, partial(_value, table)) for table in found)


def _atoms(formula: s.Formula) -> Iterator[s.Formula]:
    """The atoms that the connectives join; `!=` counts as the negation of `==`."""
    if isinstance(formula, s.Not | s.Connective):
        for part in s.operands(formula):
            yield from _atoms(part)
    elif _constant(formula) is None:
        yield _affirmed(formula)[0]


def _affirmed(atom: s.Formula) -> tuple[s.Formula, bool]:
    """(atom, True), or (the atom that this one negates, False)."""
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


def _value(table: Table, atom: s.Formula) -> bool:
    known = _constant(atom)
    if known is not None:
        return known
    atom, affirmed = _affirmed(atom)
    return table[atom] == affirmed
