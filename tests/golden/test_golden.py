"""Programs with known answers."""

from __future__ import annotations

import numpy as np
import pytest

import qismc
from qismc import Model, QuantumCircuit, Verdict
from qismc.demo import TARGET, repeat_until_success

from ..compare import columns

TARGET_STATE = np.zeros(8, dtype=complex)
TARGET_STATE[0b001], TARGET_STATE[0b011] = np.sqrt(1 / 3), 1j * np.sqrt(2 / 3)


def test_repeat_until_success_with_reset(engine: str) -> None:
    circuit = repeat_until_success(reset_ancilla=True)
    specs = {"safe": "AG (leaf -> target)", "ends": "AF leaf"}
    result = qismc.check(circuit, specs, props={"target": TARGET}, numbers=engine)
    assert result["safe"].verdict is Verdict.HOLDS
    assert result["ends"].verdict is Verdict.VIOLATED
    post = Model(circuit, numbers=engine).sp("leaf")
    assert post.dimension == 1
    if engine == "float":
        assert abs(np.vdot(columns(post)[:, 0], TARGET_STATE)) == pytest.approx(1)


def test_repeat_until_success_without_reset(engine: str) -> None:
    """The violating execution goes round the loop twice: one turn alone is on target."""
    circuit = repeat_until_success(reset_ancilla=False)
    result = qismc.check(circuit, "AG (leaf -> target)", props={"target": TARGET}, numbers=engine)
    assert result.verdict is Verdict.VIOLATED
    assert Model(circuit, numbers=engine).sp("leaf").dimension == 2
    found = result.counterexample
    assert found is not None
    assert found.replayed
    assert found.probability == pytest.approx(1 / 16)
    assert [step.outcome for step in found if step.outcome is not None] == [1, 1, 0]
    assert sum("loop" in step.labels for step in found) == 3
    assert found.steps[-1].state == "|001>"


@pytest.mark.parametrize("reset", [True, False])
def test_the_first_turn_alone_is_on_target(engine: str, reset: bool) -> None:
    """The shortest path to the exit of the buggy program satisfies the target."""
    circuit = QuantumCircuit(3, 1)
    circuit.x(2)
    body = repeat_until_success(reset_ancilla=reset).data[2].operation.blocks[0]
    circuit.compose(body, qubits=range(body.num_qubits), clbits=range(1), inplace=True)
    result = qismc.check(circuit, "AG (leaf & c == 0 -> target)", props={"target": TARGET}, numbers=engine)
    assert result.verdict is Verdict.HOLDS


def measure_twice() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 2)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.measure(0, 1)
    return circuit


def test_measuring_twice(engine: str) -> None:
    specs = {"agree": "AG (leaf -> c == 0 | c == 3)", "both": "EF (leaf & c == 0) & EF (leaf & c == 3)"}
    assert qismc.check(measure_twice(), specs, numbers=engine)
    feasible = Model(measure_twice(), numbers=engine, keep_dead=True)
    assert sorted(x.values["c"] for x in feasible.locations if x.text == "end") == [0, 3]


def test_measuring_twice_on_all_paths(engine: str) -> None:
    """The contradicting branches exist, but nothing reaches them."""
    kept = Model(measure_twice(), numbers=engine, paths="all", keep_dead=True)
    posts = {x.values["c"]: kept.sp(x.index).dimension for x in kept.locations if x.text == "end"}
    assert posts == {0: 1, 1: 0, 2: 0, 3: 1}
    result = qismc.check(
        measure_twice(), ["AG (leaf -> c == 0 | c == 3)", "AG (leaf & reached -> c == 0 | c == 3)"],
        numbers=engine, paths="all",
    )  # fmt: skip
    assert [r.verdict for r in result] == [Verdict.VIOLATED, Verdict.HOLDS]


def teleportation(*, corrected: bool = True) -> QuantumCircuit:
    circuit = QuantumCircuit(3, 2)
    circuit.h(1)
    circuit.cx(1, 2)
    circuit.cx(0, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.measure(1, 1)
    with circuit.if_test((circuit.clbits[1], 1)):
        circuit.x(2)
    if corrected:
        with circuit.if_test((circuit.clbits[0], 1)):
            circuit.z(2)
    return circuit


@pytest.mark.parametrize("state", ["0", "1", "+", "-", "r", "l"])
def test_teleportation(engine: str, state: str) -> None:
    options = {"init": f"|{state}00>", "props": {"sent": f"|{state}> on q[2]"}, "numbers": engine}
    assert qismc.check(teleportation(), "AG (leaf -> sent)", **options)
    broken = qismc.check(teleportation(corrected=False), "AG (leaf -> sent)", **options)
    assert bool(broken) == (state in "01")  # a missing Z is not seen by Z's eigenstates


def test_teleportation_of_any_state(engine: str) -> None:
    """All inputs at once: the output qubit takes every state, each end has two dimensions."""
    model = Model(teleportation(), init=["|000>", "|100>"], numbers=engine, keep_dead=True)
    ends = [x.index for x in model.locations if x.text == "end"]
    assert len(ends) == 4
    assert {model.sp(k).dimension for k in ends} == {2}


def test_annotation_at_the_start_bounds_what_holds_there(engine: str) -> None:
    """With l0 annotated, the whole space fails at l0, being above wp(l0); init alone bounds nothing."""
    circuit = QuantumCircuit(1)
    circuit.h(0)
    specs = {"line": "|0>", "whole": "full"}
    marked = qismc.check(circuit, specs, annotations={"init": "|0>"}, numbers=engine)
    assert marked["line"].verdict is Verdict.HOLDS
    assert marked["whole"].verdict is Verdict.VIOLATED
    assert qismc.check(circuit, specs, numbers=engine)
    assert Model(circuit, annotations={0: "|0>"}, numbers=engine).wp(0).dimension == 1


def test_annotation_joins_sp(engine: str) -> None:
    circuit = QuantumCircuit(1)
    circuit.mark("here")
    circuit.h(0)
    model = Model(circuit, annotations={"here": "|1>"}, numbers=engine)
    assert model.sp("leaf").dimension == 2
    assert model.wp("leaf").dimension == 2
    assert model.wp("here").dimension == 1
