"""Evidence on random structures, checked by the verifier, and its shape on small ones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qismc.ctl import Evaluation
from qismc.evidence.explaining import explain
from qismc.evidence.proof import Evidence, is_local, verify
from qismc.language import parse_formula
from qismc.language.syntax import And, Atom, Formula, Iff, Implies, Not, Or, Temporal
from tests.ctl.oracle import graph_of

Rows = list[list[int]]
Table = dict[str, set[int]]
NAMES = ("p", "q", "r")


def evaluation(rows: Rows, table: Table) -> Evaluation:
    def atoms(node: Formula, where: np.ndarray) -> np.ndarray:
        assert isinstance(node, Atom)
        truth = np.isin(np.arange(len(rows)), list(table[node.name]))
        return np.where(where, truth, ~truth)  # wrong wherever nobody asked

    return Evaluation(graph_of(rows), atoms)


def explained(text: str, rows: Rows, **table: set[int]) -> Evidence:
    """Evidence at location 0, verified."""
    formula = parse_formula(text)
    evidence = explain(formula, evaluation(rows, table))
    verify(evidence, formula, graph_of(rows), lambda atom, k: k in table[atom.name])  # type: ignore[union-attr]
    return evidence


@st.composite
def structures(draw: st.DrawFn) -> tuple[Rows, Table]:
    size = draw(st.integers(1, 7))
    place = st.integers(0, size - 1)
    rows = draw(st.lists(st.lists(place, min_size=1, max_size=3), min_size=size, max_size=size))
    return rows, {name: draw(st.sets(place)) for name in NAMES}


formulas: st.SearchStrategy[Formula] = st.recursive(
    st.sampled_from(NAMES).map(Atom),
    lambda inner: st.one_of(
        inner.map(Not),
        *(st.builds(kind, inner, inner) for kind in (And, Or, Implies, Iff)),
        st.builds(Temporal, st.sampled_from("AE"), st.sampled_from("XFG"), st.tuples(inner)),
        st.builds(Temporal, st.sampled_from("AE"), st.sampled_from("UWR"), st.tuples(inner, inner)),
    ),
    max_leaves=6,
)


def believed(evidence: Evidence) -> Iterator[Evidence]:
    """The parts that no path proves."""
    if evidence.kind == "none" and isinstance(evidence.formula, Temporal):
        yield evidence
    for _, child in evidence.children:
        yield from believed(child)


@settings(max_examples=600, deadline=None)
@given(structures(), formulas)
def test_all_evidence_is_sound(structure: tuple[Rows, Table], formula: Formula) -> None:
    rows, table = structure
    found = evaluation(rows, table)
    evidence = explain(formula, found)
    assert evidence.holds == found.holds(formula)
    graph = graph_of(rows)
    verify(evidence, formula, graph, lambda atom, k: k in table[atom.name])  # type: ignore[union-attr]
    for part in believed(evidence):
        assert isinstance(part.formula, Temporal)
        assert (part.formula.quantifier == "A") == part.holds
        assert found.holds(part.formula, part.location) == part.holds


@settings(max_examples=200, deadline=None)
@given(structures(), st.sampled_from("AE"), st.sampled_from(["X p", "F p", "G p", "p U q", "p W q", "p R q"]))
def test_flat_claims_are_proved_or_have_no_path(
    structure: tuple[Rows, Table], quantifier: str, path: str
) -> None:
    rows, table = structure
    evidence = explained(f"{quantifier}[{path}]", rows, **table)
    assert (evidence.kind == "none") == ((quantifier == "A") == evidence.holds)
    assert evidence.kind != "tree"


LINE = [[1], [2], [3], [3]]
FORK = [[1, 2], [1], [3], [2]]  # 1 is a sink, 2 and 3 a cycle


@pytest.mark.parametrize(
    ("text", "rows", "table", "shape"),
    [
        ("AG p", LINE, {"p": {0, 1, 3}}, ("path", (0, 1, 2), None)),
        ("AG p", LINE, {"p": {0, 1, 2, 3}}, ("none", (0,), None)),
        ("AX p", FORK, {"p": {1}}, ("path", (0, 2), None)),
        ("EX p", FORK, {"p": {2}}, ("path", (0, 2), None)),
        ("AF p", FORK, {"p": {1}}, ("lasso", (0, 2, 3), 1)),
        ("AF p", FORK, {"p": {2}}, ("lasso", (0, 1), 1)),
        ("EG p", FORK, {"p": {0, 2, 3}}, ("lasso", (0, 2, 3), 1)),
        ("EF p", FORK, {"p": {3}}, ("path", (0, 2, 3), None)),
        ("EF p", FORK, {"p": set()}, ("none", (0,), None)),
        ("A[p U q]", LINE, {"p": {0, 1}, "q": {3}}, ("path", (0, 1, 2), None)),
        ("A[p U q]", LINE, {"p": {0, 1, 2, 3}, "q": set()}, ("lasso", (0, 1, 2, 3), 3)),
        ("E[p U q]", LINE, {"p": {0, 1}, "q": {2}}, ("path", (0, 1, 2), None)),
        ("A[p W q]", LINE, {"p": {0}, "q": set()}, ("path", (0, 1), None)),
        ("E[p W q]", LINE, {"p": {0, 1, 2, 3}, "q": set()}, ("lasso", (0, 1, 2, 3), 3)),
        ("A[p R q]", LINE, {"p": set(), "q": {0, 1}}, ("path", (0, 1, 2), None)),
        ("E[p R q]", LINE, {"p": {1}, "q": {0, 1}}, ("path", (0, 1), None)),
        ("E[p R q]", LINE, {"p": set(), "q": {0, 1, 2, 3}}, ("lasso", (0, 1, 2, 3), 3)),
        ("p & q", LINE, {"p": {0}, "q": set()}, ("path", (0,), None)),
    ],
)
def test_shapes(text: str, rows: Rows, table: Table, shape: tuple[str, tuple[int, ...], int | None]) -> None:
    evidence = explained(text, rows, **table)
    assert (evidence.kind, evidence.steps, evidence.loop_start) == shape


def test_nested_evidence_continues_the_path() -> None:
    rows = [[1], [2], [3, 4], [2], [4]]
    evidence = explained("AG (p -> AF q)", rows, p={1}, q={4})
    assert evidence.kind == "tree"
    assert evidence.steps == (0, 1)
    ((position, child),) = evidence.children
    assert (position, child.formula, child.holds, child.steps) == (1, parse_formula("AF q"), False, (1, 2, 3))
    assert evidence.spine() == ((0, 1, 2, 3), 2)


def test_negations_turn_claims_around() -> None:
    evidence = explained("!EF p", LINE, p={2})
    assert not evidence.holds
    assert evidence.spine() == ((0, 1, 2), None)


def test_the_easier_of_two_reasons_is_shown() -> None:
    evidence = explained("EG p & q", LINE, p=set(), q=set())
    assert evidence.kind == "path"
    assert evidence.children == ()


def test_nested_evidence_is_bounded() -> None:
    """A long path whose every location needs a path of its own stays readable."""
    size = 2_000
    rows = [[min(k + 1, size - 1)] for k in range(size)]
    evidence = explained("EG EF p", rows, p={size - 1})
    assert len(evidence.steps) == size
    assert sum(child.kind != "none" for _, child in evidence.children) <= 64


@pytest.mark.parametrize(
    ("text", "local"), [("p & !q", True), ("p -> AX q", False), ("P=1 [F p] | q", True), ("EF p", False)]
)
def test_local_formulas(text: str, local: bool) -> None:
    assert is_local(parse_formula(text)) == local
