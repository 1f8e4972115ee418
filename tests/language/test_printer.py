"""Printing and parsing are inverse to each other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from qismc.language import parse_formula, parse_subspace, to_text
from qismc.language import syntax as s

from .trees import formulas, subspaces


@settings(max_examples=250, deadline=None)
@given(formulas)
def test_formulas_survive_the_round_trip(tree: s.Formula) -> None:
    text = to_text(tree)
    assert parse_formula(text) == tree
    assert to_text(parse_formula(text)) == text


@settings(max_examples=250, deadline=None)
@given(subspaces)
def test_subspaces_survive_the_round_trip(tree: s.Subspace) -> None:
    assert parse_subspace(to_text(tree)) == tree


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("∀□ (leaf → a⊥)", "AG (leaf -> ~a)"),
        ("((p)) and not (q or r)", "p & !(q | r)"),
        ("a -> b -> c", "a -> b -> c"),
        ("(a -> b) -> c", "(a -> b) -> c"),
        ("a & (b & c)", "a & (b & c)"),
        ("(|00> + |11>)/sqrt(2)", "1/sqrt(2) |00> + 1/sqrt(2) |11>"),
        ("|0^100>", "|0^100>"),
        ("|00 1 01>", "|00101>"),
        ("|0^2 1+^2 0>", "|001++0>"),
        ("p |r -> q", "p | r -> q"),
        ("0.25 |0> - i|1>", "1/4 |0> - i |1>"),
        ("A[ F p ]", "AF p"),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    assert to_text(parse_formula(text)) == canonical
