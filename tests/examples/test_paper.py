"""The case studies of the paper, against state vectors and the theory of Bell measurements."""

from __future__ import annotations

from math import isclose

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Pauli, Statevector, partial_trace

from .loading import example


def until(circuit: QuantumCircuit, mark: str) -> QuantumCircuit:
    """The gates before the mark."""
    before = circuit.copy_empty_like()
    for instruction in circuit.data:
        if instruction.operation.name == "barrier" and instruction.operation.label == mark:
            return before
        before.append(instruction)
    raise AssertionError(mark)


def states(circuit: QuantumCircuit, mark: str, at: int) -> list[Statevector]:
    """The states at the mark from |0...0> and from a 1 at one qubit."""
    starts = (Statevector.from_int(value, 2**circuit.num_qubits) for value in (0, 1 << at))
    return [start.evolve(until(circuit, mark)) for start in starts]


@pytest.mark.parametrize(("name", "code", "stays"), [("five", "FIVE", False), ("steane", "STEANE", True)])
def test_the_secret_stays_in_the_code_of_a_css_code_alone(name: str, code: str, stays: bool) -> None:
    sharing = example("paper/secret_sharing")
    circuit, (checks, start, _) = sharing[name](), sharing[code]
    size = len(checks[0])
    encoded = states(circuit, "enc", start)
    for mark, expected in (("enc", True), ("sent", stays)):
        for state in states(circuit, mark, start):
            shares = partial_trace(state, range(size, 2 * size))
            values = [shares.expectation_value(Pauli(check[::-1])) for check in checks]
            assert np.allclose(values, 1) == expected
    supports = [partial_trace(state, range(size, 2 * size)).data for state in encoded]
    assert np.linalg.matrix_rank(sum(supports), tol=1e-9) == 2 ** (size - len(checks))  # C is sp(enc)


def test_bell_outcomes_of_two_equal_coins() -> None:
    factory = example("paper/bernoulli_factory")
    toss = QuantumCircuit(2)
    toss.ry(factory["THETA"], [0, 1])
    toss.cx(0, 1)
    toss.h(0)
    chances = Statevector(toss).probabilities_dict(decimals=12)
    assert "11" not in chances
    assert isclose(chances["10"] / (1 - chances["00"]), factory["ANSWERS"]["factory"]["heads"], abs_tol=1e-9)


def test_the_fault_is_found_with_its_execution() -> None:
    result = example("paper/bernoulli_factory")["run"]()["faulty"]
    execution = result["final"].counterexample
    results = [step.store["res"] for step in execution.steps]
    assert execution.replayed and execution.steps[-1].labels == ("leaf",)
    assert 0b10 in results and results[-1] == 0b01
