"""What the page is given to show."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from qismc import Limits, Model, QuantumCircuit, Verdict, check
from qismc.ctl.evaluation import Truth
from qismc.evidence.execution import Execution
from qismc.language.parser import parse_formula
from qismc.language.printer import to_text
from qismc.language.syntax import subformulas
from qismc.report import html, html_program
from qismc.report.html import diagram_data, formula_data, result_data
from qismc.results.result import FormulaResult

from .programs import long_program, random_program, violated


def test_steps_locations_and_statements_fit_together() -> None:
    result = violated()
    data = json.loads(json.dumps(result_data(result)))
    execution = result["correct"].counterexample
    assert execution is not None
    shown = data["formulas"][0]["executions"][0]["steps"]
    assert [f"l{step['location']}" for step in shown] == [step.location for step in execution.steps]
    texts = {point: text for point, text, *_ in data["statements"]}
    assert [texts[step["point"]] for step in shown] == [step.statement for step in execution.steps]


@pytest.mark.parametrize("seed", range(10))
def test_runs_of_blocks_give_each_location_its_point(seed: int) -> None:
    model = Model(random_program(seed))
    data = diagram_data(model.diagram())
    points = {
        location: point + location - first
        for block in data["picture"]["blocks"]
        for first, last, point, _ in block["runs"]
        for location in range(first, last + 1)
    }
    assert points == {location.index: location.point for location in model.locations}


def test_amplitudes_are_probabilities_that_add_up_to_one() -> None:
    for step in result_data(violated())["formulas"][0]["executions"][0]["steps"]:
        assert sum(term[1] for term in step["terms"]) == pytest.approx(1)
        assert step["terms"][0][2][1] == pytest.approx(0)


def test_executions_inside_executions_are_listed() -> None:
    result = violated()
    child = Execution("path", claim="inner")
    outer = Execution("tree", children=((3, child),), claim="outer")
    nested = replace(result, results=(replace(result.results[0], counterexample=outer),))
    titles = [e["title"] for e in result_data(nested)["formulas"][0]["executions"]]
    assert titles == ["outer", "from step 3: inner"]


def test_large_systems_are_cut_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_program, "LOCATIONS_KEPT", 20)
    monkeypatch.setattr(html, "STEPS_KEPT", 10)
    result = check(long_program(5), "AG !leaf")
    data = result_data(result)
    execution = data["formulas"][0]["executions"][0]
    assert len(execution["steps"]) == 10
    assert execution["omitted"] == len(result.counterexample or ()) - 10
    assert isinstance(data["formulas"][0]["subs"][0]["truth"], dict)
    assert not data["picture"]["unfold"]
    assert len(data["statements"]) < len(result.program.code)
    monkeypatch.setattr(html_program, "BLOCKS_DRAWN", 3)
    assert result_data(result)["picture"] is None


def test_an_unsolved_program_has_no_picture() -> None:
    circuit = QuantumCircuit(1)
    circuit.h(0)
    data = result_data(check(circuit, "AG |0>", limits=Limits(seconds=1e-9)))
    assert data["picture"] is None
    assert data["formulas"][0]["verdict"] == "unknown"


def test_the_passing_execution_stands_beside_the_failing_one() -> None:
    result = violated()
    execution = result["correct"].counterexample
    assert execution is not None and execution.passing is not None
    data = json.loads(json.dumps(result_data(result)))["formulas"][0]["executions"][0]
    beside = data["beside"]
    for mine, other in beside["align"].items():
        assert data["steps"][int(mine)]["point"] == beside["steps"][other]["point"]
    last = beside["steps"][-1]
    assert last["terms"] != data["steps"][-1]["terms"]
    assert beside["align"][str(len(data["steps"]) - 1)] == last["number"]


def test_every_location_has_its_states() -> None:
    result = violated()
    data = result_data(result)
    model = Model(result.program)
    assert len(data["arrived"]) == result.locations
    end = next(location for location in model.locations if location.text == "end")
    found = data["arrived"][end.index]
    assert found["dimension"] == model.sp("leaf").dimension == len(found["states"])
    for state in found["states"]:
        assert sum(term[1] for term in state["terms"]) == pytest.approx(1)


def test_large_systems_are_folded_by_point(monkeypatch: pytest.MonkeyPatch) -> None:
    """One block for each piece of the program, and every location in one of them."""
    circuit = QuantumCircuit(1, 6)
    for k in range(6):
        circuit.h(0)
        circuit.measure(0, k)
    model = Model(circuit)
    apart = diagram_data(model.diagram())["picture"]
    monkeypatch.setattr(html_program, "BLOCKS_APART", 10)
    folded = diagram_data(model.diagram())["picture"]
    assert len(apart["blocks"]) > 60
    assert len(folded["blocks"]) < 10
    assert folded["byPoint"] and not apart["byPoint"]
    covered = [
        k for block in folded["blocks"] for first, last, *_ in block["runs"] for k in range(first, last + 1)
    ]
    assert sorted(covered) == list(range(len(model.locations)))


def test_answers_that_no_graph_was_needed_for_have_no_tree() -> None:
    """`P=?` on stabilisers: the answer is known, the truth at locations is not."""
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    result = check(circuit, "P=? [F c == 1]", method="stabiliser")
    (formula,) = result_data(result)["formulas"]
    assert result.engine == "stabiliser" and formula["tree"] is None and formula["subs"] == []


FORMULAS = [
    "AG (leaf -> target)",
    "A[l1 U l10] & E[l10 R l1]",
    "!!(a <-> (b | a))",
    "EX x & AX (x -> EX x)",
    "P=1 [F (p & q)] | P>0 [p U q]",
    "P>0 [G F1]",
    "AF (c == 3) -> EG (|01> \\/ |10>)",
    "(a -> b) -> a -> b",
    "c[0] & !c[1]",
]


def pieces(tree: dict[str, Any]) -> str:
    return "".join(part if isinstance(part, str) else pieces(part) for part in tree["parts"])


def trees(tree: dict[str, Any]) -> list[dict[str, Any]]:
    inner = [found for part in tree["parts"] if isinstance(part, dict) for found in trees(part)]
    return [tree, *inner]


@pytest.mark.parametrize("text", FORMULAS)
def test_every_part_stands_where_its_text_stands(text: str) -> None:
    formula = parse_formula(text)
    nothing = Truth(np.zeros(1, dtype=bool), np.zeros(1, dtype=bool))
    result = FormulaResult("f", text, Verdict.HOLDS, truths=dict.fromkeys(subformulas(formula), nothing))
    data = formula_data(result, None)
    found = trees(data["tree"])
    assert [pieces(tree) for tree in found] == [data["subs"][tree["sub"]]["text"] for tree in found]
    assert [pieces(tree) for tree in found] == [to_text(part) for part in subformulas(formula)]


def test_letters_are_the_truth_per_location() -> None:
    result = violated()["correct"]
    for sub in formula_data(result, None)["subs"]:
        letters = {True: "1", False: "0", None: "?"}
        assert sub["truth"] == "".join(letters[value] for value in result.truth[sub["text"]])


def test_letters_can_be_limited_to_some_locations() -> None:
    (first, *_) = formula_data(violated()["correct"], [4, 2, 4])["subs"]
    assert first["truth"] == {2: "0", 4: "0"}


def test_a_formula_that_was_not_evaluated_has_no_tree() -> None:
    data = formula_data(FormulaResult("f", "AF leaf", Verdict.UNKNOWN, reason="limit"), None)
    assert data["tree"] is None
    assert data["reason"] == "limit"
