"""Scores and what is shown of survivors."""

from __future__ import annotations

import io

from rich.console import Console

from qismc.campaigns.mutant import MutantResult, Outcome
from qismc.campaigns.table import report, score


def row(outcome: Outcome, kind: str = "remove", diff: str | None = None) -> MutantResult:
    return MutantResult("p.qasm", kind, f"p.qasm:1: {outcome}", None, outcome, 0.1, diff)


ROWS = [row("killed"), row("killed", "axis"), row("survived", "axis", "--- a\n+++ b\n+x"), row("equivalent")]


def test_equivalent_and_unknown_mutants_do_not_count() -> None:
    assert score(ROWS) == 2 / 3
    assert score([row("equivalent"), row("unknown")]) is None


def test_the_table_has_a_line_for_each_kind_and_the_survivors() -> None:
    stream = io.StringIO()
    Console(file=stream, width=100).print(report(ROWS, 2.0))
    lines = [line.split() for line in stream.getvalue().splitlines()]
    assert ["remove", "1", "1", "100%"] in lines
    assert ["axis", "1", "1", "50%"] in lines
    assert ["all", "2", "1", "1", "67%"] in lines
    assert "survived: p.qasm:1: survived" in stream.getvalue()
    assert "4 mutants in 2.0 s, 2 per second" in stream.getvalue()
