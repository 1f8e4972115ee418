"""The case studies of the paper, against state vectors and the theory of Bell measurements."""

from __future__ import annotations

from math import isclose

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Pauli, Statevector

from .loading import example
from .running import executed


def states(circuit: QuantumCircuit, mark: str, at: int) -> list[Statevector]:
    """The states at the mark from |0...0> and from a 1 at one qubit."""
    return [executed(_until(circuit, mark, flipped), seed=0).vector for flipped in ([], [at])]


def _until(circuit: QuantumCircuit, mark: str, flipped: list[int]) -> QuantumCircuit:
    """The gates before the mark, after some flips."""
    before = circuit.copy_empty_like()
    for qubit in flipped:
        before.x(qubit)
    for instruction in circuit.data:
        if instruction.operation.name == "barrier" and instruction.operation.label == mark:
            return before
        before.append(instruction)
    raise AssertionError(mark)


@pytest.mark.parametrize(("name", "code", "stays"), [("five", "FIVE", False), ("steane", "STEANE", True)])
def test_the_secret_stays_in_the_code_of_a_css_code_alone(name: str, code: str, stays: bool) -> None:
    sharing = example("paper/secret_sharing")
    circuit, (checks, start, _) = sharing[name](), sharing[code]
    size = len(checks[0])
    for mark, expected in (("enc", True), ("sent", stays)):
        for state in states(circuit, mark, start):
            values = [state.expectation_value(Pauli(check[::-1]), list(range(size))) for check in checks]
            assert np.allclose(values, 1) == expected
    rows = [state.data.reshape(2**size, 2**size) for state in states(circuit, "enc", start)]
    assert np.linalg.matrix_rank(np.vstack(rows), tol=1e-9) == 2  # C is sp(enc) on the secret


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


def test_executions_of_the_factory() -> None:
    factory = example("paper/bernoulli_factory")
    honest, faulty = (
        [executed(factory[name](), seed).store for seed in range(40)] for name in factory["EXPECTED"]
    )
    assert {run["res"] for run in honest} == {0b01, 0b10} and {run["res"] for run in faulty} == {0b01}
    assert all(run["midBits"] in (0b01, 0b10) for run in honest + faulty)
