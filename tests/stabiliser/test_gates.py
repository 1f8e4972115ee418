"""Clifford gates by their matrices, against Qiskit's own tables."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import Gate
from qiskit.circuit import library as gates
from qiskit.quantum_info import Clifford, random_clifford

from qismc.program import read_program
from qismc.program.operators import Operator
from qismc.program.statements import Apply
from qismc.stabiliser.gates import CliffordAction, Gates


def operator(gate: Gate | QuantumCircuit) -> Operator:
    circuit = QuantumCircuit(gate.num_qubits)
    circuit.append(gate, range(gate.num_qubits))
    statement = read_program(circuit).code[0]
    assert isinstance(statement, Apply)
    return statement.operator


def action(gate: Gate) -> CliffordAction | None:
    return Gates().action(operator(gate))


LITERAL = np.kron([[1, 1], [1, -1]], [[1, 0], [0, 1j]]) / np.sqrt(2)
CLIFFORD = [
    gates.HGate(), gates.SdgGate(), gates.SXGate(), gates.RZGate(pi / 2), gates.RXGate(-pi / 2),
    gates.PhaseGate(pi), gates.UGate(pi / 2, pi, pi / 2), gates.CXGate(ctrl_state=0), gates.CYGate(),
    gates.ECRGate(), gates.iSwapGate(), gates.DCXGate(), gates.RZZGate(pi / 2), gates.RZXGate(3 * pi / 2),
    gates.CPhaseGate(pi), gates.CUGate(pi, 0, pi, pi / 2), gates.CRZGate(pi), gates.UnitaryGate(LITERAL),
]  # fmt: skip
OTHERS = [
    gates.TGate(), gates.CHGate(), gates.CCXGate(), gates.CSGate(), gates.RZGate(0.3), gates.CRZGate(pi / 2),
    gates.RZGate(pi / 2 + 1e-8), gates.CPhaseGate(pi / 2), gates.RZZGate(pi / 4), gates.RZGate(pi / 2**35),
    gates.CPhaseGate(pi / 2**40),
]  # fmt: skip
PAULIS = [gates.XGate(), gates.RYGate(pi), gates.PauliGate("XYZ"), gates.PauliGate("XIYZI")]


@pytest.mark.parametrize("gate", CLIFFORD, ids=lambda gate: gate.name)
def test_images_are_those_of_qiskit(gate: Gate) -> None:
    found = action(gate)
    assert found is not None
    ((clifford, qubits),) = found.steps
    circuit = QuantumCircuit(gate.num_qubits)
    circuit.append(gate, range(gate.num_qubits))
    try:
        expected = Clifford(circuit)
    except Exception:
        expected = Clifford.from_matrix(gate.to_matrix())
    width = gate.num_qubits
    for k in range(2 * width):
        row = k // 2 + (width if k % 2 else 0)  # Qiskit: X of all qubits, then Z of all
        x, z = expected.tableau[row, :width], expected.tableau[row, width:-1]
        mask = sum(int(x[q]) << (2 * q) | int(z[q]) << (2 * q + 1) for q in range(width))
        assert clifford.images[k] == mask and (1 << k in clifford.monomials) == expected.tableau[row, -1]
    assert qubits == tuple(range(width))


@pytest.mark.parametrize("gate", OTHERS, ids=lambda gate: gate.name)
def test_others_are_refused(gate: Gate) -> None:
    assert action(gate) is None


@pytest.mark.parametrize(
    "gate", [gates.XGate(), gates.RYGate(pi), gates.PauliGate("XYZ"), gates.PauliGate("XIYZI")]
)
def test_paulis(gate: Gate) -> None:
    found = action(gate)
    assert found is not None and found.pauli is not None
    letters = {qubit: "_XZY"[letter] for qubit, letter in found.pauli}
    name = {"x": "X", "ry": "Y"}.get(gate.name) or gate.params[0]
    assert letters == {k: p for k, p in enumerate(name[::-1]) if p != "I"}


def test_wide_gates_factor_by_factor() -> None:
    wide = random_clifford(5, seed=2).to_circuit()
    found = action(wide.to_gate())
    assert found is not None and len(found.steps) > 1 and found.pauli is None


def test_two_t_gates_are_one_s_gate() -> None:
    twice = QuantumCircuit(1)
    twice.t(0)
    twice.t(0)
    assert action(twice.to_gate()) is not None
