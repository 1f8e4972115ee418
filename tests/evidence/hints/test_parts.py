"""Which part of a proposition fails."""

from __future__ import annotations

import pytest

import qismc
from qismc import QuantumCircuit


def parts(circuit: QuantumCircuit, formula: str, engine: str) -> list[str]:
    result = qismc.check(circuit, formula, engine=engine)
    assert result.counterexample is not None
    return [hint.text for hint in result.counterexample.hints if hint.kind == "part"]


def flipped() -> QuantumCircuit:
    """(|00> + |11>)|0> with a flip of the second qubit."""
    circuit = QuantumCircuit(3)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.x(1)
    return circuit


def test_generators(engine: str) -> None:
    found = parts(flipped(), "AG (leaf -> stab(XXI, ZZI, IIZ))", engine)
    assert found == ["1 of 3 generators fail: ZZI (expectation -1)"]
    found = parts(flipped(), "AG (leaf -> stab(XX, -ZZ) on q[1], q[2])", engine)
    assert found == ["2 of 2 generators on q[1], q[2] fail: XX (expectation 0), -ZZ (expectation 0)"]


def test_sides_of_a_meet(engine: str) -> None:
    formula = "AG (leaf -> (|00> + |11> on q[0], q[1]) /\\ (|0> on q[2]))"
    assert parts(flipped(), formula, engine) == ["1 of 2 sides of the meet fail: |00> + |11> on q[0], q[1]"]


def test_letters_of_a_ket(engine: str) -> None:
    circuit = QuantumCircuit(3)
    circuit.h(0)
    circuit.x(2)
    assert parts(circuit, "AG (leaf -> |+00>)", engine) == [
        "1 of 3 qubits fail: q[2] should be |0> and is |1>"
    ]


@pytest.mark.parametrize("formula", ["AG (leaf -> |0> on q[1])", "AG (leaf -> ~(|01> + |10>) on q[0], q[1])"])
def test_nothing_is_said_where_there_are_no_parts(formula: str, engine: str) -> None:
    assert parts(flipped(), formula, engine) == []


def test_more_qubits_than_dense_arrays_have() -> None:
    circuit = QuantumCircuit(30)
    circuit.x(17)
    found = parts(circuit, f"AG (leaf -> |{'0' * 30}>)", "exact")
    assert found == ["1 of 30 qubits fail: q[17] should be |0> and is |1>"]


def test_factors_of_a_span() -> None:
    """Small states are plain arrays, whatever engine decides."""
    pair = "q[0], q[1] should be in span(|00>, |11>) and is sqrt(1/2)|01> + sqrt(1/2)|10>"
    found = parts(flipped(), "AG (leaf -> span(|000>, |110>))", "auto")
    assert found == [f"1 of 2 factors of the span fail: {pair}"]
    found = parts(flipped(), "AG (leaf -> span(|000>, |110>, |001>, |111>))", "auto")
    assert found == [f"the span speaks of some qubits only: {pair}"]
    found = parts(flipped(), "AG (leaf -> span(|10>, |11>) on q[2], q[1])", "auto")
    assert found == ["the span speaks of some qubits only: q[2] should be |1> and is |0>"]
    found = parts(flipped(), "AG (leaf -> span(|00>, |11>) on q[0], q[2])", "auto")
    assert found == ["the part outside of span(|00>, |11>) is |10>, squared length 0.5"]
