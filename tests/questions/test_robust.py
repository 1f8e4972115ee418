"""Formulas whose HOLDS survives fewer edges and smaller subspaces."""

from __future__ import annotations

import pytest

from qismc.language.parser import parse_formula
from qismc.questions.robust import is_robust

TABLE = {
    "AG (leaf -> |0>)": True,
    "AG (leaf -> good)": True,
    "AF leaf": True,
    "A[c == 0 U (leaf & |1>)]": True,
    "AG (reached -> |0>)": True,
    "AG (leaf <-> c == 1)": True,
    "!EF (leaf & !|0>)": True,
    "EF (leaf & |0>)": False,
    "AG (leaf -> !|0>)": False,
    "AG (|0> -> c == 1)": False,
    "AG (leaf <-> |0>)": False,
    "AF reached": False,
    "AG EF leaf": False,
    "AG (l3 -> |0>)": False,
    "P=1 [F leaf]": False,
    "P>0 [F leaf]": False,
}


@pytest.mark.parametrize("text", TABLE)
def test_polarity_and_quantifiers_decide(text: str) -> None:
    assert is_robust(parse_formula(text), {"good"}) == TABLE[text]
