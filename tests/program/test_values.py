"""Stores as users see them."""

from __future__ import annotations

import pickle

import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from qismc.program import read_program
from qismc.program.program import Program
from qismc.program.values import Values


def program() -> Program:
    return read_program(
        QuantumCircuit(QuantumRegister(1, "q"), ClassicalRegister(2, "c"), ClassicalRegister(1, "d"))
    )


def test_values_are_a_mapping() -> None:
    values = Values(program(), 0b110)
    assert dict(values) == {"c": 2, "d": 1}
    assert values == {"c": 2, "d": 1}
    assert values != {"c": 2, "d": 0}
    assert len(values) == 2
    assert repr(values) == "{'c': 2, 'd': 1}"
    with pytest.raises(KeyError):
        values["e"]


def test_values_of_the_same_store_are_equal() -> None:
    shared = program()
    assert Values(shared, 5) == Values(shared, 5)
    assert hash(Values(shared, 5)) == hash(Values(shared, 5))
    assert Values(shared, 5) != Values(shared, 4)
    assert pickle.loads(pickle.dumps(Values(shared, 5))) == Values(shared, 5)
