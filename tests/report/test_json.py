"""Results as plain data."""

from __future__ import annotations

import json

import qismc
from qismc.demo import TARGET, repeat_until_success


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
