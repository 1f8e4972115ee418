"""Formulas that read otherwise than they look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import pytest

import qismc
from qismc import QuantumCircuit
from qismc.language.parser import parse_formula
from qismc.language.readings import Table, readings, tautologies
from qismc.language.syntax import Formula


def independent(atoms: Sequence[Formula]) -> Iterator[Table]:
    """All truth values, where nothing is known of the atoms."""
    return (dict(zip(atoms, row, strict=True)) for row in product((False, True), repeat=len(atoms)))


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


EMPTY = {
    "AG (leaf -> p | !p)": "'leaf -> p | !p'",
    "AG (leaf -> c == 0 | c != 0)": "'leaf -> c == 0 | c != 0'",
    "AG (c < 2 | c >= 2)": "'c < 2 | c >= 2'",
    "AG true": "'true'",
    "P>=0 [F leaf]": "'P>=0 [F leaf]'",
    "AG (p -> P<=1 [F leaf])": "'p -> P<=1 [F leaf]'",
    "AF p | !AF p": "'AF p | !AF p'",
    "AG (p -> AF (q | !q))": "'q | !q'",
    "AG ((p -> q) | (q -> p))": "'(p -> q) | (q -> p)'",
    "AG (p & q -> p)": "'p & q -> p'",
}
TELLING = [
    "AG (leaf -> p)",
    "AG (p | q)",
    "A[true U leaf]",
    "EF leaf",
    "AG (c == 0 | c != 1)",
    "P>=1/2 [F leaf]",
    "P>=1 [F leaf]",
    "AG (p <-> q)",
    "AG (c == 0 -> !(c == 1))",
    "AG (leaf -> |0> | !|1>)",
]


@pytest.mark.parametrize("formula", EMPTY)
def test_what_says_nothing_is_quoted(formula: str) -> None:
    (warning,) = tautologies(parse_formula(formula), independent)
    assert warning.startswith(EMPTY[formula]) and "whatever the program does" in warning


@pytest.mark.parametrize("formula", TELLING)
def test_what_says_something_is_not(formula: str) -> None:
    assert not list(tautologies(parse_formula(formula), independent))


def test_checks_warn() -> None:
    circuit = QuantumCircuit(1)
    assert "whatever the program does" in qismc.check(circuit, "AG (leaf -> full)").warnings[0]
    assert qismc.check(circuit, "AG (leaf -> full)", strict=True).verdict is qismc.Verdict.UNKNOWN
    assert not qismc.check(circuit, "full", annotations={"init": "|0>"}).warnings[1:]
