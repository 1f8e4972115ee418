"""Causes are tried: what a hint says is true of the changed program."""

from __future__ import annotations

import pickle
import threading
import time
from types import SimpleNamespace

import pytest

import qismc
from qismc import QuantumCircuit
from qismc.demo import TARGET, repeat_until_success
from qismc.edits.edit import Edit, Insert, Remove
from qismc.evidence.execution import Hint
from qismc.program.load import read_program
from qismc.repairs import causes, search
from qismc.repairs.causes import EFFORT, Cause
from qismc.repairs.search import Search
from qismc.whatif.question import Variants


def ghz(*, flipped: bool) -> QuantumCircuit:
    circuit = QuantumCircuit(3)
    circuit.h(0)
    circuit.cx(0, 1)
    if flipped:
        circuit.x(1)
    circuit.cx(1, 2)
    return circuit


def hinted(result: qismc.Result, name: str = "spec") -> list[Hint]:
    return [hint for hint in result[name].hints if hint.kind == "cause"]


def causes_of(question: Variants, name: str = "spec", **options: float) -> tuple[list[Cause], Search]:
    looked = Search(question, [name], effort=EFFORT, **options)
    assert question.program is not None
    return causes.causes(question.program, looked), looked


def test_a_gate_too_many(engine: str) -> None:
    result = qismc.check(ghz(flipped=True), "AG (leaf -> |000> + |111>)", numbers=engine)
    first = hinted(result)[0]
    assert first.text == "it holds without 'x q[1]' (checked)"
    assert result.counterexample is not None
    (step,) = first.steps
    assert result.counterexample.steps[step].statement == "x q[1]"
    assert first.source == result.counterexample.steps[step].source


def test_one_statement_at_several_places_is_one_hint() -> None:
    circuit = repeat_until_success(reset_ancilla=False)
    found = hinted(qismc.check(circuit, "AG (leaf -> target)", props={"target": TARGET}))
    assert len(found) == 1
    assert "with 'reset q[0]'" in found[0].text and "(or at line" in found[0].text
    assert len(found[0].lines) == 2


def test_what_a_hint_says_is_true() -> None:
    program = read_program(ghz(flipped=True))
    formula = "AG (leaf -> |000> + |111>)"
    found, _ = causes_of(Variants({"spec": formula}, {}, program))
    assert found
    for cause in found:
        assert qismc.check(cause.edit.apply(program), formula, numbers="float")


def test_classical_violations_and_lassos_have_causes(engine: str) -> None:
    twice = QuantumCircuit(1, 2)
    twice.h(0)
    twice.measure(0, 0)
    twice.h(0)
    twice.measure(0, 1)
    found = hinted(qismc.check(twice, "AG (leaf -> c == 0 | c == 3)", numbers=engine))
    assert found[0].text.startswith("it holds without 'h q[0]'")
    loop = QuantumCircuit(1, 1)
    loop.h(0)
    loop.measure(0, 0)
    with loop.while_loop((0, 1)):
        loop.h(0)
        loop.measure(0, 0)
    assert hinted(qismc.check(loop, "AF leaf", numbers=engine))


def test_what_held_must_still_hold() -> None:
    """Without the Hadamard gate the first formula would hold as well, but not the second."""
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.x(1)
    circuit.measure(0, 0)
    both = {"equal": "AG (leaf -> stab(ZZ))", "random": "EF (leaf & c == 1) & EF (leaf & c == 0)"}
    alone = hinted(qismc.check(circuit, {"equal": both["equal"]}), "equal")
    together = hinted(qismc.check(circuit, both), "equal")
    assert together[0].text.startswith("it holds without 'x q[1]'")
    assert len(together) <= len(alone)


def test_a_change_after_which_the_end_is_not_reached_is_none() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.x(0)
    with circuit.while_loop((0, 1)):
        circuit.measure(0, 0)
    for hint in hinted(qismc.check(circuit, "AG (leaf -> |0>)")):
        assert not hint.text.startswith("it holds with 'while")


def test_nothing_is_looked_for_before_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def noted(*task: object) -> tuple[Hint, ...]:
        asked.append("now")
        return (Hint("cause", "because"),)

    monkeypatch.setattr(causes, "find", noted)
    result = qismc.check(ghz(flipped=True), "AG (leaf -> |000> + |111>)")
    assert not asked and not result
    assert result["spec"].hints[0].text == "because"
    assert result["spec"].hints[0].text == "because" and asked == ["now"]
    assert pickle.loads(pickle.dumps(result["spec"].suspects))()[0].text == "because"


def test_no_time_no_causes() -> None:
    program = read_program(ghz(flipped=True))
    question = Variants({"spec": "AG (leaf -> |000> + |111>)"}, {}, program)
    assert causes_of(question, seconds=0.0)[0] == []


def test_hints_take_no_longer_than_the_check_may(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[float, float]] = []

    def noted(_: object, search: Search) -> list[causes.Cause]:
        given.append((search.seconds, search._rest.patience))
        return []

    monkeypatch.setattr(causes, "causes", noted)
    for limits in (None, qismc.Limits(seconds=0.75)):
        assert not hinted(qismc.check(ghz(flipped=True), "AG (leaf -> |000> + |111>)", limits=limits))
    (free, _), (bounded, of_a_trial) = given
    assert free > 0.75 >= bounded >= of_a_trial > 0.0


def test_faults_are_named_instead() -> None:
    result = qismc.check(
        ghz(flipped=False), "AG (leaf -> |000> + |111>)", faults=qismc.Faults(kinds=("X",), at_most=1)
    )
    assert not result and not hinted(result)


def test_the_search_ends_some_effort_after_the_first_cause() -> None:
    """There are more changes to try, and they are not: likely ones came first."""
    circuit = QuantumCircuit(6)
    circuit.h(0)
    for k in range(5):
        circuit.cx(k, k + 1)
    circuit.z(5)
    question = Variants({"spec": "AG (leaf -> |000000> + |111111>)"}, {}, read_program(circuit))
    (first, *_), looked = causes_of(question, seconds=1000.0)
    assert first.edit.actions == (Remove(6),)
    assert looked.checked <= 2 + search.PATIENCE / search.TRIAL


def test_places_are_tried_one_by_one() -> None:
    """After the mark the missing gate has the same effect on the end, and another one on the mark."""
    circuit = QuantumCircuit(2)
    circuit.h(0)
    circuit.mark("half")
    circuit.h(0)
    specs = {"one": "AG (leaf -> |01>)", "zero": "AG (half -> |0> on q[1])"}
    program = read_program(circuit)
    for cause in causes_of(Variants(specs, {}, program), "one")[0]:
        assert qismc.check(cause.edit.apply(program), specs, numbers="float"), cause


def test_dear_trials_are_fewer_on_every_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    program = read_program(ghz(flipped=True))
    question = Variants({"spec": "EF (leaf & (|010> + 2|101>))"}, {}, program)  # no gate mends that
    none, plain = causes_of(question, seconds=1000.0)
    monkeypatch.setattr(search, "PLAIN_WORK", plain.work / 50)
    nothing, dear = causes_of(question, seconds=1000.0)
    assert none == nothing == [] and 1 < dear.checked < plain.checked


def test_the_operations_of_a_trial_are_counted() -> None:
    program = read_program(ghz(flipped=True))
    question = Variants({"spec": "AG (leaf -> |000> + |111>)"}, {"engine": "exact"}, program)
    longer = read_program(ghz(flipped=True).compose(ghz(flipped=False)))
    once, twice, more = (question.looked_at(p) for p in (program, program, longer))
    assert once == twice and once[0] is False
    assert 0 < once[1] < more[1]


def test_a_change_after_which_the_formula_says_nothing_is_none() -> None:
    """Without the Hadamard gate the premise is never true."""
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    formula = "AG (leaf & c == 1 -> |0>)"
    program = read_program(circuit)
    found, _ = causes_of(Variants({"spec": formula}, {}, program))
    assert found
    for cause in found:
        assert not qismc.check(cause.edit.apply(program), formula).warnings, cause
    assert qismc.check(circuit.copy_empty_like(), formula).warnings, "it would have said nothing"
    for repair in qismc.repair(circuit, formula):
        assert not repair.result.warnings


def test_hints_are_the_same_beside_busy_threads() -> None:
    circuit = repeat_until_success(reset_ancilla=False)

    def said() -> list[str]:
        result = qismc.check(circuit, "AG (leaf -> target)", props={"target": TARGET})
        return [hint.text for hint in (*result["spec"].hints, *result.findings)]

    alone, over = said(), threading.Event()
    threads = [threading.Thread(target=_busy, args=(over,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        assert said() == alone and any("(checked)" in text for text in alone)
    finally:
        over.set()
        for thread in threads:
            thread.join()


def _busy(over: threading.Event) -> None:
    while not over.is_set():
        sum(range(1000))


def test_no_clock_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine that is a hundred times slower."""
    circuit, formula = ghz(flipped=True), "AG (leaf -> |000> + |111>)"
    expected = [hint.text for hint in hinted(qismc.check(circuit, formula))]
    start, clock = time.monotonic(), time.monotonic
    slow = SimpleNamespace(monotonic=lambda: start + 100 * (clock() - start))
    monkeypatch.setattr(search, "time", slow)
    assert [hint.text for hint in hinted(qismc.check(circuit, formula))] == expected


def test_a_place_between_turns_is_told_as_such() -> None:
    """The text has no place between the first and the second turn of an unrolled loop."""
    circuit, target = QuantumCircuit(1), QuantumCircuit(1)
    for made, extra in ((circuit, False), (target, True)):
        made.h(0)
        if extra:
            made.t(0)
            made.h(0)
            made.s(0)
            made.t(0)
            made.h(0)
    with circuit.for_loop(range(2)):
        circuit.t(0)
        circuit.h(0)
    found = hinted(qismc.check(circuit, "AG (leaf -> target)", props={"target": target}))
    told = [hint.text for hint in found if "'for _ = 1'" in hint.text]
    assert all("the second of its 2 times" in text for text in told)
    program = read_program(circuit)
    (before, between) = (k for k in range(len(program.code)) if program.text(k).startswith("for "))
    gate = program.code[0]
    assert Edit("insert", (Insert(between, gate),)).is_of_some_copies(program)
    assert not Edit("insert", (Insert(before, gate),)).is_of_some_copies(program)
