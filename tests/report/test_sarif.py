"""SARIF: the structure that code hosts require, and the right lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from qismc import Limits, QuantumCircuit, check
from qismc.cli import main

BELL = """OPENQASM 2.0;
include "qelib1.inc";
qreg q[2];
creg c[1];
h q[0];
cx q[0], q[1];
measure q[0] -> c[0];
if (c == 1) x q[1];
"""


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The SARIF of a violated and a holding formula, written by the command line."""
    monkeypatch.chdir(tmp_path)
    Path("my bell.qasm").write_text(BELL)
    args = ["check", "my bell.qasm", "--spec", "AG (leaf -> |00>)", "--spec", "EF leaf", "--quiet"]
    done = CliRunner().invoke(main, [*args, "--sarif", "out.sarif"])
    assert done.exit_code == 1, done.output
    data: dict[str, Any] = json.loads(Path("out.sarif").read_text())
    return data


def test_the_log_has_the_required_properties(log: dict[str, Any]) -> None:
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "QisMC"
    assert len({rule["id"] for rule in driver["rules"]}) == 2
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in {"none", "note", "warning", "error"}
        assert result["message"]["text"]


def test_only_formulas_that_do_not_hold_are_findings(log: dict[str, Any]) -> None:
    (finding,) = log["runs"][0]["results"]
    assert finding["level"] == "error"
    assert "AG (leaf -> |00>) is violated by an execution of 6 steps" in finding["message"]["text"]


def test_the_finding_stands_at_the_last_step_with_a_line(log: dict[str, Any]) -> None:
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "my%20bell.qasm"
    assert place["region"]["startLine"] == 8


def test_the_flow_follows_the_execution(log: dict[str, Any]) -> None:
    (flow,) = log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"]
    lines = [s["location"]["physicalLocation"]["region"]["startLine"] for s in flow["locations"]]
    assert lines == [5, 6, 7, 8, 8, 8]
    assert [s["executionOrder"] for s in flow["locations"]] == [1, 2, 3, 4, 5, 6]
    assert flow["locations"][2]["location"]["message"]["text"].startswith("l2: measure q[0] -> c[0] = 1")
    assert flow["locations"][3]["state"] == {"c": {"text": "1"}}


def test_an_unknown_verdict_is_a_warning_with_its_reason() -> None:
    circuit = QuantumCircuit(1)
    circuit.h(0)
    log = check(circuit, "AG |0>", limits=Limits(seconds=1e-9)).to_sarif()
    (finding,) = log["runs"][0]["results"]
    assert finding["level"] == "warning"
    assert "limit" in finding["message"]["text"]
    region = finding["locations"][0]["physicalLocation"]["region"]
    assert region["startLine"] >= 1
    assert "codeFlows" not in finding


def test_an_execution_that_goes_on_for_ever_has_no_end() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.h(0)
        circuit.measure(0, 0)
    found = check(circuit, "AF leaf").to_sarif()
    text = found["runs"][0]["results"][0]["message"]["text"]
    assert "for ever round from step" in text and "of one turn 0.5" in text and "at the end" not in text
