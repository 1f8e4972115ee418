from __future__ import annotations

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator as QiskitOperator

from qismc.errors import ProgramError
from qismc.program import operators
from qismc.program.gates import Base
from qismc.program.operators import (
    PROJECT,
    RESET,
    Factor,
    Operator,
    compose,
    control_values,
    controlled,
    dense,
    inverse,
    power,
    single,
)
from qismc.program.standard import standard_operator

from .executor import matrix_of


def test_factors_are_renamed() -> None:
    factor = Factor(Base("x"), (2,), ((0, 1), (1, 0)))
    assert factor.on((7, 5, 3)) == Factor(Base("x"), (3,), ((7, 1), (5, 0)))


def test_the_adjoint_reverses_the_product() -> None:
    operator = Operator("g", 2, (Factor(Base("h"), (0,)), Factor(Base("s"), (1,), ((0, 1),))))
    np.testing.assert_allclose(matrix_of(operator.adjoint), matrix_of(operator).conj().T, atol=1e-12)


def test_measurement_and_reset_are_complete() -> None:
    for family in (PROJECT, RESET):
        total = sum(matrix_of(k).conj().T @ matrix_of(k) for k in family)
        np.testing.assert_allclose(total, np.eye(2))
        assert not any(k.unitary for k in family)


def test_identity() -> None:
    assert Operator("id", 0, ()).is_identity and not single("x", 1).is_identity


def test_labels_do_not_distinguish() -> None:
    assert Operator("g", 1, (), label="a") == Operator("g", 1, (), label="b")


def bell() -> tuple[operators.Factors, QuantumCircuit]:
    """The same circuit as factors and in Qiskit."""
    parts = [
        (standard_operator("h"), (1,)),
        (standard_operator("cx"), (1, 0)),
        (standard_operator("t"), (0,)),
    ]
    circuit = QuantumCircuit(2)
    circuit.h(1)
    circuit.cx(1, 0)
    circuit.t(0)
    return compose(parts, "bell", None), circuit


def test_compose_keeps_the_order() -> None:
    factors, circuit = bell()
    np.testing.assert_allclose(dense(factors, 2), QiskitOperator(circuit).data, atol=1e-12)


def test_inverse() -> None:
    factors, circuit = bell()
    np.testing.assert_allclose(dense(inverse(factors), 2), QiskitOperator(circuit.inverse()).data, atol=1e-12)


@pytest.mark.parametrize("state", range(4))
def test_controls_come_first(state: int) -> None:
    factors, circuit = bell()
    gate = circuit.to_gate().control(2, ctrl_state=state, annotated=False)
    ours = dense(controlled(factors, control_values(2, state)), 4)
    np.testing.assert_allclose(ours, QiskitOperator(gate).data, atol=1e-12)


@pytest.mark.parametrize("exponent", [0, 3, -2, 0.5, -0.25])
def test_power(exponent: float) -> None:
    factors, circuit = bell()
    expected = QiskitOperator(circuit).power(exponent).data
    np.testing.assert_allclose(dense(power(factors, 2, exponent, "g", None), 2), expected, atol=1e-10)


def test_expansion_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operators, "MAX_FACTORS", 3)
    parts = [(Operator("g", 2, bell()[0]), (0, 1))] * 2
    with pytest.raises(ProgramError, match="'bomb' expands to more than 3 elementary gates"):
        compose(parts, "bomb", None)
