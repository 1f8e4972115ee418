"""Composite gates against Qiskit's own matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import AnnotatedOperation, ControlledGate, Gate, Instruction, Reset
from qiskit.circuit.annotated_operation import ControlModifier, InverseModifier, PowerModifier
from qiskit.circuit.library import (
    CUGate,
    DiagonalGate,
    HGate,
    Initialize,
    LinearFunction,
    MCMTGate,
    MCPhaseGate,
    MCXGate,
    PauliEvolutionGate,
    PauliGate,
    PermutationGate,
    QFTGate,
    RXGate,
    RZGate,
    StatePreparation,
    SwapGate,
    UnitaryGate,
    XGate,
    ZGate,
)
from qiskit.quantum_info import (
    Kraus,
    Operator,
    SparsePauliOp,
    random_clifford,
    random_statevector,
    random_unitary,
)

import qismc
from qismc.errors import ProgramError, UnsupportedError
from qismc.program.composite import gate_operator, is_unitary_operation, kraus_operators
from qismc.program.operators import Operator as Ours

from .executor import matrix_of


def custom(phase: float = 0.3) -> Gate:
    """A gate by definition, with a global phase and an inner custom gate."""
    inner = QuantumCircuit(1, name="inner", global_phase=0.2)
    inner.t(0)
    circuit = QuantumCircuit(2, name="custom", global_phase=phase)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.append(inner.to_gate(), [1])
    return circuit.to_gate()


def annotated(*modifiers: object) -> AnnotatedOperation:
    return AnnotatedOperation(custom(), list(modifiers))


GATES = {
    "cx_o0": XGate().control(1, ctrl_state=0, annotated=False),
    "ccx_o1": XGate().control(2, ctrl_state=1, annotated=False),
    "cu": CUGate(0.1, 0.2, 0.3, 0.4),
    "cu_o0": CUGate(0.1, 0.2, 0.3, 0.4, ctrl_state=0),
    "ccu": CUGate(0.1, 0.2, 0.3, 0.4).control(1, annotated=False),
    "mcx": MCXGate(4, ctrl_state=5),
    "mcphase": MCPhaseGate(0.4, 3),
    "cch": HGate().control(2, annotated=False),
    "crx_o0": RXGate(0.3).control(2, ctrl_state=2, annotated=False),
    "mcrz": RZGate(0.3).control(3, annotated=False),
    "cswap_o0": SwapGate().control(1, ctrl_state=0, annotated=False),
    "custom": custom(),
    "custom inverse": custom().inverse(),
    "controlled custom": custom().control(2, ctrl_state=1, annotated=False),
    "power": custom().power(3),
    "root": custom().power(0.5),
    "annotated": annotated(InverseModifier(), ControlModifier(2, 1), PowerModifier(2)),
    "annotated root": annotated(PowerModifier(0.5), ControlModifier(1)),
    "annotated negative power": annotated(PowerModifier(-2)),
    "lazy": ZGate().control(2, annotated=True).inverse(annotated=True),
    "unitary": UnitaryGate(random_unitary(4, seed=1)),
    "controlled unitary": UnitaryGate(random_unitary(2, seed=2)).control(2, ctrl_state=2, annotated=False),
    "pauli": PauliGate("XIYZ"),
    "permutation": PermutationGate([2, 0, 3, 1]),
    "diagonal": DiagonalGate([1, -1, 1j, np.exp(0.3j)]),
    "clifford": random_clifford(3, seed=3),
    "linear": LinearFunction([[1, 1, 0], [0, 1, 0], [1, 0, 1]]),
    "qft": QFTGate(3),
    "mcmt": MCMTGate(ZGate(), 2, 2),
    "evolution": PauliEvolutionGate(SparsePauliOp(["XZ", "YX"], [0.3, 0.4]), time=0.7),
    "preparation": StatePreparation(random_statevector(4, seed=4)),
    "preparation inverse": StatePreparation(random_statevector(4, seed=5)).inverse(),
    "preparation by label": StatePreparation("0-r"),
    "preparation by number": StatePreparation(5, num_qubits=3),
}


@pytest.mark.parametrize("name", GATES)
def test_matrix(name: str) -> None:
    gate = GATES[name]
    assert is_unitary_operation(gate)
    operator = gate_operator(gate, None)
    np.testing.assert_allclose(matrix_of(operator), Operator(gate).data, atol=1e-9)
    np.testing.assert_allclose(matrix_of(operator.adjoint), Operator(gate).data.conj().T, atol=1e-9)


def test_an_evolution_is_the_product_formula_that_runs() -> None:
    gate = PauliEvolutionGate(SparsePauliOp(["XZ", "YI"], [0.3, 0.4]), time=0.7)
    np.testing.assert_allclose(
        matrix_of(gate_operator(gate, None)), Operator(gate.definition).data, atol=1e-9
    )


def test_many_controls_stay_small() -> None:
    (factor,) = gate_operator(MCXGate(40), None).factors
    assert factor.targets == (40,) and len(factor.controls) == 40


def test_phases_without_controls_may_be_dropped() -> None:
    operator = gate_operator(custom(), None)
    bare = operator.without_phase()
    assert len(bare.factors) < len(operator.factors)
    ratio = matrix_of(operator) @ matrix_of(bare).conj().T
    np.testing.assert_allclose(ratio, ratio[0, 0] * np.eye(4), atol=1e-12)
    phased = gate_operator(custom().control(1, annotated=False), None)
    np.testing.assert_allclose(matrix_of(phased.without_phase()), matrix_of(phased))


def test_gates_with_ancillas_go_by_their_definition() -> None:
    definition = QuantumCircuit(3)
    definition.cx(0, 2)
    gate = ControlledGate("odd", 3, [], num_ctrl_qubits=1, definition=definition, base_gate=XGate())
    np.testing.assert_allclose(matrix_of(gate_operator(gate, None)), Operator(definition).data)


def rejected(gate: object) -> str:
    with pytest.raises(ProgramError) as error:
        gate_operator(gate, None)
    return str(error.value)


def test_opaque_gate() -> None:
    assert "gate 'blob' is opaque" in rejected(Gate("blob", 2, []))


def test_a_definition_of_another_width() -> None:
    gate = Gate("wide", 1, [])
    gate.definition = QuantumCircuit(2)
    assert "gate 'wide' acts on 1 qubit, its definition on 2" in rejected(gate)


def test_large_matrix() -> None:
    assert "matrix on 7 qubits" in rejected(UnitaryGate(np.eye(128)))


def test_gate_that_contains_itself() -> None:
    gate = Gate("snake", 1, [])
    gate.definition = QuantumCircuit(1)
    gate.definition.append(gate, [0])
    assert "'snake' is nested more than" in rejected(gate)


def test_gate_that_is_not_unitary() -> None:
    gate = Gate("liar", 1, [])
    gate.definition = QuantumCircuit(1)
    gate.definition.reset(0)
    with pytest.raises(UnsupportedError, match="'liar' contains the instruction 'reset'"):
        gate_operator(gate, None)


def test_fractional_power_of_a_large_gate() -> None:
    large = AnnotatedOperation(QFTGate(7), [PowerModifier(0.5)])
    assert "fractional power of a gate on 7 qubits" in rejected(large)


def test_large_channel() -> None:
    channel = Instruction("kraus", 7, 0, [np.eye(128)])
    with pytest.raises(UnsupportedError, match="instruction 'kraus' acts on 7 qubits"):
        kraus_operators(channel, None)


def test_modifiers_on_what_is_no_gate() -> None:
    assert "modifiers on 'reset'" in rejected(AnnotatedOperation(Reset(), [InverseModifier()]))


def test_huge_power() -> None:
    assert "expands to more than" in rejected(AnnotatedOperation(XGate(), [PowerModifier(10**9)]))


def test_the_result_shows_name_angles_and_label() -> None:
    gate = RXGate(0.5, label="kick").control(1, ctrl_state=0, annotated=False)
    operator = gate_operator(gate, None)
    assert isinstance(operator, Ours)
    assert operator.name == "crx_o0" and operator.angles == (0.5,)
    assert gate_operator(PauliGate("XZ"), None).label == "pauli[XZ]"


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
