"""Hints come with every violated invariant, and never in the way of its verdict."""

from __future__ import annotations

import pytest

import qismc
from qismc import QuantumCircuit
from qismc.errors import NumericDoubt
from qismc.evidence import hints


def pair() -> QuantumCircuit:
    circuit = QuantumCircuit(3, 1)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.h(2)
    circuit.measure(0, 0)
    return circuit


def kinds(result: qismc.Result) -> list[str]:
    """Of the hints that the execution itself gives."""
    return [] if result.counterexample is None else [hint.kind for hint in result.counterexample.hints]


def test_the_kinds_in_their_order(engine: str) -> None:
    result = qismc.check(pair(), "AG (leaf -> |0> on q[1])", numbers=engine)
    assert kinds(result) == ["overlap", "reduced", "cone"]
    assert result.counterexample is not None
    shown = result.counterexample.hints
    assert result["spec"].hints[-len(shown) :] == shown
    assert [step.relevant for step in result.counterexample] == [True, True, False, False, True]


def test_an_unread_outcome_is_no_cause(engine: str) -> None:
    """Its two values tell the passing execution from the violating one, but nothing depends on them."""
    assert "parting" not in kinds(qismc.check(pair(), "AG (leaf -> |0> on q[1])", numbers=engine))
    assert "parting" in kinds(qismc.check(pair(), "AG (leaf -> |00> on q[0], q[1])", numbers=engine))


def test_several_propositions_are_told_apart(engine: str) -> None:
    result = qismc.check(pair(), "AG (leaf -> (|1> on q[1]) & (|0> on q[2]))", numbers=engine)
    overlaps = [hint.text for hint in result["spec"].hints if hint.kind == "overlap"]
    assert len(overlaps) == 2
    assert overlaps[1].startswith("0.5 of the final state lies in |0> on q[2]")


def test_classical_violations_have_a_cone_only(engine: str) -> None:
    result = qismc.check(pair(), "AG (leaf -> c == 0)", numbers=engine)
    assert kinds(result) == ["cone"]
    assert result.counterexample is not None
    assert [step.relevant for step in result.counterexample] == [True, True, False, True, True]


def test_lassos_have_no_hints_of_their_own(engine: str) -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.while_loop((0, 1)):
        circuit.h(0)
        circuit.measure(0, 0)
    execution = qismc.check(circuit, "AF leaf", numbers=engine).counterexample
    assert execution is not None and execution.hints == ()


def test_holding_formulas_have_no_hints(engine: str) -> None:
    assert qismc.check(pair(), "AF leaf", numbers=engine)["spec"].hints == ()


def test_doubts_leave_out_hints_and_keep_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def doubtful(*_: object) -> None:
        raise NumericDoubt("is it zero?")

    monkeypatch.setattr(hints, "share", doubtful)
    result = qismc.check(pair(), "AG (leaf -> |0> on q[1])", numbers="float")
    assert result.verdict is qismc.Verdict.VIOLATED
    assert kinds(result) == ["cone"]


def test_recorded_post_conditions_are_not_computed_again() -> None:
    circuit = QuantumCircuit(1)
    circuit.h(0)
    circuit.mark("early")
    circuit.h(0)
    assert kinds(qismc.check(circuit, "AG (leaf -> sp(early))")) == []


def test_many_qubits_have_no_reduced_states() -> None:
    circuit = QuantumCircuit(40)
    circuit.h(0)
    circuit.cx(0, 39)
    circuit.h(7)
    assert kinds(qismc.check(circuit, "AG (leaf -> |0> on q[39])", numbers="exact")) == ["overlap", "cone"]


def test_a_proposition_that_wp_forbids_is_not_blamed_on_the_state(engine: str) -> None:
    """Every state is in the whole space, but the whole space is not below what the annotation allows."""
    circuit = QuantumCircuit(1)
    circuit.h(0)
    result = qismc.check(circuit, "AG (leaf -> full)", annotations={"leaf": "|0>"}, numbers=engine)
    assert not result and kinds(result) == ["wp"]
    assert result["spec"].hints[0].text.startswith("every state here is in full, but full is not below wp")
    outside = qismc.check(circuit, "AG (leaf -> |1>)", annotations={"leaf": "|0>"}, numbers=engine)
    assert not outside and "overlap" in kinds(outside)


def test_a_side_that_fails_by_wp_beside_one_that_fails_by_states() -> None:
    circuit = QuantumCircuit(1)
    circuit.x(0)
    result = qismc.check(circuit, "AG (|1> | |0>)", annotations={"leaf": "|0>"})
    texts = [hint.text for hint in result["spec"].hints]
    assert any(text.startswith("every state here is in |0>, but |0> is not below wp") for text in texts)
