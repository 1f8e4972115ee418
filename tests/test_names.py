"""Names in formulas: what they mean, and errors for those that mean nothing."""

from __future__ import annotations

import pytest

import qismc
from qismc import Model, QuantumCircuit, SpecError
from qismc.names import atoms_of
from qismc.spec.parser import parse_formula


def looped() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 2)
    circuit.measure(0, 0)
    circuit.mark("seen")
    return circuit


@pytest.mark.parametrize(
    ("formula", "mask"),
    [
        ("EF leaf", 0),
        ("EF c[1]", 0b10),
        ("AG (c == 2)", 0b11),
        ("P=1 [F c[0]]", 0b01),
        ("EF (c[0] & c[1])", 0b11),
    ],
)
def test_observed_bits(formula: str, mask: int) -> None:
    assert Model(looped(), engine="float").names.observed(parse_formula(formula)) == mask


def test_atoms_inside_every_operator() -> None:
    formula = parse_formula("A[leaf U seen] & !EX (c == 1 -> P=1 [F |0>])")
    assert len(list(atoms_of(formula))) == 4


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("EF c", "2 bits"),
        ("EF c[7]", "out of range"),
        ("EF d == 1", "unknown classical variable 'd'"),
        ("EF (sen)", "did you mean 'seen'"),
        ("EF (|0> on r)", "unknown quantum register 'r'"),
        ("EF (|0> on q[4])", "out of range"),
        ("EF (|00> on q[0], q[0])", "twice"),
        ("EF stab(XX)", "letters"),
        ("EF stab(X, Z)", "anticommute"),
    ],
)
def test_names_without_meaning(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        qismc.check(looped(), spec)


def test_a_name_has_one_meaning() -> None:
    with pytest.raises(SpecError, match="both a proposition and a mark"):
        qismc.check(looped(), "EF leaf", props={"seen": "|0>"})
    with pytest.raises(SpecError, match="defined by itself"):
        qismc.check(looped(), "EF a", props={"a": "~b", "b": "~a"})


@pytest.mark.parametrize(
    ("spec", "warnings"),
    [
        ("EF c == 4", ("'c == 4' is never true: 'c' has 2 bits",)),
        ("AG c != 4", ("'c != 4' is always true: 'c' has 2 bits",)),
        ("EF c == 3", ()),
        ("AG c < 4", ()),
    ],
)
def test_comparisons_that_cannot_matter_are_told(spec: str, warnings: tuple[str, ...]) -> None:
    assert qismc.check(looped(), spec).warnings == warnings
