"""Matrices by sums of phases are those of the gates' formulas over the field."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qismc.common.scalars import COMPLEX
from qismc.numbers.field import FieldScalars
from qismc.numbers.forms import ComplexForm, FieldForm
from qismc.numbers.needs import Needs
from qismc.program.gates import FORMULAS, Base, base_matrix

THIRD = 2 * math.acos(math.sqrt(1 / 3))
ANGLES = [(0.7, -0.3, math.pi / 3), (-THIRD, THIRD, 0.0), (-math.pi / 2**50, 2.5, -0.123456789123)]
"""Decimals, turns, angles with an algebraic cosine, fine turns, and what stands for itself."""


@pytest.mark.parametrize("conjugating", [False, True])
@pytest.mark.parametrize("name", sorted(name for name, (_, angles, _) in FORMULAS.items() if angles))
def test_matrices(name: str, conjugating: bool) -> None:
    bases = [Base(name, angles[: FORMULAS[name][1]]) for angles in ANGLES]
    needs = Needs()
    for base in bases:
        needs.gate(base)
    form = FieldForm(FieldScalars(needs, 3, conjugating=conjugating))
    for base in bases:
        entries = [entry for row in base_matrix(base, form.ring) for entry in row]
        np.testing.assert_array_equal(form.matrices([base])[0], form.pack(entries, (len(entries),)))


@pytest.mark.parametrize("name", sorted(name for name, (_, angles, _) in FORMULAS.items() if angles))
def test_complex_matrices_of_many_are_those_of_each(name: str) -> None:
    bases = [
        Base(name, angles[: FORMULAS[name][1]]) for angles in [*ANGLES, (1e300, 5e-324, 0.1), (1.0, 2.0, 3.0)]
    ]
    bases += [Base("h"), Base("p", (0.3,))]
    for found, base in zip(ComplexForm().matrices(bases), bases, strict=True):
        assert found.dtype == np.complex128
        np.testing.assert_allclose(found, np.ravel(base_matrix(base, COMPLEX)), atol=1e-15)


def test_two_primes_at_once() -> None:
    """Turns, unknowns and their inverses modulo both."""
    bases = [Base("u", (math.pi / 2**37, -0.7, 1.4)), Base("p", (-0.7,)), Base("rx", (-math.pi / 8,))]
    needs = Needs()
    for base in bases:
        needs.gate(base)
    form = FieldForm(FieldScalars(needs, 5, conjugating=False, twins=True))
    for base in bases:
        entries = [entry for row in base_matrix(base, form.ring) for entry in row]
        expected = [[entry.re % p for p in form.primes] for entry in entries]
        assert form.matrices([base])[0].tolist() == expected


def test_gates_that_nobody_noted_are_made_of_noted_angles() -> None:
    """As adjoints are; what is no combination of noted angles has no image."""
    needs = Needs()
    needs.gate(Base("rx", (0.7,)))
    form = FieldForm(FieldScalars(needs, 3, conjugating=True))
    forth, back = (form.matrices([Base("rx", (angle,))])[0].reshape(2, 2, 2) for angle in (0.7, -0.7))
    product = form.algebra.image(forth, back)
    assert product.tolist() == [[[1, 0], [0, 0]], [[0, 0], [1, 0]]]
    with pytest.raises(KeyError):
        form.matrices([Base("rx", (0.3,))])


def test_gates_without_angles_and_literal_ones() -> None:
    form = FieldForm(FieldScalars(Needs(), 3, conjugating=True))
    one, zero = [1, 0], [0, 0]
    assert form.matrices([Base("x")])[0].tolist() == [zero, one, one, zero]
    assert form.matrices([Base("literal", (0.3,), ((0, 1), (1, 0)))])[0].tolist() == [zero, one, one, zero]
