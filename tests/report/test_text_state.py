"""States in table cells."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.table import Table

from qismc.report.text_state import LONGEST, StateCell, lines, shortened

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
