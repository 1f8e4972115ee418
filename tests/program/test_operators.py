from __future__ import annotations

import numpy as np

from qismc.program.operators import PROJECT, RESET, Base, Factor, Operator, single

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
