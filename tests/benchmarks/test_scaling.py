"""Exponents of growth: of times that are powers, exactly those."""

from __future__ import annotations

import inspect

import pytest

from benchmarks import circuits
from benchmarks.row import Row
from benchmarks.scaling import exponents, families, remarks


def row(family: str, size: int, cpu: float, verdict: str = "holds") -> Row:
    return Row(f"{family} {size}", verdict, cpu=cpu, family=family, size=size)


def test_powers_are_recovered() -> None:
    rows = [row("square", n, 0.5 * n**2) for n in (2, 5, 9)] + [row("flat", n, 7.0) for n in (1, 10)]
    found = exponents(rows)
    assert found == {"square": pytest.approx(2), "flat": pytest.approx(0, abs=1e-12)}
    assert remarks(rows)[0] == "square: time grows as size^2.00 (2 to 9)"


def test_one_size_and_missing_verdicts_say_nothing() -> None:
    assert exponents([row("one", 3, 1.0), row("late", 3, 1.0), row("late", 6, 9.0, "unknown")]) == {}
    assert exponents([Row("other", "holds", cpu=1.0)]) == {}


def test_every_family_can_be_made() -> None:
    jobs = families()
    assert {job.family for job in jobs} >= {"qft", "ghz", "grover_tree"}
    for job in jobs:
        inspect.signature(getattr(circuits, job.construction)).bind(**job.arguments)
