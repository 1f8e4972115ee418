"""The verifier refuses evidence that proves nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qismc.evidence.proof import Evidence, UnsoundEvidenceError, verify
from qismc.language import parse_formula
from qismc.language.syntax import Atom, Formula
from tests.ctl.oracle import graph_of

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
    assert verify(good, good.formula, GRAPH, truth) == ()


@pytest.mark.parametrize("bad", BAD, ids=str)
def test_bad_evidence_is_refused(bad: Evidence) -> None:
    with pytest.raises(UnsoundEvidenceError):
        verify(bad, bad.formula, GRAPH, truth)


def test_children_are_checked_where_they_stand() -> None:
    inner = evidence("EX q", True, (1, 2))
    outer = replace(evidence("EX EX q", True, (0, 1)), children=((1, inner),))
    assert verify(outer, outer.formula, GRAPH, truth) == ()
    for wrong in ((0, inner), (1, replace(inner, steps=(1, 3))), (1, replace(inner, holds=False))):
        with pytest.raises(UnsoundEvidenceError):
            verify(replace(outer, children=(wrong,)), outer.formula, GRAPH, truth)


def test_unproved_parts_are_reported() -> None:
    inner = Evidence(parse_formula("AF q"), True, "none", (1,))
    outer = replace(evidence("EX AF q", True, (0, 1)), children=((1, inner),))
    assert verify(outer, outer.formula, GRAPH, truth) == (inner,)


def test_evidence_for_another_formula_is_refused() -> None:
    with pytest.raises(UnsoundEvidenceError, match="is offered for"):
        verify(GOOD[0], parse_formula("AG q"), GRAPH, truth)
