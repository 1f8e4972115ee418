"""Composite gates against Qiskit's own matrices."""

from __future__ import annotations

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import AnnotatedOperation, ControlledGate, Gate, Instruction, Reset
from qiskit.circuit.annotated_operation import ControlModifier, InverseModifier, PowerModifier
from qiskit.circuit.library import (
    CUGate,
    DiagonalGate,
    HGate,
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
from qiskit.quantum_info import Operator, SparsePauliOp, random_clifford, random_statevector, random_unitary

from qismc.errors import ProgramError, UnsupportedError
from qismc.program.composite import gate_operator, is_unitary_operation, kraus_operators
from qismc.program.operators import Operator as Ours
from qismc.program.products import without_phase

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
    bare = without_phase(operator)
    assert len(bare.factors) < len(operator.factors)
    ratio = matrix_of(operator) @ matrix_of(bare).conj().T
    np.testing.assert_allclose(ratio, ratio[0, 0] * np.eye(4), atol=1e-12)
    phased = gate_operator(custom().control(1, annotated=False), None)
    np.testing.assert_allclose(matrix_of(without_phase(phased)), matrix_of(phased))


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
