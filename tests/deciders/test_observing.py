"""Observations about programs of which nothing was asked, against dense simulations."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from qiskit import AncillaRegister, ClassicalRegister, QuantumRegister
from qiskit.circuit.random import random_circuit
from qiskit.quantum_info import Statevector, partial_trace

import qismc
from qismc import QuantumCircuit
from qismc.cli import main

from ..reference import Reference
from ..strategies import toys
from ..toy import Measure, Toy


def observed(circuit: QuantumCircuit) -> list[str]:
    result = qismc.check(circuit)
    assert result.results == () and "nothing was asked" in result.warnings[-1]
    return [finding.text for finding in result.findings]


def many() -> QuantumCircuit:
    data, spare, seen = QuantumRegister(2, "data"), QuantumRegister(1, "spare"), ClassicalRegister(3, "seen")
    circuit = QuantumCircuit(data, spare, seen)
    circuit.reset(1)
    circuit.measure(1, 0)
    with circuit.if_test((seen[0], 1)):
        circuit.x(0)
    with circuit.if_test((seen[2], 1)):
        circuit.z(0)
    circuit.h(0)
    circuit.measure(0, 1)
    circuit.measure(1, 1)
    return circuit


def test_what_stands_out() -> None:
    assert observed(many()) == [
        "nothing acts on spare[0]",
        "'reset data[1]': data[1] is already |0> whenever it is reached",
        "'measure data[1] -> seen[0]' always gives 0",
        "'if (seen[0] == 1)' is never true",
        "'if (seen[2] == 1)' is never true",
        "'if (seen[2] == 1)' reads what nothing sets",
        "the outcome of 'measure data[0] -> seen[1]' is overwritten before anything reads it",
        "'measure data[1] -> seen[1]' always gives 0",
    ]


def test_places_are_named() -> None:
    places = [finding.source for finding in qismc.check(many()).findings if finding.kind != "idle"]
    assert all(place is not None and place.file.endswith("test_observing.py") for place in places)


def test_loops_that_cannot_end() -> None:
    stuck = QuantumCircuit(1, 1)
    stuck.x(0)
    stuck.measure(0, 0)
    with stuck.while_loop((stuck.clbits[0], 1)):
        stuck.measure(0, 0)
    assert any("no execution leaves it" in text for text in observed(stuck))


def test_nothing_stands_out() -> None:
    bell = QuantumCircuit(2, 2)
    bell.h(0)
    bell.cx(0, 1)
    bell.measure([0, 1], [0, 1])
    (text,) = observed(bell)
    assert text.startswith("nothing stands out")
    assert "observed: nothing stands out" in str(qismc.check(bell))


@pytest.mark.parametrize("seed", range(10))
def test_helpers_that_are_not_given_back(seed: int) -> None:
    """Against reduced states: entangled iff mixed, clean iff |0>."""
    inner = random_circuit(3, 2, max_operands=2, seed=seed)
    circuit = QuantumCircuit(QuantumRegister(2, "data"), AncillaRegister(1, "a"))
    circuit.compose(inner, inplace=True)
    if seed % 3 == 0:
        circuit.compose(inner.inverse(), inplace=True)
    reduced = np.asarray(partial_trace(Statevector(circuit), [0, 1]).data)
    clean = abs(reduced[0, 0] - 1) < 1e-9
    entangled = np.trace(reduced @ reduced).real < 1 - 1e-9
    told = [finding.text for finding in qismc.check(circuit).findings if finding.kind == "unclean"]
    if qismc.Model(circuit).engine.assumed.tentative:
        assert told == []
    else:
        words = {(True, False): [], (False, True): ["entangled"], (False, False): ["not |0>"]}[
            clean, entangled
        ]
        assert len(told) == len(words) and all(word in text for word, text in zip(words, told, strict=True))


def test_helpers_by_their_names() -> None:
    for name, helps in (("anc", True), ("ancilla", True), ("aux2", True), ("work", True), ("worker", False)):
        circuit = QuantumCircuit(QuantumRegister(1, "data"), QuantumRegister(1, name))
        circuit.h(0)
        circuit.cx(0, 1)
        assert any("entangled" in text for text in observed(circuit)) == helps


@settings(max_examples=25)
@given(toy=toys(most=2, depth=1))
def test_certain_outcomes_against_the_reference(toy: Toy) -> None:
    """A measurement is told to be certain iff the dense reference finds no other outcome of any like it.

    All statements of a toy come from one line, so that those that are written alike cannot be told apart.
    """
    reference = Reference(toy)
    certain = sum("always gives" in text for text in observed(toy.circuit()))
    outcomes: dict[object, set[int]] = {}
    alike: dict[tuple[int, int], set[object]] = {}
    for place, edges in reference.system.items():
        statement = reference.walker.statement(place[0])
        if isinstance(statement, Measure):
            found = outcomes.setdefault(place[0], set())
            found.update(edge.target[1] >> statement.bit & 1 for edge in edges)
            alike.setdefault((statement.qubit, statement.bit), set()).add(place[0])
    groups = [(set().union(*(outcomes[place] for place in places)), places) for places in alike.values()]
    assert certain == sum(len(places) for found, places in groups if len(found) == 1)


def test_large_programs_are_not_explored_for_ever() -> None:
    wide = QuantumCircuit(30, 30)
    wide.h(range(30))
    wide.measure(range(30), range(30))
    with wide.if_test((wide.cregs[0], 5)):
        wide.x(0)
    result = qismc.check(wide, limits=qismc.Limits(seconds=20))
    assert any("not everything was looked for" in note for note in result.notes)


def test_assertions_need_a_specification() -> None:
    with pytest.raises(qismc.SpecError, match="has no specification"):
        qismc.assert_holds(many())
    with pytest.raises(qismc.PropertyViolated, match="no specification"):
        qismc.check(many()).raise_if_violated()


def test_nothing_asked_is_nothing_known() -> None:
    for result in (qismc.check(many()), qismc.check(many(), strict=True)):
        assert result.verdict is qismc.Verdict.UNKNOWN and result.reason == "no specification"
        assert not result and "no specification" in repr(result)
        assert result.to_json()["verdict"] == "unknown"
        (notification,) = result.to_sarif()["runs"][0]["invocations"][0]["toolExecutionNotifications"]
        assert "no specification" in notification["message"]["text"]


def test_the_example_of_a_question_can_be_asked() -> None:
    program = "OPENQASM 3.0;\nqubit[2] data; reset data[0];\n"
    example = qismc.check(program).warnings[-1].split("'")[1]
    assert "data[0]" in example and qismc.check(program, example)


def test_reports(tmp_path: Path) -> None:
    result = qismc.check(many())
    assert "always gives 0" in result.to_html() and "<html" in result.to_html()
    assert result.to_json()["results"] == [] and result.to_json()["findings"]
    assert "nothing was asked" in result._repr_html_()
    file = tmp_path / "one.qasm"
    file.write_text("OPENQASM 2.0; qreg q[1]; creg c[1]; measure q[0] -> c[0];")
    run = CliRunner().invoke(main, ["check", str(file)])
    assert run.exit_code == 0 and "one.qasm:1: 'measure q[0] -> c[0]' always gives 0" in run.stdout
    strict = CliRunner().invoke(main, ["check", str(file), "--strict"])
    assert strict.exit_code == 3 and "no specification" in strict.stdout
    shown = CliRunner().invoke(main, ["check", str(file), "--json"])
    assert json.loads(shown.stdout)["findings"][0]["kind"] == "measurement"
