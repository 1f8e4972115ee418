"""Angles in general position keep the relations that a book knows, and no others."""

from __future__ import annotations

from fractions import Fraction
from math import acos, pi, sqrt

import numpy as np
import pytest

from qismc.numbers.angles import AngleBook, Cosine
from qismc.numbers.forms import ComplexForm
from qismc.numbers.perturbed import STEP, MovedForm
from qismc.program.gates import Base

ODD, OTHER = 0.6180339887498949, 1.324717957244746


def test_unknowns_move_and_numbers_with_a_form_stay() -> None:
    form = MovedForm(exact=frozenset({Cosine(Fraction(1, 3))}))
    for angle in (pi / 8, 0.0, 2 * acos(sqrt(1 / 3))):
        assert form.moved(angle) == pytest.approx(angle, abs=1e-12)
    for angle in (0.7, ODD, OTHER, 2 * acos(sqrt(1 / 5))):
        change = abs(form.moved(angle) / angle - 1)
        assert STEP / 2.1 < change < STEP * 1.1


def test_known_relations_are_kept() -> None:
    form = MovedForm(book=AngleBook())
    odd = form.moved(ODD)
    assert form.moved(-ODD) == -odd
    assert form.moved(2 * ODD) == pytest.approx(2 * odd, abs=1e-12)
    assert form.moved(pi - ODD) == pytest.approx(pi - odd, abs=1e-12)
    assert form.moved(0.7) / 0.7 == pytest.approx(form.moved(0.3) / 0.3, abs=1e-12)  # both are decimals
    assert form.moved(OTHER) / OTHER != pytest.approx(odd / ODD, abs=1e-6)


def test_matrices_are_those_of_moved_angles() -> None:
    form = MovedForm()
    expected = ComplexForm().matrices([Base("ry", (form.moved(ODD),))])[0]
    assert np.allclose(form.matrices([Base("ry", (ODD,))])[0], expected)
    assert np.allclose(form.matrices([Base("h")])[0], ComplexForm().matrices([Base("h")])[0])
