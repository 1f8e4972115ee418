"""The truth of the graph cases by an independent model checker."""

from __future__ import annotations

import pytest

from benchmarks.graphs import GraphCase, ladder, shuffle
from qismc.ctl.evaluation import Evaluation
from qismc.language.parser import parse_formula

from ..ctl.peer import started

CASES = [make(size, broken) for make in (ladder, shuffle) for size in (8, 33) for broken in (False, True)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_expected_verdicts(case: GraphCase) -> None:
    evaluation = Evaluation(case.graph, lambda atom, _: case.atoms[atom.name])
    assert evaluation.holds(parse_formula(case.formula)) == (case.expected == "holds")


def test_expected_verdicts_by_pymodelchecking() -> None:
    with started() as ask:
        for case in CASES:
            nodes = range(case.graph.size)
            edges = [(k, after) for k in nodes for after in set(case.graph.successors.of(k).tolist())]
            labels = [[name for name, mask in case.atoms.items() if mask[k]] for k in nodes]
            assert (0 in ask(edges, labels, parse_formula(case.formula))) == (case.expected == "holds"), case


def test_two_edges_per_location() -> None:
    assert len(ladder(1000).graph.targets) == len(shuffle(1000).graph.targets) == 2000


def test_sizes_are_checked() -> None:
    with pytest.raises(ValueError, match="size is 3"):
        ladder(3)
