"""What the page is given to show."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from qismc import Limits, Model, QuantumCircuit, check
from qismc.evidence.execution import Execution
from qismc.report import html_data
from qismc.report.html_data import diagram_data, result_data

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
    monkeypatch.setattr(html_data, "LOCATIONS_KEPT", 20)
    monkeypatch.setattr(html_data, "STEPS_KEPT", 10)
    result = check(long_program(5), "AG !leaf")
    data = result_data(result)
    execution = data["formulas"][0]["executions"][0]
    assert len(execution["steps"]) == 10
    assert execution["omitted"] == len(result.counterexample or ()) - 10
    assert isinstance(data["formulas"][0]["subs"][0]["truth"], dict)
    assert not data["picture"]["unfold"]
    assert len(data["statements"]) < len(result.program.code)
    monkeypatch.setattr(html_data, "BLOCKS_DRAWN", 3)
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
    monkeypatch.setattr(html_data, "BLOCKS_APART", 10)
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
