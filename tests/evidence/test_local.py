"""Boolean combinations of atoms against truth tables."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from qismc.evidence.local import blamed, is_true
from qismc.language.syntax import And, Atom, Constant, Formula, Iff, Implies, Not, Or

NAMES = ("p", "q", "r")


def _extend(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    pairs = (st.builds(kind, inner, inner) for kind in (And, Or, Implies, Iff))
    return st.one_of(st.builds(Not, inner), *pairs)


combinations = st.recursive(
    st.one_of(st.sampled_from(NAMES).map(Atom), st.booleans().map(Constant)), _extend, max_leaves=6
)


def text(formula: Formula) -> str:
    """The formula in Python."""
    match formula:
        case Atom(name):
            return name
        case Constant(value):
            return str(value)
        case Not(operand):
            return f"(not {text(operand)})"
    word = {And: "and", Or: "or", Implies: "<=", Iff: "=="}[type(formula)]
    return f"({text(formula.left)} {word} {text(formula.right)})"  # type: ignore[union-attr]


@given(combinations)
def test_truth_tables(formula: Formula) -> None:
    for values in product((False, True), repeat=len(NAMES)):
        table = dict(zip(NAMES, values, strict=True))
        assert is_true(formula, lambda a, t=table: t[a.name]) == eval(text(formula), {}, table)


@given(combinations, st.tuples(*[st.booleans()] * 3))
def test_the_blamed_atoms_decide(formula: Formula, values: tuple[bool, ...]) -> None:
    """Whatever the others are, the formula stays as it is."""
    table = dict(zip(NAMES, values, strict=True))
    fixed = {atom.name: truth for atom, truth in blamed(formula, lambda a: table[a.name])}
    assert all(table[name] == truth for name, truth in fixed.items())
    for others in product((False, True), repeat=len(NAMES)):
        changed = {**dict(zip(NAMES, others, strict=True)), **fixed}
        before = is_true(formula, lambda a: table[a.name])
        assert is_true(formula, lambda a, t=changed: t[a.name]) == before
