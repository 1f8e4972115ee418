"""Which formulas allow merging: a table, one line per reason."""

from __future__ import annotations

import pytest

from qismc.language.parser import parse_formula
from qismc.questions.merging import merging_is_safe

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
