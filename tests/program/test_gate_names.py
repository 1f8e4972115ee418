from __future__ import annotations

import numpy as np
import pytest
from qiskit.circuit.library import (
    C4XGate,
    CSwapGate,
    CSXGate,
    MCPhaseGate,
    MCXGate,
    RGate,
    RYGate,
    SXdgGate,
    iSwapGate,
)
from qiskit.quantum_info import Operator

from qismc.program.gate_names import known_names, named_gate, signature

from .executor import matrix_of

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
def test_matrix(case: tuple[str, tuple[float, ...], int]) -> None:
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
