"""Subspaces that mean nothing, or not what they seem to say, are errors on every engine."""

from __future__ import annotations

from typing import Any

import pytest

import qismc
from qismc import QuantumCircuit, SpecError, Verdict


def flipped() -> QuantumCircuit:
    circuit = QuantumCircuit(2)
    circuit.x(1)
    return circuit


@pytest.mark.parametrize(
    "text",
    ["|01> - |01>", "span(|01>, 0 |11>)", "~(|+0> - 1/sqrt(2) |00> - 1/sqrt(2) |10>)", "(0 |1>) on q[0]"],
)
def test_a_zero_vector_spans_nothing(engine: str, text: str) -> None:
    with pytest.raises(SpecError, match="is the zero vector"):
        qismc.check(flipped(), "AG (leaf -> p)", props={"p": text}, numbers=engine)


def test_a_start_must_be_a_state(engine: str) -> None:
    with pytest.raises(SpecError, match=r"\|00> - \|00> is the zero vector"):
        qismc.check(flipped(), "AG leaf", init="|00> - |00>", numbers=engine)


def test_small_coefficients_are_not_zero(engine: str) -> None:
    tiny = "1/2^40 |01> + 1/2^40 |01>"
    assert qismc.check(flipped(), "AG (leaf -> p)", props={"p": tiny}, numbers=engine)


@pytest.mark.parametrize(
    ("text", "holds"),
    [("p on q[0], q[1]", True), ("p on q[1], q[0]", False), ("sp(leaf) on q[1], q[0]", True)],
)
def test_on_says_where_the_letters_of_a_name_are(engine: str, text: str, holds: bool) -> None:
    """A support is where it is, whatever the order of its qubits; the letters of a ket are not."""
    result = qismc.check(flipped(), f"AG (leaf -> ({text}))", props={"p": "|01>"}, numbers=engine)
    assert result.verdict is (Verdict.HOLDS if holds else Verdict.VIOLATED)


def test_on_complements_what_it_moves(engine: str) -> None:
    props = {"p": "|01>"}
    assert qismc.check(flipped(), "AG (leaf -> (~p on q[1], q[0]))", props=props, numbers=engine)
    assert not qismc.check(flipped(), "AG (leaf -> (~p on q[0], q[1]))", props=props, numbers=engine)


def test_on_has_as_many_qubits_as_the_name_has_letters(engine: str) -> None:
    with pytest.raises(SpecError, match="has 2 letters, 'on' names 1 qubit"):
        qismc.check(flipped(), "AG (leaf -> (p on q[1]))", props={"p": "|01>"}, numbers=engine)


@pytest.mark.parametrize("options", [{"props": {"p": "|01>"}}, {"props": {"p": "sp(leaf)"}}])
def test_on_all_qubits_in_order_changes_nothing(engine: str, options: dict[str, Any]) -> None:
    result = qismc.check(flipped(), "AG (leaf -> (p on q))", numbers=engine, **options)
    assert result.verdict is Verdict.HOLDS
