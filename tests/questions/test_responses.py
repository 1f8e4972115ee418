"""Path formulas inside of `AG` as questions about single executions, against their definitions."""

from __future__ import annotations

from itertools import product

import pytest

from qismc.language import syntax
from qismc.language.parser import parse_formula
from qismc.questions.claims import Response
from qismc.questions.responses import is_end, opposite, response

from .test_questions import defined, until, value

RUNS = list(product(product((False, True), repeat=2), repeat=3))
"""What c[0] and c[1] are at three locations, the last of which is repeated for ever."""


def path(text: str) -> syntax.Temporal | syntax.Probability:
    found = parse_formula(text)
    assert isinstance(found, syntax.Temporal | syntax.Probability)
    return found


def spelled(quantifier: str, op: str) -> str:
    body = f"{op} c[1]" if op in "FG" else f"c[0] {op} c[1]"
    return f"{quantifier} [{body}]" if "P" in quantifier or op not in "FG" else f"{quantifier}{body}"


def is_kept(asked: Response, run: tuple[tuple[bool, bool], ...]) -> bool:
    """From every location on where the trigger is true."""
    trigger, left, right = (
        [value(part, here) for here in run] for part in (asked.trigger, asked.left, asked.right)
    )
    return all(
        until(left[k:], right[k:]) or (asked.weak and all(left[k:])) for k in range(len(run)) if trigger[k]
    )


@pytest.mark.parametrize("op", "FGUWR")
@pytest.mark.parametrize("quantifier", ["A", "P=1"])
def test_responses(op: str, quantifier: str) -> None:
    trigger = syntax.Not(parse_formula("c[0]"))
    asked = response(path(spelled(quantifier, op)), trigger)
    assert asked is not None
    for run in RUNS:
        p, q = [here[0] for here in run], [here[1] for here in run]
        assert is_kept(asked, run) == all(p[k] or defined(op, p[k:], q[k:]) for k in range(len(run)))


@pytest.mark.parametrize("op", "FGUWR")
@pytest.mark.parametrize("quantifier", ["E", "P>0"])
def test_opposites(op: str, quantifier: str) -> None:
    """No execution satisfies the path formula: all satisfy its opposite."""
    found = opposite(path(spelled(quantifier, op)))
    assert found is not None
    asked = response(found, syntax.Constant(True))
    assert asked is not None
    for run in RUNS:
        p, q = [here[0] for here in run], [here[1] for here in run]
        assert is_kept(asked, run) == all(not defined(op, p[k:], q[k:]) for k in range(len(run)))


@pytest.mark.parametrize("text", ["EF c[0]", "AX c[0]", "P>=1/2 [F c[0]]", "P>0 [G c[0]]"])
def test_no_responses(text: str) -> None:
    assert response(path(text), syntax.Constant(True)) is None


@pytest.mark.parametrize("text", ["AF c[0]", "EX c[0]", "P<=1/2 [F c[0]]", "P=1 [G c[0]]"])
def test_no_opposites(text: str) -> None:
    assert opposite(path(text)) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AF leaf", True),
        ("EF leaf", True),
        ("P=1 [F leaf]", True),
        ("A[true U leaf]", True),
        ("P>=1/2 [F leaf]", False),
        ("A[c[0] U leaf]", False),
        ("AG leaf", False),
        ("AF (leaf & c[0])", False),
    ],
)
def test_the_end(text: str, expected: bool) -> None:
    assert is_end(path(text)) is expected
