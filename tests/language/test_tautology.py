"""Formulas that say nothing, whatever the program."""

from __future__ import annotations

import pytest

import qismc
from qismc import QuantumCircuit
from qismc.language.parser import parse_formula
from qismc.language.tautology import tautologies

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
    (warning,) = tautologies(parse_formula(formula))
    assert warning.startswith(EMPTY[formula]) and "whatever the program does" in warning


@pytest.mark.parametrize("formula", TELLING)
def test_what_says_something_is_not(formula: str) -> None:
    assert not list(tautologies(parse_formula(formula)))


def test_checks_warn() -> None:
    circuit = QuantumCircuit(1)
    assert "whatever the program does" in qismc.check(circuit, "AG (leaf -> full)").warnings[0]
    assert qismc.check(circuit, "AG (leaf -> full)", strict=True).verdict is qismc.Verdict.UNKNOWN
    assert not qismc.check(circuit, "full", annotations={"init": "|0>"}).warnings[1:]
