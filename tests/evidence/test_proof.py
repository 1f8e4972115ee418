"""Evidence that proves nothing is refused; which claims about graphs are claims about executions."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qismc.ctl.evaluation import Evaluation
from qismc.evidence.explaining import explain
from qismc.evidence.proof import (
    Evidence,
    UnsoundEvidenceError,
    blamed,
    is_sure,
    is_timeless,
    is_universal,
    verify,
)
from qismc.language.parser import parse_formula
from qismc.language.syntax import And, Atom, Constant, Formula, Iff, Implies, Not, Or, is_true

from ..ctl.oracle import Structure, formulas, graph_of, naive, structures

GRAPH = graph_of([[1], [2], [3], [1]])
TABLE = {"p": {0, 1}, "q": {2}, "all": {0, 1, 2, 3}}


def truth(atom: Formula, location: int) -> bool:
    assert isinstance(atom, Atom)
    return location in TABLE[atom.name]


def evidence(text: str, holds: bool, steps: tuple[int, ...], loop_start: int | None = None) -> Evidence:
    return Evidence(parse_formula(text), holds, "path" if loop_start is None else "lasso", steps, loop_start)


GOOD = [
    evidence("AG p", False, (0, 1, 2)),
    evidence("EF q", True, (0, 1, 2)),
    evidence("E[p U q]", True, (0, 1, 2)),
    evidence("EG all", True, (0, 1, 2, 3), 1),
    evidence("AF !all", False, (0, 1, 2, 3), 1),
    evidence("A[p U !all]", False, (0, 1, 2)),
    evidence("A[p W !all]", False, (0, 1, 2)),
    evidence("A[all U !all]", False, (0, 1, 2, 3), 1),
    evidence("A[!p R p]", False, (0, 1, 2)),
    evidence("E[p W q]", True, (0, 1, 2)),
    evidence("E[p R all]", True, (0,)),
    evidence("E[!all R all]", True, (0, 1, 2, 3), 1),
    evidence("AX !p", False, (0, 1)),
    evidence("p & !q", True, (0,)),
    evidence("p -> q", False, (0,)),
    evidence("p <-> q", False, (0,)),
]

BAD = [
    evidence("AG p", False, (0, 1)),
    evidence("AG p", False, (0, 2)),
    evidence("AG p", True, (0, 1, 2)),
    evidence("EF q", True, (0, 1, 3)),
    evidence("EF q", True, ()),
    evidence("E[p U q]", False, (0, 1, 2)),
    evidence("E[q U q]", True, (0, 1, 2)),
    evidence("EG all", True, (0, 1, 2, 3)),
    evidence("EG all", True, (0, 1, 2, 3), 0),
    evidence("EG all", True, (0, 1, 2, 3), 4),
    evidence("EG p", True, (0, 1, 2, 3), 1),
    evidence("AF q", False, (0, 1, 2, 3), 1),
    evidence("A[p U q]", False, (0, 1, 2)),
    evidence("A[p W q]", False, (0, 1, 2, 3), 1),
    evidence("A[all W !all]", False, (0, 1, 2, 3), 1),
    evidence("E[!p R p]", True, (0, 1, 2)),
    evidence("AX p", False, (0, 1)),
    evidence("EX q", True, (0, 1, 2)),
    evidence("p & q", True, (0,)),
    evidence("EX EX q", True, (0, 1)),
    evidence("p & EF q", True, (0,)),
]


@pytest.mark.parametrize("good", GOOD, ids=str)
def test_good_evidence_passes(good: Evidence) -> None:
    verify(good, good.formula, GRAPH, truth)


@pytest.mark.parametrize("bad", BAD, ids=str)
def test_bad_evidence_is_refused(bad: Evidence) -> None:
    with pytest.raises(UnsoundEvidenceError):
        verify(bad, bad.formula, GRAPH, truth)


def test_children_are_checked_where_they_stand() -> None:
    inner = evidence("EX q", True, (1, 2))
    outer = replace(evidence("EX EX q", True, (0, 1)), children=((1, inner),))
    verify(outer, outer.formula, GRAPH, truth)
    for wrong in ((0, inner), (1, replace(inner, steps=(1, 3))), (1, replace(inner, holds=False))):
        with pytest.raises(UnsoundEvidenceError):
            verify(replace(outer, children=(wrong,)), outer.formula, GRAPH, truth)


def test_what_no_path_proves_is_left_to_the_graph() -> None:
    inner = Evidence(parse_formula("AF q"), True, "none", (1,))
    outer = replace(evidence("EX AF q", True, (0, 1)), children=((1, inner),))
    verify(outer, outer.formula, GRAPH, truth)


def test_evidence_for_another_formula_is_refused() -> None:
    with pytest.raises(UnsoundEvidenceError, match="is offered for"):
        verify(GOOD[0], parse_formula("AG q"), GRAPH, truth)


@pytest.mark.parametrize(
    ("text", "holds", "universal", "sure"),
    [
        ("AG leaf", True, True, True),
        ("AG leaf", False, False, True),
        ("EF leaf", False, True, True),
        ("EF leaf", True, False, True),
        ("AF leaf", False, False, False),
        ("E[init U leaf]", True, False, False),
        ("!E[init U leaf]", True, True, True),
        ("AG EF leaf", True, False, False),
        ("AG !EF leaf", True, True, True),
        ("EF leaf & !AG init", True, False, True),
        ("EF leaf -> AF leaf", True, True, True),
        ("AF leaf -> EF leaf", True, False, False),
        ("AF leaf <-> init", True, False, False),
        ("P>0 [F leaf]", True, True, True),
        ("P>0 [F (EF leaf)]", True, False, False),
        ("EF EF leaf", True, False, False),
    ],
)
def test_claims(text: str, holds: bool, universal: bool, sure: bool) -> None:
    formula = parse_formula(text)
    assert is_universal(formula, holds) == universal
    assert is_sure(formula, holds) == sure


@given(structures(), formulas)
def test_fewer_paths_keep_universal_claims(structure: Structure, formula: Formula) -> None:
    """With one successor of every location only, what spoke of all paths is still so."""
    thinned = Structure(tuple(row[:1] for row in structure.successors), structure.labels)
    holds = 0 in naive(formula, structure)
    if is_universal(formula, holds):
        assert (0 in naive(formula, thinned)) == holds
    assert is_universal(Not(formula), not holds) == is_universal(formula, holds)


def test_timeless() -> None:
    assert is_timeless(parse_formula("leaf & P=1 [F leaf]"))
    assert not is_timeless(parse_formula("P=1 [F (AX leaf)]"))


def test_nested_claims_keep_their_position_on_the_spine() -> None:
    """0 -> 1 -> 2: EF (p & EX (q & EX r)) continues from step to step, EX q at the start stands beside."""
    structure = Structure(
        ((0, 1), (2,), (2,)),
        {"p": frozenset({0}), "q": frozenset({1}), "r": frozenset({2})},
    )
    formula = parse_formula("EF (p & EX (q & EX r) & EX q)")
    found = explain(formula, Evaluation(structure.graph, structure.atoms))
    assert found.spine()[0] == (0, 1, 2)
    assert [(place, str(child.formula.op)) for place, child in found.beside()] == [(0, "X")]


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
