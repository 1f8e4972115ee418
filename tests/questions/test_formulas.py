"""Which formulas allow merging: a table, one line per reason."""

from __future__ import annotations

import pytest

from qismc.language.parser import parse_formula
from qismc.questions.formulas import is_robust, merging_is_safe

SAFE = [
    "AG (leaf -> p)",
    "AG (leaf & c == 1 -> |0>)",
    "AG (p & |0>)",
    "AG (leaf | p)",
    "AG (leaf -> (c[0] -> p & |1>))",
    "AG !loop",
    "AG ((!loop | c == 1) & (leaf <-> c == 2) & p & (c == 0 -> !leaf))",
    "EF (leaf & c == 2)",
    "P=1 [F leaf]",
    "P>0 [c[0] U leaf]",
    "AG (leaf -> p) & !EF loop",
    "leaf | c == 1",
]
UNSAFE = {
    "AG !p": "a negated proposition speaks of single locations",
    "AG (p -> leaf)": "so does one on the left of an arrow",
    "AG (p | |1>)": "each location may choose another side",
    "AG (p <-> |1>)": "hides both",
    "EF p": "a single location must be inside",
    "EF (leaf & |0>)": "the same below a connective",
    "AF leaf": "paths are not kept",
    "E[c[0] U leaf]": "paths are not kept",
    "AX leaf": "steps are not kept",
    "AG EF leaf": "nested paths are not kept",
    "AG (leaf -> l3)": "numbers of locations depend on merging",
    "AG @3": "numbers of locations depend on merging",
    "AG (reached -> leaf)": "merging joins what is reached",
    "EF init": "the start may be merged with a later visit",
    "P=1 [F p]": "a proposition inside",
    "P=1 [F EF leaf]": "a path inside",
    "p": "a proposition at the start, which may be merged with a later visit",
    "AG (leaf -> p) & AF leaf": "one unsafe part suffices",
}


@pytest.mark.parametrize("formula", SAFE)
def test_safe(formula: str) -> None:
    assert merging_is_safe(parse_formula(formula), {"p"})


@pytest.mark.parametrize("formula", UNSAFE)
def test_unsafe(formula: str) -> None:
    assert not merging_is_safe(parse_formula(formula), {"p"}), UNSAFE[formula]


def test_a_bare_name_counts_by_what_it_means() -> None:
    assert merging_is_safe(parse_formula("EF p"), ())
    assert merging_is_safe(parse_formula("AG !p"), ())


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
