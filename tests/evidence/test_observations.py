"""Findings: collected in the order of the program, when asked for, within limits."""

from __future__ import annotations

import pickle
import random

import pytest

import qismc
from qismc import Model, QuantumCircuit
from qismc.demo import repeat_until_success
from qismc.evidence import fixed_qubits as qubits
from qismc.evidence import observations as module
from qismc.evidence.observations import endless, find, findings, untaken
from qismc.program.statements import Branch

from .programs import densities, random_program


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


def texts(circuit: QuantumCircuit, paths: str = "feasible") -> list[str]:
    model = Model(circuit, numbers="float", paths=paths)  # type: ignore[arg-type]
    return [hint.text for _, hint in untaken(model.solved())]


@pytest.mark.parametrize("paths", ["feasible", "all"])
def test_random_programs(paths: str) -> None:
    """A condition is remarked on iff exactly one of its ways is reached from it."""
    remarked = 0
    for seed in range(60):
        model = Model(random_program(random.Random(seed), 10), numbers="float", paths=paths)  # type: ignore[arg-type]
        program, reached = model.program, densities(model.program)
        found = {point: hint.text for point, hint in untaken(model.solved()) if hint.kind == "branch"}
        for point, statement in enumerate(program.code):
            if not isinstance(statement, Branch) or point not in reached:
                assert point not in found
                continue
            if statement.then not in reached:
                assert found[point].endswith("is never true")
            elif point in found:
                assert found[point].endswith("is always true")
        remarked += len(found)
    assert remarked > 20


def test_sides_and_loops() -> None:
    circuit = QuantumCircuit(1, 2)
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.if_test((0, 0)):
        circuit.h(0)
    with circuit.if_test((0, 1)) as otherwise:
        circuit.h(0)
    with otherwise:
        circuit.x(0)
    with circuit.while_loop((1, 1)):
        circuit.z(0)
    assert texts(circuit) == [
        "'if (c[0] == 0)' is never true",
        "'if (c[0] == 1)' is always true",
        "'while (c[1] == 1)' never runs its body",
    ]


def test_switch_cases() -> None:
    circuit = QuantumCircuit(1, 2)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.switch(circuit.cregs[0]) as case:
        with case(0, 1):
            circuit.h(0)
        with case(2):
            circuit.x(0)
    assert texts(circuit) == ["'switch (c)' never has the value 2"]


def test_statements_behind_an_endless_loop() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.while_loop((0, 1)):
        circuit.x(0)
    circuit.h(0)
    circuit.h(0)
    assert texts(circuit) == ["'h q[0]' and 1 more from there on are never reached"]


def test_an_end_that_is_never_reached() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.while_loop((0, 1)):
        circuit.x(0)
    assert texts(circuit) == ["the end of the program is never reached"]
    assert texts(circuit, "all") == ["the end of the program is never reached"]


FOREVER = "with positive probability it goes on for ever"
NO_WAY_OUT = "no execution leaves it: there is no feasible way out"


def texts_of_endless(circuit: QuantumCircuit, engine: str) -> list[str]:
    model = Model(circuit, numbers=engine)
    return [hint.text.split(": ", 1)[1] for _, hint in endless(model.solved(), model.budget)]


def looping(start: str, body: str) -> QuantumCircuit:
    """Measure, then repeat while the outcome is 1; "m" measures, other letters are gates."""
    circuit = QuantumCircuit(1, 1)
    for letter in start:
        getattr(circuit, letter)(0)
    circuit.measure(0, 0)
    with circuit.while_loop((0, 1)):
        for letter in body:
            circuit.measure(0, 0) if letter == "m" else getattr(circuit, letter)(0)
    return circuit


@pytest.mark.parametrize(("start", "body", "found"), [
    ("x", "h", [NO_WAY_OUT]),        # the bit is never written again
    ("h", "x", [FOREVER]),           # left at once with probability 1/2, never left otherwise
    ("h", "m", [FOREVER]),           # the outcome repeats itself
    ("h", "hm", []),                 # left with probability 1, though not surely
    ("x", "xm", []),                 # left after one turn
    ("", "x", []),                   # never entered
])  # fmt: skip
def test_loops(start: str, body: str, found: list[str], engine: str) -> None:
    assert texts_of_endless(looping(start, body), engine) == found


def test_repeat_until_success_ends(engine: str) -> None:
    assert texts_of_endless(repeat_until_success(reset_ancilla=True), engine) == []


def test_a_loop_that_ends_inside_one_that_does_not(engine: str) -> None:
    circuit = QuantumCircuit(2, 2)
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.while_loop((0, 1)):
        circuit.h(1)
        circuit.measure(1, 1)
        with circuit.while_loop((1, 1)):
            circuit.h(1)
            circuit.measure(1, 1)
    assert texts_of_endless(circuit, engine) == [NO_WAY_OUT]


def test_probabilities_are_left_out_of_large_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WORK", 1)
    assert texts_of_endless(looping("h", "x"), "float") == []
    assert texts_of_endless(looping("x", "h"), "float") == [NO_WAY_OUT]
