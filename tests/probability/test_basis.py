"""Bases of arrays and of trains, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from qismc.engines.dense import DenseEngine
from qismc.limits import Budget, Limits
from qismc.probability.basis import ArrayBasis, Basis, basis


@pytest.mark.parametrize("kind", [Basis, ArrayBasis])
def test_coefficients_and_rests(kind: type[Basis]) -> None:
    engine = DenseEngine(3, Budget(Limits()))
    random = np.random.default_rng(0)
    numbers = random.normal(size=(8, 8)) + 1j * random.normal(size=(8, 8))
    units = np.linalg.qr(numbers)[0].T[:5]
    found = ArrayBasis(engine, 6) if kind is ArrayBasis else Basis(engine)
    for count, unit in enumerate(units):
        vector = numbers[count]
        expected = units[:count].conj() @ vector
        assert np.allclose(found.coefficients(vector), expected, atol=1e-14)
        rest = found.without(vector, found.coefficients(vector))
        assert np.allclose(rest, vector - units[:count].T @ expected, atol=1e-14)
        found.append(unit)
    assert np.array_equal(np.array(found.vectors), units)


def test_arrays_are_kept_together() -> None:
    assert isinstance(basis(DenseEngine(2, Budget(Limits())), 3), ArrayBasis)
