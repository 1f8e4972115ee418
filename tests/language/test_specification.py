"""Names of formulas."""

from __future__ import annotations

import pytest

import qismc
from qismc import QuantumCircuit


def names(spec: object) -> dict[str, str]:
    result = qismc.check(QuantumCircuit(2), spec)
    return {answer.name: answer.spec for answer in result}


def test_names_in_texts() -> None:
    assert names("AF leaf") == {"spec": "AF leaf"}
    assert names("ends: AF leaf") == {"ends": "AF leaf"}
    assert names(["ends: AF leaf", "EF leaf"]) == {"ends": "AF leaf", "spec2": "EF leaf"}
    assert names("AG (|00> on q[0:2])") == {"spec": "AG (|00> on q[0:2])"}
    assert names({"a": "AF leaf"}) == {"a": "AF leaf"}


def test_names_are_different() -> None:
    with pytest.raises(qismc.SpecError, match="two formulas are called 'a'"):
        names(["a: AF leaf", "a: EF leaf"])
