"""Every standard gate of Qiskit against Qiskit's own matrix."""

from __future__ import annotations

import numpy as np
import pytest
from qiskit.circuit.library import C3XGate, get_standard_gate_name_mapping

from qismc.program.standard import STANDARD, standard_operator

from .executor import matrix_of

GATES = {name: g for name, g in get_standard_gate_name_mapping().items() if hasattr(g, "to_matrix")}
GATES["mcx"] = C3XGate()  # a standard gate that the mapping leaves out
ANGLES = (0.3, -1.1, 2.5, 0.7)


def test_the_table_covers_qiskit() -> None:
    assert set(GATES) - {"delay", "measure", "reset"} == set(STANDARD)


@pytest.mark.parametrize("name", sorted(STANDARD))
def test_matrix(name: str) -> None:
    angles = ANGLES[: STANDARD[name][1]]
    operator = standard_operator(name, angles)
    expected = type(GATES[name])(*angles) if angles else GATES[name]
    assert operator.width == expected.num_qubits
    np.testing.assert_allclose(matrix_of(operator), expected.to_matrix(), atol=1e-12)


@pytest.mark.parametrize("name", sorted(STANDARD))
def test_adjoint(name: str) -> None:
    operator = standard_operator(name, ANGLES[: STANDARD[name][1]])
    np.testing.assert_allclose(matrix_of(operator.adjoint), matrix_of(operator).conj().T, atol=1e-12)


def test_the_number_of_angles_is_checked() -> None:
    with pytest.raises(ValueError, match="'rx' takes 1 angles, not 2"):
        standard_operator("rx", (0.1, 0.2))
