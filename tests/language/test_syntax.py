"""Cheap parts of formulas come first."""

from __future__ import annotations

from qismc.language.parser import parse_formula
from qismc.language.syntax import cost


def test_from_cheap_to_dear() -> None:
    texts = ["true", "leaf", "leaf & c == 1", "EF leaf", "AG EF leaf", "|0>", "AG |0>", "P=1 [F leaf]"]
    costs = [cost(parse_formula(text)) for text in texts]
    assert costs == sorted(set(costs))


def test_names_are_as_dear_as_what_they_stand_for() -> None:
    formula = parse_formula("AG (leaf -> p)")
    assert cost(formula, {"p"}) == cost(parse_formula("AG (leaf -> |0>)")) > cost(formula)
    assert cost(parse_formula("p"), {"p"}) == cost(parse_formula("|0>"))
