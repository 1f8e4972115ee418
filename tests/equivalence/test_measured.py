"""Differences of two measuring programs are shown by executions."""

from __future__ import annotations

from math import pi

import pytest
from qiskit import ClassicalRegister, QuantumRegister

import qismc
from qismc import QuantumCircuit, UsageError, Verdict


def coin(*, turn: float = pi / 2, flip: bool = False) -> QuantumCircuit:
    circuit = QuantumCircuit(QuantumRegister(2, "q"), ClassicalRegister(1, "c"))
    circuit.reset(0)
    circuit.ry(turn, 0)
    circuit.measure(0, 0)
    if flip:
        with circuit.if_test((circuit.clbits[0], 1)):
            circuit.x(1)
    return circuit


def test_an_execution_of_the_program_that_the_reference_cannot_do() -> None:
    result = qismc.equivalent(coin(flip=True), coin())
    assert result.verdict is Verdict.VIOLATED and result["same"].spec == "AG (leaf & c == 1 -> reference)"
    execution = result.counterexample
    assert execution.replayed and execution.steps[-1].store["c"] == 1
    assert [step.statement for step in execution if step.statement.startswith("x ")] == ["x q[1]"]
    assert all(step.source is not None for step in execution if step.statement.startswith(("x", "ry")))
    assert "on the input |00> of q: with c = 1 the program ends in a state that is none" in result.notes[0]


def test_hints_do_for_every_store_and_every_input() -> None:
    """Another condition would repair the store that is shown, and break the other one."""
    result = qismc.equivalent(coin(flip=True), coin())
    changes = [hint.text for hint in result["same"].hints if "it holds" in hint.text]
    assert any("without 'x q[1]'" in text for text in changes)
    assert not any("c[0] == 0" in text for text in changes)


def test_an_outcome_that_the_reference_never_has() -> None:
    result = qismc.equivalent(coin(), coin(turn=0))
    assert result["same"].spec == "AG !(leaf & c == 1)"
    assert result.counterexample.steps[-1].store["c"] == 1
    assert "the program may end with c = 1, the reference never does" in result.notes[0]


def test_an_execution_of_the_reference_that_the_program_cannot_do() -> None:
    result = qismc.equivalent(coin(turn=0), coin())
    assert result.verdict is Verdict.VIOLATED
    assert "the reference may end with c = 1, the program never does" in result.notes[0]
    assert "the execution shown is one of" in result.notes[0]
    assert result.counterexample.replayed and result.counterexample.steps[-1].store["c"] == 1


def test_other_probabilities() -> None:
    result = qismc.equivalent(coin(), coin(turn=pi / 3))
    assert result["same"].spec.startswith("outcomes and states as in")
    assert result.counterexample.replayed and result.counterexample.probability == pytest.approx(0.5)
    value = result.counterexample.steps[-1].store["c"]
    expected = 0.25 if value else 0.75
    assert f"the probability of c = {value} is 0.5, in the reference {expected}" in result.notes[0]


def test_many_qubits_tell_probabilities() -> None:
    """Too wide for arrays of operators."""
    first, second = QuantumCircuit(11, 1), QuantumCircuit(11, 1)
    for circuit, turn in ((first, pi / 3), (second, pi / 2)):
        circuit.reset(0)
        circuit.ry(turn, 0)
        circuit.measure(0, 0)
    result = qismc.equivalent(first, second)
    assert result.verdict is Verdict.VIOLATED and result.counterexample.replayed
    assert "in the reference 0.5" in result.notes[0]


def test_an_end_that_one_of_them_never_has() -> None:
    endless, other = QuantumCircuit(1, 1), QuantumCircuit(1, 1)
    endless.x(0)
    endless.measure(0, 0)
    other.x(0)
    other.measure(0, 0)
    with endless.while_loop((endless.clbits[0], 1)):
        endless.measure(0, 0)
    assert "the reference may end with c = 1" in qismc.equivalent(endless, other).notes[0]


def test_options_without_a_meaning() -> None:
    assert qismc.equivalent(coin(), coin(), strict=True, recheck=0)
    assert qismc.equivalent(coin(flip=True), coin(), strict=True).verdict is Verdict.VIOLATED
    with pytest.raises(UsageError, match="takes no recheck="):
        qismc.equivalent(coin(), coin(turn=pi / 3), recheck=2)
