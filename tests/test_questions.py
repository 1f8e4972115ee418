"""Which formulas are questions about single points, and what they ask."""

from __future__ import annotations

from itertools import product

import pytest

from qismc.questions import (
    Always,
    AtStart,
    Ends,
    Inside,
    Never,
    NoQuestions,
    Possible,
    questions,
    responsible,
    truth,
)
from qismc.spec import syntax
from qismc.spec.parser import parse_formula
from qismc.spec.printer import to_text

PROPS = {"p", "q"}


def asked(text: str) -> list[str]:
    """The questions of the only claim of a formula, as text."""
    (claim,) = questions(parse_formula(text), PROPS).claims
    assert isinstance(claim, Always)
    return [show(question) for question in claim.questions]


def show(question: Never | Inside) -> str:
    condition = to_text(question.condition)
    if isinstance(question, Never):
        return f"never {condition}"
    return f"{condition}: {to_text(question.proposition)}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AG (leaf -> p)", ["leaf: p"]),
        ("AG p", ["true: p"]),
        ("AG (leaf -> c == 1)", ["never !(leaf -> c == 1)"]),
        ("AG (leaf -> p & c[0])", ["leaf: p", "never leaf & !c[0]"]),
        ("AG (c[0] | p)", ["!c[0]: p"]),
        ("AG (p | c[0])", ["!c[0]: p"]),
        ("AG (leaf -> (c == 2 -> p & |0>))", ["leaf & c == 2: p", "leaf & c == 2: |0>"]),
        ("P=1 [G c == 0]", ["never !c == 0"]),
    ],
)
def test_invariants(text: str, expected: list[str]) -> None:
    assert asked(text) == expected


def test_reaching_and_ending() -> None:
    formula = parse_formula("EF (leaf & c == 1) & P>0 [F c[0]] & AF leaf & P=1 [F (leaf & c == 2)] & c == 0")
    claims = questions(formula, PROPS).claims
    assert [type(claim) for claim in claims] == [Possible, Possible, Ends, Ends, AtStart]
    assert [len(claim.at_the_end.questions) for claim in claims if isinstance(claim, Ends)] == [0, 1]


@pytest.mark.parametrize(
    "text",
    [
        "AG !p",
        "AG (p -> leaf)",
        "AG (p | q)",
        "EF p",
        "AG (leaf -> EF loop)",
        "AX leaf",
        "AF (c == 1)",
        "P>0 [G c == 1]",
        "A[c[0] U leaf]",
        "p",
        "AG (reached -> p)",
        "AG (l3 -> p)",
        "EF init",
    ],
)
def test_formulas_that_need_the_graph(text: str) -> None:
    with pytest.raises(NoQuestions):
        questions(parse_formula(text), PROPS)


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
