"""Denominator bits: numbers times 2^bits are algebraic integers; degrees of number fields."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from qismc.certify.bits import NoBound, base_bits, coefficient_bits, operator_bits
from qismc.program.operators import Base, single
from qismc.spec.coefficients import ONE, Add, Div, Imaginary, Mul, Neg, Pi, Rational, Sqrt
from qismc.subspace.needs import Needs


def test_degrees_of_number_fields() -> None:
    """Euler's function by counting, doubled for every square root from outside."""
    for order in (8, 24, 40, 48, 56, 120):
        units = sum(math.gcd(k, order) == 1 for k in range(order))
        assert Needs(order=order).field_degree() == units
        assert Needs(order=order, radicands={3, 7}).field_degree() == units * 2 ** sum(
            order % q != 0 for q in (3, 7)
        )


def test_bits_of_matrices_given_by_numbers() -> None:
    third = math.sqrt(1 / 3)
    rest = math.sqrt(2 / 3)
    entries = ((third + 0j, rest + 0j), (rest + 0j, -third + 0j))
    assert base_bits(Base("matrix", (), entries)) == pytest.approx(0.5 * math.log2(3))
    assert operator_bits(single("h", 1)) == 0.5
    assert operator_bits(single("x", 1)) == 0.0


def test_bits_of_coefficients() -> None:
    half, root = Rational(Fraction(1, 2)), Sqrt(Fraction(3, 4))
    assert coefficient_bits(half) == 1.0
    assert coefficient_bits(root) == pytest.approx(0.5 * math.log2(12))
    assert coefficient_bits(Neg(Mul(half, Imaginary()))) == 1.0
    assert coefficient_bits(Add(half, ONE)) == 2.0
    assert coefficient_bits(Div(ONE, root)) == coefficient_bits(root)


def test_no_bound_for_other_numbers() -> None:
    for number in (Pi(), Div(ONE, Add(ONE, ONE))):
        with pytest.raises(NoBound):
            coefficient_bits(number)
