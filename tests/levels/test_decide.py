"""Answers to questions: where probes stand, what they leave, and the same with other numbers."""

from __future__ import annotations

import pytest

from qismc import Model, QuantumCircuit
from qismc.engines.exact import ExactEngine
from qismc.language.coefficients import ONE
from qismc.language.parser import parse_formula
from qismc.levels.decide import Answers, Task, answer, is_all_zero
from qismc.numbers.field import FieldScalars
from qismc.numbers.forms import FieldForm
from qismc.propositions.propositions import Join, Perp, SpanOf, Whole, relabel
from qismc.propositions.states import KetSum
from qismc.questions.asking import questions
from qismc.questions.claims import Always


def answers(circuit: QuantumCircuit, *formulas: str) -> Answers:
    trees = [parse_formula(text) for text in formulas]
    model = Model(circuit).asking(trees)
    asked = []
    for tree in trees:
        for claim in questions(tree, ()).claims:
            assert isinstance(claim, Always)
            asked += claim.questions
    observed = 0
    for tree in trees:
        observed |= model.names.observed(tree)
    engine = model.engine
    assert isinstance(engine, ExactEngine)
    return answer(
        Task(model.names, model.init, asked, observed, FieldForm(engine.field), model.seed), model.budget
    )


def measured() -> QuantumCircuit:
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.measure([0, 1], [0, 1])
    return circuit


def test_questions_answered_by_no_have_a_vector() -> None:
    found = answers(measured(), "AG (leaf -> c[0] == c[1])", "AG (leaf -> c == 0)", "AG (leaf -> |00>)")
    assert found.decisive.keys() == {1, 2} and not found.doubts
    steps = found.execution(found.decisive[1][0]).steps
    assert [step.outcome for step in steps if step.outcome is not None] == [1, 1]
    assert steps[-1].store == 3


def test_other_numbers_give_the_same_answers() -> None:
    found = answers(measured(), "AG (leaf -> c[0] == c[1])", "AG (leaf -> c == 0)")
    field = found.engine.field
    other = FieldScalars(field.needs, 99, conjugating=field.conjugating)
    again = found.over(FieldForm(other))
    assert again.engine.primes != found.engine.primes
    assert again.decisive.keys() == found.decisive.keys()


@pytest.mark.parametrize(("letters", "expected"), [("00", True), ("01", False), ("0+", False)])
def test_the_usual_start(letters: str, expected: bool) -> None:
    assert is_all_zero(SpanOf((KetSum(((ONE, letters),)),)), 2) == expected


def test_levels_stand_for_qubits_in_the_order_of_the_qubits() -> None:
    all_qubits = SpanOf((KetSum(((ONE, "01"),)),))
    placed = relabel(Join(Perp(all_qubits), Whole()), {0: 3, 1: 1})
    assert placed == Join(Perp(SpanOf(all_qubits.states, (3, 1))), Whole())
