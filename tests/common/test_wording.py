"""Numbers with their nouns."""

from __future__ import annotations

import pytest

import qismc
from qismc import QuantumCircuit
from qismc.common.wording import chance_text, counted


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 edges"), (1, "1 edge"), (2, "2 edges"), (11, "11 edges")]
)
def test_only_one_is_singular(number: int, text: str) -> None:
    assert counted(number, "edge") == text


@pytest.mark.parametrize(
    ("chance", "text"), [(1.0, "1"), (2 / 3, "0.6667"), (1e-299, "1e-299"), (5e-324, "below 1e-300")]
)
def test_chances_outside_of_floating_point(chance: float, text: str) -> None:
    assert chance_text(chance) == text


def test_reports_speak_of_one_qubit() -> None:
    circuit = QuantumCircuit(1)
    circuit.x(0)
    result = qismc.check(circuit, "AG (leaf -> |1>)")
    for text in (str(result), result._repr_html_()):
        assert "1 qubit, 1 gate, 2 locations" in text
    assert repr(qismc.Model(circuit).sp("leaf")) == "<Subspace of dimension 1 over 1 qubit>"
