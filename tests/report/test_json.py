"""Results as plain data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import qismc
from qismc import QuantumCircuit
from qismc.cli import main
from qismc.demo import TARGET, repeat_until_success
from qismc.report import schema


def test_plain_data_survives_json() -> None:
    result = qismc.check(
        repeat_until_success(reset_ancilla=False),
        {"safe": "AG (leaf -> target)", "ends": "EF leaf"},
        props={"target": TARGET},
        numbers="float",
    )
    report = result.to_json()
    assert json.loads(json.dumps(report)) == report
    found = {r["name"]: r for r in report["results"]}
    assert found["ends"]["counterexample"] is None
    steps = found["safe"]["counterexample"]["steps"]
    assert steps[0]["source"]["file"].endswith("demo.py")
    assert [s["outcome"] for s in steps if s["outcome"] is not None] == [1, 1, 0]
    assert steps[-1]["labels"] == ["leaf"]
    assert steps[-1]["store"] == {"c": 0}
    probabilities = [s["probability"] for s in steps]
    assert probabilities == sorted(probabilities, reverse=True)
    assert all(step["relevant"] for step in steps)
    hints = {hint["kind"]: hint for hint in found["safe"]["hints"]}
    assert hints["contrast"]["steps"] == [11]
    assert hints["contrast"]["source"]["line"] == steps[11]["source"]["line"]
    assert found["ends"]["hints"] == []
    assert [finding["kind"] for finding in report["findings"]] == ["measurement"]


def test_irrelevant_steps_are_flagged() -> None:
    circuit = qismc.QuantumCircuit(2)
    circuit.x(0)
    circuit.x(1)
    report = qismc.check(circuit, "AG (leaf -> |0> on q[1])", numbers="float").to_json()
    steps = report["results"][0]["counterexample"]["steps"]
    assert [step["relevant"] for step in steps] == [False, True, True]


EXAMPLES = Path(__file__).parents[2] / "examples"


def strict(part: Any) -> Any:
    """The schema with all keys forbidden that it does not mention."""
    if isinstance(part, list):
        return [strict(x) for x in part]
    if not isinstance(part, dict):
        return part
    closed = {"additionalProperties": False} if "properties" in part else {}
    return closed | {key: strict(value) for key, value in part.items()}


def accept(output: Any) -> None:
    Draft202012Validator(strict(schema())).validate(output)


def coin() -> QuantumCircuit:
    qc = QuantumCircuit(1, 1)
    qc.h(0)
    qc.measure(0, 0)
    with qc.while_loop((qc.clbits[0], 1)):
        qc.h(0)
        qc.measure(0, 0)
    return qc


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("formula", [
    "AG (leaf -> |0>)",
    "AG (leaf -> |1>)",
    "AF leaf",
    "EF leaf",
    "AG EF leaf",
    "P=1 [F leaf]",
    "P=? [F leaf]",
    "P>=1/3 [G !leaf]",
])  # fmt: skip
@pytest.mark.parametrize("engine", ["exact", "float"])
def test_results(formula: str, engine: str) -> None:
    accept(json.loads(json.dumps(qismc.check(coin(), formula, numbers=engine).to_json())))


def test_levels_limits_and_repairs() -> None:
    wide = QuantumCircuit(4, 4)
    wide.h(range(4))
    wide.measure(range(4), range(4))
    for result in (
        qismc.check(wide, "AG (leaf -> c != 0)", method="levels"),
        qismc.check(wide, "AG (leaf -> c != 0)", limits=qismc.Limits(seconds=1e-6)),
        qismc.check(str(EXAMPLES / "rus_buggy.qasm")).with_repairs(),
    ):
        accept(json.loads(json.dumps(result.to_json())))


def test_command_line(tmp_path: Path) -> None:
    broken = tmp_path / "broken.qasm"
    broken.write_text("OPENQASM 3.0;\nqubit q;\nunknown q;\n", encoding="utf-8")
    fixed = str(EXAMPLES / "rus_fixed.qasm")
    for arguments in ([fixed], [fixed, str(EXAMPLES / "rus_buggy.qasm")], [fixed, str(broken)]):
        output = CliRunner().invoke(main, ["check", *arguments, "--json"]).stdout
        accept(json.loads(output))


def test_a_wrong_output_is_noticed() -> None:
    output = qismc.check(coin(), "EF leaf").to_json()
    for change in ({"verdict": "maybe"}, {"extra": 1}, {"results": [{}]}):
        assert not Draft202012Validator(strict(schema())).is_valid({**output, **change})
