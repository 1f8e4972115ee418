"""Similar gates against Qiskit's matrices."""

from __future__ import annotations

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import CCXGate, CXGate, CZGate, HGate, RXXGate, RYGate, SGate, TGate, UGate, XGate
from qiskit.quantum_info import Operator

from qismc.edits.similar import inverse, other_axes, other_controls, other_signs, swapped_operands
from qismc.program.load import read_program
from qismc.program.products import dense
from qismc.program.statements import Apply


def applied(gate: object) -> Apply:
    circuit = QuantumCircuit(3)
    circuit.append(gate, range(gate.num_qubits))  # type: ignore[attr-defined]
    statement = read_program(circuit).code[0]
    assert isinstance(statement, Apply)
    return statement


def matrix(gate: Apply) -> np.ndarray:
    return np.asarray(dense(gate.operator.factors, gate.operator.width))


@pytest.mark.parametrize("gate", [SGate(), TGate(), UGate(0.3, 0.4, 0.5)])
def test_inverses(gate: object) -> None:
    (found,) = inverse(applied(gate))
    assert np.allclose(matrix(found), Operator(gate.inverse()).data)  # type: ignore[attr-defined]


@pytest.mark.parametrize("gate", [XGate(), HGate(), CXGate(), CZGate()])
def test_what_undoes_itself_has_no_other_inverse(gate: object) -> None:
    assert list(inverse(applied(gate))) == []


def test_axes() -> None:
    names = {found.operator.name for found in other_axes(applied(RYGate(0.3)))}
    assert names == {"rx", "rz"}
    assert {found.operator.angles for found in other_axes(applied(RXXGate(0.3)))} == {(0.3,)}


def test_signs() -> None:
    found = [gate.operator.angles for gate in other_signs(applied(UGate(0.3, 0, 0.5)))]
    assert found == [(-0.3, 0, 0.5), (0.3, 0, -0.5)]
    (turned,) = other_signs(applied(RYGate(0.3)))
    assert np.allclose(matrix(turned), Operator(RYGate(-0.3)).data)


def test_controls() -> None:
    first, second = other_controls(applied(CCXGate()))
    assert np.allclose(matrix(first), Operator(CCXGate(ctrl_state="10")).data)
    assert np.allclose(matrix(second), Operator(CCXGate(ctrl_state="01")).data)
    assert first.operator.name == "negctrl @ ctrl @ x"
    (back,) = other_controls(applied(CXGate(ctrl_state=0)))
    assert back.operator.name == "cx"


def test_operands_are_swapped_where_that_matters() -> None:
    assert [gate.qubits for gate in swapped_operands(applied(CXGate()))] == [(1, 0)]
    assert list(swapped_operands(applied(CZGate()))) == []
    assert [gate.qubits for gate in swapped_operands(applied(CCXGate()))] == [(2, 1, 0), (0, 2, 1)]
