"""Every standard gate of Qiskit against Qiskit's own matrix."""

from __future__ import annotations

import numpy as np
import pytest
from qiskit.circuit.library import (
    C3XGate,
    C4XGate,
    CSwapGate,
    CSXGate,
    MCPhaseGate,
    MCXGate,
    RGate,
    RYGate,
    SXdgGate,
    get_standard_gate_name_mapping,
    iSwapGate,
)
from qiskit.quantum_info import Operator

from qismc.program.standard import STANDARD, known_names, named_gate, signature, standard_operator

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


CASES = {
    ("cnot", (), 2): MCXGate(1),
    ("toffoli", (), 3): MCXGate(2),
    ("fredkin", (), 3): CSwapGate(),
    ("mcx", (), 5): MCXGate(4),
    ("c4x", (), 5): C4XGate(),
    ("mcphase", (0.3,), 4): MCPhaseGate(0.3, 3),
    ("mcry", (0.3,), 3): RYGate(0.3).control(2, annotated=False),
    ("cv", (), 2): CSXGate(),
    ("cvdg", (), 2): SXdgGate().control(1, annotated=False),
    ("prx", (0.3, 0.4), 1): RGate(0.3, 0.4),
    ("iswapdg", (), 2): iSwapGate().inverse(),
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_matrix_of_gate_names(case: tuple[str, tuple[float, ...], int]) -> None:
    np.testing.assert_allclose(matrix_of(named_gate(*case)), Operator(CASES[case]).data, atol=1e-12)


@pytest.mark.parametrize("name", sorted(known_names()))
def test_every_known_name_can_be_built(name: str) -> None:
    found = signature(name, 4)
    assert found is not None
    angles, width = found
    matrix = matrix_of(named_gate(name, (0.2,) * angles, width))
    np.testing.assert_allclose(matrix @ matrix.conj().T, np.eye(1 << width), atol=1e-12)


def test_unknown_names() -> None:
    assert signature("nonsense", 2) is None
    assert signature("global_phase", 0) is None
