"""Findings: collected in the order of the program, when asked for, within limits."""

from __future__ import annotations

import pickle

import pytest

import qismc
from qismc import Model, QuantumCircuit
from qismc.evidence.hints import fixed
from qismc.evidence.hints.findings import Findings, find


def odd_program() -> QuantumCircuit:
    circuit = QuantumCircuit(2, 1)
    circuit.cx(0, 1)
    circuit.measure(0, 0)
    with circuit.if_test((0, 1)):
        circuit.x(1)
    circuit.reset(1)
    return circuit


def test_all_kinds_in_order(engine: str) -> None:
    result = qismc.check(odd_program(), "AF leaf", engine=engine)
    assert [finding.kind for finding in result.findings] == ["control", "measurement", "branch", "reset"]
    assert all(finding.source is not None for finding in result.findings)
    lines = [finding.source.line for finding in result.findings if finding.source]
    assert lines == sorted(lines)


def test_they_are_made_once_and_then_need_the_system_no_more() -> None:
    model = Model(odd_program(), engine="float")
    findings = Findings(model.solved(), model.budget)
    assert findings.found() is findings.found()
    assert Findings().found() == ()


def test_a_copy_holds_what_is_known() -> None:
    model = Model(odd_program(), engine="float")
    findings = Findings(model.solved(), model.budget)
    assert pickle.loads(pickle.dumps(findings)).found() == ()
    known = findings.found()
    assert pickle.loads(pickle.dumps(findings)).found() == known
    assert len(known) == 4


def test_a_limit_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fixed, "QUESTIONS", 1)
    model = Model(odd_program(), engine="float")
    found = find(model.solved(), model.budget)
    assert found[-1].kind == "limit"
    assert "1 questions" in found[-1].text
    assert "branch" in [finding.kind for finding in found]


def test_an_unsolved_system_has_no_findings() -> None:
    result = qismc.check(odd_program(), "AF leaf", limits=qismc.Limits(locations=1), engine="float")
    assert result.verdict is qismc.Verdict.UNKNOWN
    assert result.findings == ()
