"""The checker's temporal logic against expansion laws, with and without unknown labels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qismc.language.parser import parse_formula
from qismc.language.syntax import Atom, Formula, Not
from qismc.verifier import NotChecked, logic
from qismc.verifier.logic import ThreeValuedLogic

from ..ctl import oracle


@given(oracle.structures(), oracle.formulas)
def test_known_labels_decide_everything(structure: oracle.Structure, formula: Formula) -> None:
    def atom(node: Formula, place: int) -> bool:
        assert isinstance(node, Atom)
        return place in structure.labels[node.name]

    truth = ThreeValuedLogic(structure.successors, atom).truth(formula)
    assert truth.must == truth.may == oracle.naive(formula, structure)


@given(oracle.structures(), oracle.formulas, st.data())
def test_unknown_labels_leave_room_for_every_value(
    structure: oracle.Structure, formula: Formula, data: st.DataObject
) -> None:
    places = st.integers(0, len(structure.successors) - 1)
    hidden = data.draw(st.frozensets(st.tuples(st.sampled_from(oracle.NAMES), places), max_size=4))

    def atom(node: Formula, place: int) -> bool | None:
        assert isinstance(node, Atom)
        return None if (node.name, place) in hidden else place in structure.labels[node.name]

    truth = ThreeValuedLogic(structure.successors, atom).truth(formula)
    assert truth.must <= oracle.naive(formula, structure) <= truth.may


def test_what_may_hold_may_fail() -> None:
    """The negation of an atom that nobody labelled neither must hold nor must fail."""
    logic = ThreeValuedLogic([[0]], lambda *_: None)
    truth = logic.truth(Not(Atom("p")))
    assert (truth.must, truth.may) == (frozenset(), frozenset({0}))


def test_values_that_are_too_many_to_keep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logic, "MOST_TRUTHS", 50)
    graph = ThreeValuedLogic([[0]] * 10, lambda *_: True)
    assert graph.truth(parse_formula("EX EX EX p")).must
    with pytest.raises(NotChecked, match="more than 50 values"):
        graph.truth(parse_formula("EX EX EX EX EX p"))
