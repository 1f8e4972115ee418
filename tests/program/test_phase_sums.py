"""Sums of phases are the matrices of the gates, whatever the angles."""

from __future__ import annotations

import cmath
import math
import random

import numpy as np
import pytest

from qismc.common.scalars import COMPLEX
from qismc.program.gates import FORMULAS, Base, base_matrix
from qismc.program.phase_sums import phase_matrix, place

TURNED = sorted(name for name, (_, angles, _) in FORMULAS.items() if angles)


@pytest.mark.parametrize("name", TURNED)
def test_matrices(name: str) -> None:
    angles = (0.4, 1.9, 1.3)[: FORMULAS[name][1]]
    shape = phase_matrix(name)
    phases = [cmath.exp(1j * angle * top / bottom) for angle, top, bottom in shape.parts(angles)]
    products = [
        math.prod((phases[k] if k >= 0 else phases[~k].conjugate() for k in each), start=1 + 0j)
        for each in shape.products
    ]
    numbers = [complex(*number) for number in shape.coefficients]
    sums = [sum(numbers[c] * products[k] for c, k in terms) for terms in shape.sums]
    matrix = np.array([sums[k] for k in shape.entries])
    expected = np.array(base_matrix(Base(name, angles), COMPLEX))
    np.testing.assert_allclose(matrix.reshape(expected.shape), expected, atol=1e-12)


@pytest.mark.parametrize("name", TURNED)
def test_nothing_is_listed_that_does_not_occur(name: str) -> None:
    shape = phase_matrix(name)
    assert {place(k) for each in shape.products for k in each} == set(range(len(shape.phases)))
    assert {k for terms in shape.sums for _, k in terms} == set(range(len(shape.products)))
    assert set(shape.entries) == set(range(len(shape.sums)))
    assert all(top > 0 for _, top, _ in shape.phases)


@pytest.mark.parametrize("name", TURNED)
def test_largest_products(name: str) -> None:
    """Whatever each phase weighs, the heaviest product is one of them."""
    shape, rng = phase_matrix(name), random.Random(7)
    for _ in range(20):
        weights = [rng.randrange(10) for _ in shape.phases]
        heaviest = max(sum(weights[place(k)] for k in each) for each in shape.products)
        assert max(sum(weights[k] for k in each) for each in shape.largest) == heaviest


@pytest.mark.parametrize("name", TURNED)
def test_every_angle_has_a_phase(name: str) -> None:
    assert {k for k, _, _ in phase_matrix(name).phases} == set(range(FORMULAS[name][1]))
