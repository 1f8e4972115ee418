"""Observables as text and as Qiskit's objects."""

from __future__ import annotations

import pytest
from qiskit.quantum_info import Pauli, SparsePauliOp

from qismc import QuantumCircuit, SpecError
from qismc.probability.observable import Estimate, PauliTerm, read_observable
from qismc.program import read_program
from qismc.propositions.resolving import Scope

SCOPE = Scope(read_program(QuantumCircuit(2)))


def test_sums() -> None:
    found = read_observable("0.5 ZZ on q[1], q[0] - 1/4*XI +2e1 Y on q[1]", SCOPE)
    assert found.terms == (
        PauliTerm(0.5, "ZZ", (1, 0)),
        PauliTerm(-0.25, "XI", (0, 1)),
        PauliTerm(20.0, "Y", (1,)),
    )
    assert found.norm == 20.75
    assert [a.qubits for a in found.terms[1].applications] == [(0,)]


def test_registers_and_qiskit() -> None:
    assert read_observable("XY on q", SCOPE).terms == (PauliTerm(1.0, "XY", (0, 1)),)
    assert read_observable(Pauli("YX"), SCOPE).terms == (PauliTerm(1.0, "XY", (0, 1)),)
    assert read_observable(SparsePauliOp(["IZ"], [0.5]), SCOPE).terms == (PauliTerm(0.5, "ZI", (0, 1)),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("ZA", "no Pauli string"),
        ("ZZZ", "3 letters for 2 qubits"),
        ("Z on q", "1 letter for 2 qubits"),
        ("ZZ XX", "no Pauli string"),
        ("Z on q[0], 7", "'7' is no qubit"),
        ("Z on q[5]", "out of range"),
        ("Z on r[0]", "unknown quantum register"),
        (SparsePauliOp(["IZ"], [1j]), "real coefficients"),
        (SparsePauliOp(["Z"]), "1 letter for 2 qubits"),
        (3, "int is no observable"),
    ],
)
def test_errors(text: object, words: str) -> None:
    with pytest.raises(SpecError, match=words):
        read_observable(text, SCOPE)


def test_estimates_are_numbers_with_errors() -> None:
    assert Estimate(0.5, 1e-9) == 0.5 and Estimate(0.5, 1e-9).error == 1e-9
