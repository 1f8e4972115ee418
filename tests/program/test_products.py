from __future__ import annotations

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator as QiskitOperator

from qismc.errors import ProgramError
from qismc.program import products
from qismc.program.operators import Operator
from qismc.program.products import compose, control_values, controlled, dense, inverse, power
from qismc.program.standard import standard_operator


def bell() -> tuple[products.Factors, QuantumCircuit]:
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
    monkeypatch.setattr(products, "MAX_FACTORS", 3)
    parts = [(Operator("g", 2, bell()[0]), (0, 1))] * 2
    with pytest.raises(ProgramError, match="'bomb' expands to more than 3 elementary gates"):
        compose(parts, "bomb", None)
