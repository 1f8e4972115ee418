"""The truth of sub-formulas per location, against full evaluation."""

from __future__ import annotations

import numpy as np

from qismc import check
from qismc.ctl.evaluation import Evaluation
from qismc.ctl.graph import Graph
from qismc.ctl.truth import truths
from qismc.demo import TARGET, repeat_until_success
from qismc.language.parser import parse_formula
from qismc.language.syntax import Atom, subformulas

GRAPH = Graph.from_lists([[1, 2], [1], [0]])
SETS = {"p": [True, False, True], "q": [False, True, False]}


def atoms(formula: object, _: object) -> np.ndarray:
    assert isinstance(formula, Atom)
    return np.array(SETS[formula.name])


def test_known_values_are_right_and_the_others_unknown() -> None:
    formula = parse_formula("AX (p | EX q)")
    lazy = Evaluation(GRAPH, atoms)
    lazy.holds(formula)
    full = Evaluation(GRAPH, atoms)
    for part, truth in truths(lazy, formula).items():
        expected = full.truth(part).tolist()
        assert all(v is None or v == e for v, e in zip(truth.values(), expected, strict=True))
    assert truths(lazy, formula)[formula].values() == [True, None, None]


def test_nothing_new_is_computed() -> None:
    formula = parse_formula("p & q")
    evaluation = Evaluation(GRAPH, lambda *_: 1 / 0)  # type: ignore[arg-type, return-value]
    assert {v for t in truths(evaluation, formula).values() for v in t.values()} == {None}


def test_operands_of_probability_operators_are_parts() -> None:
    assert len(list(subformulas(parse_formula("P=1 [F (p & q)]")))) == 4


def test_results_carry_the_truth_of_their_parts() -> None:
    circuit = repeat_until_success(reset_ancilla=False)
    result = check(circuit, {"safe": "AG (leaf -> t)"}, props={"t": TARGET})
    truth = result["safe"].truth
    leaf = truth["leaf"].index(True)
    assert list(truth) == ["AG (leaf -> t)", "leaf -> t", "leaf", "t"]
    assert truth["t"][leaf] is False
    assert {v for k, v in enumerate(truth["t"]) if k != leaf} == {None}
