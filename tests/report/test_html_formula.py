"""Formulas as nested text: the pieces make up the text, the letters are the truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qismc import Verdict
from qismc.ctl.evaluation import Truth
from qismc.language.parser import parse_formula
from qismc.language.printer import to_text
from qismc.language.syntax import subformulas
from qismc.report.html_formula import formula_data
from qismc.results.result import FormulaResult

from .programs import violated

FORMULAS = [
    "AG (leaf -> target)",
    "A[l1 U l10] & E[l10 R l1]",
    "!!(a <-> (b | a))",
    "EX x & AX (x -> EX x)",
    "P=1 [F (p & q)] | P>0 [p U q]",
    "P>0 [G F1]",
    "AF (c == 3) -> EG (|01> \\/ |10>)",
    "(a -> b) -> a -> b",
    "c[0] & !c[1]",
]


def pieces(tree: dict[str, Any]) -> str:
    return "".join(part if isinstance(part, str) else pieces(part) for part in tree["parts"])


def trees(tree: dict[str, Any]) -> list[dict[str, Any]]:
    inner = [found for part in tree["parts"] if isinstance(part, dict) for found in trees(part)]
    return [tree, *inner]


@pytest.mark.parametrize("text", FORMULAS)
def test_every_part_stands_where_its_text_stands(text: str) -> None:
    formula = parse_formula(text)
    nothing = Truth(np.zeros(1, dtype=bool), np.zeros(1, dtype=bool))
    result = FormulaResult("f", text, Verdict.HOLDS, truths=dict.fromkeys(subformulas(formula), nothing))
    data = formula_data(result, None)
    found = trees(data["tree"])
    assert [pieces(tree) for tree in found] == [data["subs"][tree["sub"]]["text"] for tree in found]
    assert [pieces(tree) for tree in found] == [to_text(part) for part in subformulas(formula)]


def test_letters_are_the_truth_per_location() -> None:
    result = violated()["correct"]
    for sub in formula_data(result, None)["subs"]:
        letters = {True: "1", False: "0", None: "?"}
        assert sub["truth"] == "".join(letters[value] for value in result.truth[sub["text"]])


def test_letters_can_be_limited_to_some_locations() -> None:
    (first, *_) = formula_data(violated()["correct"], [4, 2, 4])["subs"]
    assert first["truth"] == {2: "0", 4: "0"}


def test_a_formula_that_was_not_evaluated_has_no_tree() -> None:
    data = formula_data(FormulaResult("f", "AF leaf", Verdict.UNKNOWN, reason="limit"), None)
    assert data["tree"] is None
    assert data["reason"] == "limit"
