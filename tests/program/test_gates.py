from __future__ import annotations

import numpy as np
import pytest

from qismc.common.scalars import COMPLEX
from qismc.program.gates import FORMULAS, Base, are_unitary, base_matrix

ANGLES = (0.4, -0.9, 1.3)


def matrix(base: Base) -> np.ndarray:
    return np.array(base_matrix(base, COMPLEX), dtype=complex)


@pytest.mark.parametrize("name", sorted(FORMULAS))
def test_adjoint_and_width(name: str) -> None:
    base = Base(name, ANGLES[: FORMULAS[name][1]])
    np.testing.assert_allclose(matrix(base.adjoint), matrix(base).conj().T, atol=1e-12)
    assert len(matrix(base)) == 1 << FORMULAS[name][0]
    unit = np.eye(len(matrix(base)))
    assert are_unitary([base]) == np.allclose(matrix(base) @ matrix(base).conj().T, unit)


def test_literal_matrices() -> None:
    base = Base("literal", (), ((1, 2j), (3, 4)))
    assert not are_unitary([base])
    np.testing.assert_allclose(matrix(base.adjoint), [[1, 3], [-2j, 4]])
