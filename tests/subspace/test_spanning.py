"""What is said where a start has too many states to be spelled out."""

from __future__ import annotations

import pytest

import qismc
from qismc import QuantumCircuit, Verdict


def copied(count: int) -> QuantumCircuit:
    circuit = QuantumCircuit(2 * count + 1)
    for k in range(count):
        circuit.cx(k, count + k)
    circuit.t(0)
    return circuit


@pytest.mark.parametrize("wanted", [0, 1])
def test_a_start_that_leaves_qubits_free(wanted: int) -> None:
    circuit, formula = copied(12), f"AG (leaf -> |{wanted}> on q[24])"
    full = qismc.check(circuit, formula, init="full on q[0:12]", engine="exact")
    assert full.verdict is Verdict.UNKNOWN and full.reason is not None
    assert full.reason.startswith("form: init has no small spanning set") and "'any on ...'" in full.reason
    every = qismc.check(circuit, formula, init="any on q[0:12]", engine="exact")
    assert every.verdict is (Verdict.VIOLATED if wanted else Verdict.HOLDS)


def test_a_start_that_speaks_of_all_qubits_needs_kets() -> None:
    circuit = copied(12)
    strings = ", ".join("I" * k + "ZZ" + "I" * (23 - k) for k in range(24))
    result = qismc.check(circuit, "AG |0> on q[24]", init=f"stab({strings})", engine="exact")
    assert result.verdict is Verdict.UNKNOWN and "any on" not in str(result.reason)
