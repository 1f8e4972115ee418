"""Matrices that are no gates, no channels and no states."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from qiskit.circuit import Gate, Instruction
from qiskit.circuit.library import DiagonalGate, Initialize, UnitaryGate
from qiskit.quantum_info import Kraus, Operator

import qismc
from qismc.errors import ProgramError


class Given(Gate):  # type: ignore[misc]
    """A gate by its array alone."""

    def __init__(self, matrix: Any, width: int = 1) -> None:
        super().__init__("given", width, [])
        self.matrix = matrix

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        if isinstance(self.matrix, Exception):
            raise self.matrix
        return np.asarray(self.matrix)


def message(instruction: Any) -> str:
    """The complaint about a circuit with this instruction, which must name its line."""
    circuit = qismc.QuantumCircuit(instruction.num_qubits)
    circuit.append(instruction, list(range(instruction.num_qubits)))
    with pytest.raises(ProgramError) as caught:
        qismc.check(circuit, "AF leaf")
    assert caught.value.source is not None and caught.value.source.file == __file__
    return str(caught.value)


def unchecked(matrix: Any) -> UnitaryGate:
    return UnitaryGate(np.array(matrix, dtype=complex), check_input=False)


def mutated(gate: Any, entries: list[complex]) -> Any:
    gate.params = entries
    return gate


@pytest.mark.parametrize(
    ("gate", "complaint"),
    [
        (unchecked([[0, 0], [0, 0]]), "'unitary' is not unitary"),
        (unchecked([[1, 1], [0, 1]]), "'unitary' is not unitary"),
        (unchecked([[1, 0], [0, 1.001]]), "'unitary' is not unitary"),
        (unchecked([[1, 0], [0, np.nan]]), "not finite"),
        (unchecked(np.diag([1, 1, 1, 0])).control(1, annotated=True), "not unitary"),
        (Given([[2, 0], [0, 1]]), "'given' is not unitary"),
        (Given([[1, 0], [0, 1]], width=2), "2 x 2 matrix; on 2 qubits it must be 4 x 4"),
        (Given([1, 0]), "must be 2 x 2"),
        (Given([["a", 0], [0, 1]]), "gate 'given'"),
        (Given(ValueError("no idea")), "gives no matrix: no idea"),
    ],
)
def test_gates(gate: Gate, complaint: str) -> None:
    assert complaint in message(gate)


def test_diagonals_that_were_changed_after_the_check() -> None:
    assert "'diagonal' is not unitary" in message(mutated(DiagonalGate([1, -1]), [1, 2]))


def test_states_that_were_changed_after_the_check() -> None:
    assert "norm 0, not 1" in message(mutated(Initialize([1, 0]), [0, 0]))
    assert "norm 5, not 1" in message(mutated(Initialize([1, 0]), [3, 4]))


@pytest.mark.parametrize(
    ("family", "complaint"),
    [
        ([np.zeros((2, 2))], "not trace preserving"),
        ([np.diag([1, 0])], "not trace preserving"),
        ([np.eye(2), np.eye(2)], "not trace preserving"),
        ([], "not trace preserving"),
        ([np.eye(4)], "4 x 4 matrix"),
        ([np.full((2, 2), np.inf)], "not finite"),
    ],
)
def test_channels(family: list[Any], complaint: str) -> None:
    assert complaint in message(Instruction("kraus", 1, 0, family))


def test_what_qiskit_accepts_is_accepted() -> None:
    """Six digits of 1/sqrt(2), a channel, an Operator object, a row of Kraus operators."""
    circuit = qismc.QuantumCircuit(1)
    circuit.append(UnitaryGate(np.array([[1, 1], [1, -1]]) * 0.707107), [0])
    circuit.append(Operator([[0, 1], [1, 0]]), [0])
    circuit.append(Kraus([np.diag([1, np.sqrt(0.5)]), np.array([[0, np.sqrt(0.5)], [0, 0]])]), [0])
    circuit.initialize([0.6, 0.8], 0)
    circuit.append(Given([[0, 1j], [1j, 0]]), [0])
    assert qismc.check(circuit, "AG (leaf -> 0.8 |0> + 0.6 |1>)")
