"""Which formulas allow merging, survive fewer edges, or say nothing: tables, one line per reason."""

from __future__ import annotations

import pytest

import qismc
from qismc import QuantumCircuit, Verdict
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


ALL = r"|00> \/ |01> \/ |10> \/ |11>"
EMPTY = [
    "AG (leaf -> full)",
    "AG (leaf -> full on q[0])",
    f"AG (leaf -> {ALL})",
    r"AG (leaf -> |0> on q[0] \/ |1> on q[0])",
    r"AG (leaf -> |0> on q[1] \/ ~|0> on q[1])",
    "AG (leaf -> span(|0>, |+>) on q[1])",
    r"AG (leaf -> stab(ZZ) \/ stab(-ZZ))",
    "AG (leaf -> anything)",
    "AG !zero",
    r"AG (leaf -> !(|00> /\ |11>))",
    "AG (leaf -> c == 0 | c == 1 | c == 2 | c == 3)",
    "AG (leaf -> c <= 1 | c >= 1)",
    "AG (leaf -> c[0] + c[1] < 3)",
    "AG (c == 1 -> c[0])",
    "AG (leaf -> sp(leaf))",
    "AG (leaf -> sp(leaf) on q[0])",
]
TELLING = [
    r"AG (leaf -> |0> on q[1] \/ |11>)",
    "AG (leaf -> |0> on q[1])",
    "AG (leaf -> c == 0 | c == 1)",
    "AG (leaf -> c[0] + c[1] < 2)",
    "AG (leaf -> sp(init) on q[1])",
    "AF leaf",
]


def program() -> QuantumCircuit:
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.measure(0, 0)
    return circuit


@pytest.mark.parametrize("formula", EMPTY)
def test_what_says_nothing_is_told(formula: str) -> None:
    props = {"anything": r"|+> on q[0] \/ |0> on q[0]"}
    result = qismc.check(program(), formula, props=props)
    assert result and any("whatever the program does" in text for text in result.warnings)
    assert qismc.check(program(), formula, props=props, strict=True).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("formula", TELLING)
def test_what_says_something_is_not(formula: str) -> None:
    result = qismc.check(program(), formula)
    assert result and not result.warnings


def test_a_trivial_part_is_named() -> None:
    (warning,) = qismc.check(program(), f"AG (leaf -> ({ALL}) & c != 2)").warnings
    assert f"'{ALL}' is the whole space" in warning
    (warning,) = qismc.check(program(), r"EF (leaf & |00> /\ |11>)").warnings
    assert "is the zero space, so no state is in it" in warning


def test_annotations_make_the_whole_space_a_claim() -> None:
    circuit = QuantumCircuit(1)
    result = qismc.check(circuit, "AG full", annotations={"init": "|0>"})
    assert result.verdict is Verdict.VIOLATED and not result.warnings


def test_zero_is_true_where_nothing_arrives() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    assert not qismc.check(circuit, "AG !zero", paths="all").warnings
