"""The truth of the graph cases by an independent model checker."""

from __future__ import annotations

import pytest

from qismc.bench.graphs import GraphCase, ladder, shuffle
from qismc.ctl.evaluate import Evaluation
from qismc.spec.parser import parse_formula

CASES = [make(size, broken) for make in (ladder, shuffle) for size in (8, 33) for broken in (False, True)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_expected_verdicts(case: GraphCase) -> None:
    evaluation = Evaluation(case.graph, lambda atom, _: case.atoms[atom.name])
    assert evaluation.holds(parse_formula(case.formula)) == (case.expected == "holds")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_expected_verdicts_by_pymodelchecking(case: GraphCase) -> None:
    ctl = pytest.importorskip("pyModelChecking.CTL")
    kripke = pytest.importorskip("pyModelChecking").Kripke
    graph = case.graph
    edges = [(k, int(after)) for k in range(graph.size) for after in set(graph.successors.of(k).tolist())]
    labels = {k: {name for name, mask in case.atoms.items() if mask[k]} for k in range(graph.size)}
    structure = kripke(R=edges, S0=[0], L=labels)
    text = _their_syntax(case.formula)
    assert (0 in ctl.modelcheck(structure, text)) == (case.expected == "holds")


def _their_syntax(formula: str) -> str:
    known = {
        "AG (start -> A[safe U end & EX end])": "A G (start --> A (safe U (end and (E X end))))",
        "AG (EX true & EX EF home)": "A G ((E X true) and (E X (E F home)))",
    }
    return known[formula]


def test_two_edges_per_location() -> None:
    assert len(ladder(1000).graph.targets) == len(shuffle(1000).graph.targets) == 2000


def test_sizes_are_checked() -> None:
    with pytest.raises(ValueError, match="size is 3"):
        ladder(3)
