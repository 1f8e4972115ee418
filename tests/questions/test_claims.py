"""What combinations of claims say, and on which claims that rests."""

from __future__ import annotations

from itertools import product

import pytest

from qismc.language import syntax
from qismc.language.parser import parse_formula
from qismc.questions.asking import questions
from qismc.questions.claims import responsible, truth

PROPS = {"p", "q"}


FORMULAS = ["EF a & !EF b", "EF a | EF b", "EF a -> EF b", "EF a <-> EF b", "!(EF a & (EF b | EF c))"]


@pytest.mark.parametrize("text", FORMULAS)
def test_what_a_verdict_rests_on_implies_it(text: str) -> None:
    """Whatever the other claims are, the responsible ones decide the combination."""
    combination = questions(parse_formula(text), PROPS)
    count = len(combination.claims)
    for claims in product([False, True], repeat=count):
        holds = truth(combination.formula, list(claims))
        chosen = responsible(combination.formula, list(claims), holds)
        for others in product([False, True], repeat=count):
            mixed = [claims[k] if k in chosen else others[k] for k in range(count)]
            assert truth(combination.formula, mixed) == holds


def test_combinations_are_evaluated_as_written() -> None:
    combination = questions(parse_formula("EF a -> (EF b <-> !EF c)"), PROPS)
    for a, b, c in product([False, True], repeat=3):
        assert truth(combination.formula, [a, b, c]) == (not a or b == (not c))
    assert isinstance(combination.formula, syntax.Implies)
