"""Path formulas inside of `AG` as questions about single executions, against their definitions."""

from __future__ import annotations

from itertools import product

import pytest

from qismc.language import syntax
from qismc.language.parser import parse_formula
from qismc.language.printer import to_text
from qismc.questions.asking import NoQuestions, is_end, opposite, questions, response
from qismc.questions.claims import Always, AtStart, Inside, Never, OnPaths, Possible, Response

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


@pytest.mark.parametrize("paths", [False, True])
@pytest.mark.parametrize(
    ("until", "finally_"),
    [
        ("A [true U leaf]", "AF leaf"),
        ("P=1 [true U (leaf & c == 2)]", "P=1 [F (leaf & c == 2)]"),
        ("E [true U c[0]]", "EF c[0]"),
        ("P>0 [true U c[0]]", "P>0 [F c[0]]"),
    ],
)
def test_true_until(until: str, finally_: str, paths: bool) -> None:
    one, other = (questions(parse_formula(text), PROPS, paths=paths) for text in (until, finally_))
    assert one == other


def test_reaching_and_ending() -> None:
    formula = parse_formula("EF (leaf & c == 1) & P>0 [F c[0]] & AF leaf & P=1 [F (leaf & c == 2)] & c == 0")
    claims = questions(formula, PROPS).claims
    assert [type(claim) for claim in claims] == [Possible, Possible, Always, Always, AtStart]
    assert [len(claim.questions) for claim in claims if isinstance(claim, Always) and claim.ends] == [0, 1]


@pytest.mark.parametrize(
    "text",
    [
        "AG !p",
        "AG (p -> leaf)",
        "AG (p | q)",
        "EF p",
        "AG (leaf -> EF loop)",
        "AX leaf",
        "AF p",
        "P>0 [G p]",
        "A[c[0] U p]",
        "P>=0.5 [F leaf]",
        "p",
        "AG (reached -> p)",
        "AG (l3 -> p)",
        "EF init",
    ],
)
def test_formulas_that_need_the_graph(text: str) -> None:
    with pytest.raises(NoQuestions):
        questions(parse_formula(text), PROPS)


def value(formula: syntax.Formula, here: tuple[bool, bool]) -> bool:
    match formula:
        case syntax.Constant(constant):
            return constant
        case syntax.Bit(ref):
            return here[ref.index or 0]
        case syntax.Not(operand):
            return not value(operand, here)
        case syntax.And(left, right):
            return value(left, here) and value(right, here)
    raise TypeError(formula)


def until(left: list[bool], right: list[bool]) -> bool:
    return any(right[k] and all(left[:k]) for k in range(len(right)))


def defined(op: str, p: list[bool], q: list[bool]) -> bool:
    """The operator on an execution whose last location is repeated for ever."""
    count = range(len(q))
    match op:
        case "F":
            return any(q)
        case "G":
            return all(q)
        case "U":
            return until(p, q)
        case "W":
            return until(p, q) or all(p)
    return all(q[k] or any(p[:k]) for k in count)  # R: q may fail only after p was true


@pytest.mark.parametrize("op", "FGUWR")
@pytest.mark.parametrize("quantifier", ["A", "E", "P=1", "P>0"])
def test_paths_without_loops(op: str, quantifier: str) -> None:
    """The executions that answer a question by no are those that break `A`, or that satisfy `E`."""
    body = f"{op} c[1]" if op in "FG" else f"c[0] {op} c[1]"
    text = f"{quantifier} [{body}]" if "P" in quantifier or op not in "FG" else f"{quantifier}{body}"
    (claim,) = questions(parse_formula(text), PROPS, paths=True).claims
    if not isinstance(claim, OnPaths):  # there is a simpler question
        assert (op, quantifier) in {("G", "A"), ("G", "P=1"), ("F", "E"), ("F", "P>0")}
        return
    asked, universal = claim.question, quantifier in ("A", "P=1")
    assert claim.existential != universal
    for run in product(product((False, True), repeat=2), repeat=3):
        p, q = [here[0] for here in run], [here[1] for here in run]
        sides = [[value(side, here) for here in run] for side in (asked.left, asked.right)]
        assert (until(*sides) == asked.satisfied) == (defined(op, p, q) != universal)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AG (c[0] -> AF c[1])", [OnPaths]),
        ("AG ((c[0] -> AF c[1]) & (leaf -> p))", [Always, OnPaths]),
        ("AG (c[0] -> AF leaf)", [Always, Always]),
        ("AG EF leaf", [Always, Always]),
        ("AG !(c[0] & EF c[1])", [OnPaths]),
        ("AG (c[0] -> AF c[1] & A[c[0] W c[1]])", [OnPaths, OnPaths]),
        ("EF (c[0] & EG c[1])", [OnPaths]),
        ("EF ((c[0] & EG c[1]) | (c[1] & P>0 [F c[0]]))", [OnPaths, OnPaths]),
        ("AG (c[0] -> AG (c[1] | !leaf))", [OnPaths]),
    ],
)
def test_nested_paths(text: str, expected: list[type]) -> None:
    claims = questions(parse_formula(text), PROPS, paths=True).claims
    assert [type(claim) for claim in claims] == expected
    with pytest.raises(NoQuestions):  # those who know nothing of paths
        questions(parse_formula(text), PROPS)


@pytest.mark.parametrize(
    "text",
    [
        "AG (AF c[0] -> c[1])",
        "AG (AF c[0] | AF c[1])",
        "AG (c[0] -> EF c[1])",
        "AG (c[0] -> AX c[1])",
        "AG (c[0] -> AF p)",
        "AG (c[0] -> AF AG c[1])",
        "AG (c[0] -> P>=1/2 [F c[1]])",
        "EF (c[0] & AF c[1])",
        "EF (p & EF c[1])",
        "EF (c[0] <-> EF c[1])",
        "AF AG c[0]",
    ],
)
def test_nested_formulas_that_need_the_graph(text: str) -> None:
    with pytest.raises(NoQuestions):
        questions(parse_formula(text), PROPS, paths=True)
