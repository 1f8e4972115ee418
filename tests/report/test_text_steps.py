"""Executions as tables."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console
from rich.table import Table

from qismc.common.source import Source
from qismc.evidence.execution import Execution, Hint, Step
from qismc.report.text_steps import LONGEST, StateCell, execution, lines, shortened


def step(number: int, *, outcome: int | None = None, relevant: bool = True, store: int = 0) -> Step:
    place = Source("a.py", number + 100)
    bare = Step(
        f"l{number}", number, f"gate{number} q[0]", place, {"c": store}, (), ((str(number % 2), 1.0),)
    )
    return replace(bare, outcome=outcome, relevant=relevant)


def shown(evidence: Execution, *, verbose: bool = False, width: int = 100, colour: bool = False) -> str:
    stream = io.StringIO()
    console = Console(
        file=stream, width=width, force_terminal=colour, color_system="truecolor" if colour else None
    )
    console.print(execution(evidence, verbose=verbose))
    return stream.getvalue()


def straight(count: int, *hints: Hint) -> Execution:
    return Execution("path", tuple(step(k) for k in range(count)), hints=hints)


def numbers(text: str) -> list[str]:
    return [line.split()[0] for line in text.splitlines()[2:] if not line.strip().startswith("...")]


def test_long_runs_are_folded() -> None:
    text = shown(straight(40))
    assert numbers(text) == ["0", "1", "2", "37", "38", "39"]
    assert "... 34 more steps ..." in text
    assert len(numbers(shown(straight(40), verbose=True))) == 40


def test_hinted_steps_stay_visible_and_are_marked() -> None:
    text = shown(straight(60, Hint("contrast", "here", steps=(30,)), Hint("cone", "x", steps=(7,))))
    assert "30!" in numbers(text)
    assert "7" not in numbers(text)
    assert text.count("more steps") == 2


@pytest.mark.parametrize("pointed", [3, 100, 197])
def test_executions_with_many_choices_are_cut_in_the_middle(pointed: int) -> None:
    steps = tuple(step(k, outcome=1) for k in range(200))
    evidence = Execution("path", steps, hints=(Hint("parting", "here", steps=(pointed,)),))
    rows = numbers(shown(evidence))
    assert len(rows) in (50, 51)
    assert f"{pointed}!" in rows
    left_out = [int(line.split()[1]) for line in shown(evidence).splitlines() if "more steps" in line]
    assert sum(left_out) + len(rows) == 200
    assert len(numbers(shown(evidence, verbose=True))) == 200


def test_irrelevant_steps_are_dim_and_marked() -> None:
    evidence = Execution("path", (step(0), step(1, relevant=False), step(2)))
    assert numbers(shown(evidence, verbose=True)) == ["0", "1-", "2"]
    dim = "\x1b[2m"
    coloured = shown(evidence, verbose=True, colour=True).splitlines()
    assert [dim in line for line in coloured[2:]] == [False, True, False]


@pytest.mark.parametrize("width", [40, 60, 80])
def test_no_line_is_too_long(width: int) -> None:
    wide = Step("l0", 0, "measure q[0] -> c[0] " * 5, None, {"register": 2**300}, ("a_long_label",) * 3,
                tuple((f"{k:0130b}", 0.5) for k in range(4)), terms_left_out=3)  # fmt: skip
    for verbose in (False, True):
        text = shown(Execution("path", (wide, wide)), width=width, verbose=verbose)
        assert max(map(len, text.splitlines())) <= width


def test_long_values_are_whole_in_the_full_report_only() -> None:
    evidence = Execution("path", (step(0, store=10**99),))
    assert shown(evidence, verbose=True).count("0") > 99
    assert shown(evidence).count("0") < 80


def test_steps_that_change_nothing_that_matters_are_left_out() -> None:
    same = replace(step(2), terms=(("1", 1.0),))
    evidence = Execution("path", (step(0), step(1, relevant=False), same, step(3), replace(step(4), point=9)))
    text = shown(evidence)
    assert numbers(text)[:-1] == ["0", "3", "4"]
    assert "2 steps that change nothing that matters: shown with --verbose" in text


@pytest.mark.parametrize("how", [{"outcome": 1}, {"choice": 1}, {"labels": ("mine",)}])
def test_choices_and_marks_are_always_shown(how: dict[str, object]) -> None:
    middle = replace(step(0), **how)  # type: ignore[arg-type]
    assert len(numbers(shown(Execution("path", (step(0), middle, step(0), step(0)))))) == 3


def test_what_stays_the_same_is_said_once() -> None:
    steps = (step(0, store=3), step(1, store=3), replace(step(3, store=3), outcome=0), step(5, store=4))
    text = shown(Execution("path", steps))
    assert text.count("c=3") == 1 and text.count("c=4") == 1
    assert text.count("|1>") == 1
    assert shown(Execution("path", steps), verbose=True).count("c=3") == 3


def test_states_that_are_not_known_are_no_reason_to_leave_a_step_out() -> None:
    steps = tuple(replace(step(k), terms=None) for k in range(4))
    assert numbers(shown(Execution("path", steps))) == ["0", "1", "2", "3"]


SUM = "1/2 |001> + exp(i pi/4) 1/2 |011> - i 1/2 |101> + (0.3-0.4i)|111>"
TERMS = ["1/2 |001>", "+ exp(i pi/4) 1/2 |011>", "- i 1/2 |101>", "+ (0.3-0.4i)|111>"]


def printed(state: str, width: int) -> list[str]:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(ratio=1)
    table.add_row(StateCell(state))
    stream = io.StringIO()
    Console(file=stream, width=width).print(table)
    return [line.rstrip() for line in stream.getvalue().splitlines()]


@pytest.mark.parametrize("width", [24, 30, 45, 200])
def test_lines_break_between_terms(width: int) -> None:
    found = printed(SUM, width)
    assert " ".join(found) == SUM
    assert all(len(line) <= width for line in found)
    assert all(any(line.startswith(term) for term in TERMS) for line in found)


def test_as_many_terms_as_fit() -> None:
    assert list(lines(TERMS, len(SUM))) == [SUM]
    assert list(lines(TERMS, 1)) == TERMS


def test_a_term_longer_than_the_line_is_folded() -> None:
    found = printed(f"|{'01' * 40}>", 20)
    assert "".join(found) == f"|{'01' * 40}>"
    assert max(map(len, found)) <= 20


@pytest.mark.parametrize(("state", "short"), [
    ("|0101>", "|0101>"),
    (f"|{'0' * 9}1>", f"|{'0' * 9}1>"),
    (f"|{'0' * 300}>", "|0{300}>"),
    (f"sqrt(1/2)|{'0' * 20}1> - |{'1' * 21}>", "sqrt(1/2)|0{20}1> - |1{21}>"),
    ("0.0000000000001|1>", "0.0000000000001|1>"),
])  # fmt: skip
def test_long_runs_of_digits_are_counted(state: str, short: str) -> None:
    assert shortened(state) == short


def test_long_sums_are_cut() -> None:
    assert len(shortened(" + ".join(["1/2 |0101>"] * 100))) == LONGEST
