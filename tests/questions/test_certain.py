"""Formulas whose atoms decide them, whatever the program."""

from __future__ import annotations

import pytest

import qismc
from qismc import QuantumCircuit, Verdict

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
