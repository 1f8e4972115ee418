"""Findings: collected in the order of the program, when asked for, within limits."""

from __future__ import annotations

import pickle

import pytest

import qismc
from qismc import Model, QuantumCircuit
from qismc.evidence.hints import qubits
from qismc.evidence.hints.findings import find, findings


def odd_program() -> QuantumCircuit:
    circuit = QuantumCircuit(2, 1)
    circuit.cx(0, 1)
    circuit.measure(0, 0)
    with circuit.if_test((0, 1)):
        circuit.x(1)
    circuit.reset(1)
    return circuit


def test_all_kinds_in_order(engine: str) -> None:
    result = qismc.check(odd_program(), "AF leaf", numbers=engine)
    assert [finding.kind for finding in result.findings] == ["control", "measurement", "branch", "reset"]
    assert all(finding.source is not None for finding in result.findings)
    lines = [finding.source.line for finding in result.findings if finding.source]
    assert lines == sorted(lines)


def test_they_are_made_once_and_then_need_the_system_no_more() -> None:
    model = Model(odd_program(), numbers="float")
    asked = findings(model.solved(), model.budget)
    assert asked() is asked()
    assert findings(None, model.budget)() == ()


def test_a_copy_holds_what_is_known() -> None:
    model = Model(odd_program(), numbers="float")
    asked = findings(model.solved(), model.budget)
    assert pickle.loads(pickle.dumps(asked))() == ()
    known = asked()
    assert pickle.loads(pickle.dumps(asked))() == known
    assert len(known) == 4


def test_a_limit_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qubits, "QUESTIONS", 1)
    model = Model(odd_program(), numbers="float")
    found = find(model.solved(), model.budget)
    assert found[-1].kind == "limit"
    assert "1 questions" in found[-1].text
    assert "branch" in [finding.kind for finding in found]


def test_an_unsolved_system_has_no_findings() -> None:
    result = qismc.check(odd_program(), "AF leaf", limits=qismc.Limits(locations=1), numbers="float")
    assert result.verdict is qismc.Verdict.UNKNOWN
    assert result.findings == ()


HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[2] q;\nbit[2] c;\n'


def told(program: object) -> list[str]:
    return [hint.text for hint in qismc.check(program).findings]


def test_turns_that_differ_are_not_told_apart() -> None:
    text = HEAD + "for int i in [0:1] { c[0] = measure q[0]; if (c[0]) { z q[0]; } reset q[0]; x q[0]; }"
    assert [hint for hint in told(text) if "q[0]" in hint or "c[0]" in hint] == []


def test_what_all_turns_share_is_told() -> None:
    text = HEAD + "for int i in [0:1] { c[0] = measure q[0]; if (c[0]) { x q[0]; } }"
    found = told(text)
    assert sum("always gives 0" in hint for hint in found) == 2 and any(
        "is never true" in hint for hint in found
    )


def test_statements_that_are_written_differently_are_apart() -> None:
    text = HEAD + "x q[1]; for int i in [0:1] { c[i] = measure q[i]; }"
    found = [hint for hint in told(text) if "always gives" in hint]
    assert found == ["'measure q[0] -> c[0]' always gives 0", "'measure q[1] -> c[1]' always gives 1"]


def test_a_body_that_some_turn_reaches_is_reached() -> None:
    text = HEAD + "for int i in [0:1] { if (i == 1) { h q[0]; c[0] = measure q[0]; } }"
    assert not any("never reached" in hint for hint in told(text))


@pytest.mark.parametrize(("turns", "certain"), [(1, 1), (2, 0)])
def test_lines_of_python(turns: int, certain: int) -> None:
    circuit = QuantumCircuit(1, 1)
    for _ in range(turns):
        circuit.measure(0, 0)
        circuit.x(0)
    assert sum("always gives" in hint for hint in told(circuit)) == certain
