"""Formulas that read otherwise than they look."""

from __future__ import annotations

import pytest

from qismc.language.parser import parse_formula
from qismc.language.reading import readings


def told(text: str) -> list[str]:
    return list(readings(parse_formula(text), text))


@pytest.mark.parametrize(
    "text",
    ["AG (p -> q)", "(AG p) -> AF q", "EF p & AG q", "!EF p", "init -> q", "true", "P=1 [F p] & AG q"],
)
def test_what_is_enclosed_reads_as_it_looks(text: str) -> None:
    assert told(text) == []


def test_without_temporal_operators() -> None:
    assert told("leaf -> p") == [
        "'leaf -> p' is asked at the start only: for all locations write AG (leaf -> p)"
    ]
    (warning,) = told("|00> + |11>")
    assert "for the end write AG (leaf -> |00> + |11>), for all locations AG (|00> + |11>)" in warning


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("AG p -> q", "AG (p -> q)"),
        ("AG p & q", "AG (p & q)"),
        ("AF p | q", "AF (p | q)"),
        ("A[p U q] -> r", "A[p U q -> r]"),
    ],
)
def test_prefixes_bind_tightly(text: str, meant: str) -> None:
    (warning,) = told(text)
    assert f"did you mean '{meant}'?" in warning and "at the start only" in warning


def test_parentheses_say_that_it_is_meant() -> None:
    (warning,) = told("(AG p) -> q")
    assert "did you mean" not in warning and "'q'" in warning
