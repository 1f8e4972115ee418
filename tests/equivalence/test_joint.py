"""Two programs on the same qubits."""

from __future__ import annotations

from pathlib import Path

import pytest
import qiskit
from qiskit import ClassicalRegister, QuantumRegister
from qiskit.circuit.classical import expr, types

import qismc
from qismc import QuantumCircuit, UsageError, Verdict


def swapped(*, where: int) -> QuantumCircuit:
    """A bit that says what was measured, and the input on another qubit."""
    circuit = QuantumCircuit(QuantumRegister(3, "q"), ClassicalRegister(1, "c"))
    circuit.h(2)
    circuit.measure(2, 0)
    circuit.swap(0, where)
    return circuit


@pytest.mark.parametrize("where", [1, 2])
def test_results_on_other_qubits(where: int) -> None:
    assert qismc.equivalent(swapped(where=where), swapped(where=where), on=[0], to=[where])
    crossed = qismc.equivalent(swapped(where=1), swapped(where=2), on=[0], to=[1])
    assert crossed.verdict is Verdict.VIOLATED


def test_the_same_names_on_other_qubits() -> None:
    message, helper, seen = QuantumRegister(1, "q"), QuantumRegister(1, "helper"), ClassicalRegister(1, "c")
    own, reference = QuantumCircuit(helper, message, seen), QuantumCircuit(message, helper, seen)
    for circuit in (own, reference):
        circuit.h(helper)
        circuit.measure(helper, seen)
    assert qismc.equivalent(own, reference, on="q")
    own.z(message)
    assert qismc.equivalent(own, reference, on="q").verdict is Verdict.VIOLATED


def test_results_are_compared_by_their_order() -> None:
    """Three qubits go round; the reference measures the same ones where they were."""
    own, reference = QuantumCircuit(3, 1), QuantumCircuit(3, 1)
    reference.measure(2, 0)
    reference.h(0)
    own.measure(2, 0)
    own.h(0)
    own.swap(0, 1)
    own.swap(1, 2)  # 0 -> 1 -> 2, 1 -> 0, 2 -> 1
    assert qismc.equivalent(own, reference, on=[0, 1, 2], to=[2, 0, 1])
    assert not qismc.equivalent(own, reference, on=[0, 1, 2], to=[2, 1, 0])


def test_helpers_of_one_side_alone() -> None:
    """The parity of two qubits, by a helper or by gates that are undone."""
    own = QuantumCircuit(QuantumRegister(2, "q"), QuantumRegister(2, "helper"), ClassicalRegister(1, "c"))
    own.cx(0, 3)
    own.cx(1, 3)
    own.measure(3, 0)
    plain = QuantumCircuit(QuantumRegister(2, "q"), ClassicalRegister(1, "c"))
    plain.cx(0, 1)
    plain.measure(1, 0)
    plain.cx(0, 1)
    assert qismc.equivalent(own, plain, on="q")
    own.cx(0, 2)  # a helper that knows the first qubit
    assert qismc.equivalent(own, plain, on="q").verdict is Verdict.VIOLATED


def test_stores_that_start_with_other_values() -> None:
    """A variable with a value, on one side only."""
    own, reference = qiskit.QuantumCircuit(1, 1), qiskit.QuantumCircuit(1, 1)
    wanted = own.add_var("wanted", expr.lift(1, types.Uint(4)))
    own.measure(0, 0)
    with own.if_test(expr.equal(wanted, 1)):
        own.x(0)
    reference.measure(0, 0)
    reference.x(0)
    assert qismc.equivalent(own, reference)
    with pytest.raises(UsageError, match="'wanted' of 4 bits, the program has none"):
        qismc.equivalent(reference, own)


def test_qasm_variables_with_values(tmp_path: Path) -> None:
    first = tmp_path / "first.qasm"
    first.write_text(
        'OPENQASM 3.0; include "stdgates.inc"; qubit q; bit c; int[3] n = 2;\n'
        "c = measure q; if (n == 2) { x q; }\n"
    )
    second = tmp_path / "second.qasm"
    second.write_text(
        'OPENQASM 3.0; include "stdgates.inc"; qubit q; bit c; int[3] n = 2;\nc = measure q; x q;\n'
    )
    assert qismc.equivalent(str(first), str(second))
    second.write_text(second.read_text().replace("n = 2", "n = 3"))
    assert "n = " in qismc.equivalent(str(first), str(second)).notes[0]
