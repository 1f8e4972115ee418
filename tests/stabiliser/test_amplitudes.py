"""Numbers of Q(exp(i pi/4)), against complex numbers."""

from __future__ import annotations

import cmath
import math
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from qismc.errors import Unrecognised
from qismc.stabiliser.amplitudes import EIGHTHS, CyclotomicNumber

fractions = st.fractions(-4, 4, max_denominator=6)
numbers = st.builds(CyclotomicNumber, st.tuples(fractions, fractions, fractions, fractions))


def value(number: CyclotomicNumber) -> complex:
    return sum(float(part) * cmath.exp(0.25j * math.pi * k) for k, part in enumerate(number.parts))


@given(numbers, numbers)
def test_arithmetic(a: CyclotomicNumber, b: CyclotomicNumber) -> None:
    assert cmath.isclose(value(a + b), value(a) + value(b), abs_tol=1e-9)
    assert cmath.isclose(value(a - b), value(a) - value(b), abs_tol=1e-9)
    assert cmath.isclose(value(a * b), value(a) * value(b), abs_tol=1e-9)
    assert cmath.isclose(value(a.conjugated(7)), value(a).conjugate(), abs_tol=1e-9)
    assume(any(b.parts))
    assert (a / b) * b == a


@given(numbers, st.integers(-9, 9))
def test_turns(a: CyclotomicNumber, eighths: int) -> None:
    turned = a.turned(eighths)
    assert turned == a * EIGHTHS.turn(Fraction(eighths, 8))
    assert cmath.isclose(value(turned), value(a) * cmath.exp(0.25j * math.pi * eighths), abs_tol=1e-9)


@pytest.mark.parametrize("square", [Fraction(0), Fraction(4), Fraction(1, 2), Fraction(8, 9)])
def test_roots(square: Fraction) -> None:
    root = EIGHTHS.sqrt(square)
    assert root * root == CyclotomicNumber.rational(square) and value(root).real >= 0
    assert EIGHTHS.number(1j * math.sqrt(square)) == root.turned(2)


def test_phases() -> None:
    assert EIGHTHS.phase(math.pi / 2, 3) == CyclotomicNumber.rational(1).turned(6)


@pytest.mark.parametrize(
    "make",
    [
        lambda: EIGHTHS.sqrt(3), lambda: EIGHTHS.turn(Fraction(1, 16)), lambda: EIGHTHS.phase(0.3),
        lambda: EIGHTHS.number(0.3 + 0.1j), lambda: EIGHTHS.number(1 / math.sqrt(3)),
    ],
)  # fmt: skip
def test_other_numbers_are_refused(make: object) -> None:
    with pytest.raises(Unrecognised):
        make()  # type: ignore[operator]


def test_nothing_is_divided_by_zero() -> None:
    with pytest.raises(ZeroDivisionError):
        CyclotomicNumber.rational(1) / CyclotomicNumber.rational(0)
