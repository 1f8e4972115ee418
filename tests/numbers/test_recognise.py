"""Exact forms of floats: found where they are meant, refused elsewhere."""

from __future__ import annotations

import cmath
import math
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qismc.errors import Unrecognised
from qismc.numbers.recognise import (
    as_cosine,
    as_fraction,
    as_root,
    as_turn,
    may_have_cosine,
    near_turn,
    nearest_root,
    nearest_turn,
    root_value,
    square_free,
)

fractions = st.fractions(min_value=-4, max_value=4, max_denominator=360)


@given(fractions)
def test_multiples_of_pi_are_recognised(fraction: Fraction) -> None:
    assert as_turn(2 * math.pi * float(fraction)) == fraction


@given(
    st.fractions(min_value=0, max_value=1, max_denominator=1200),
    st.sampled_from([0, 1e-16, -1e-15, 3e-13, -2e-12, 1e-11]),
    st.integers(min_value=0, max_value=3),
)
def test_no_algebraic_cosine_is_overlooked(square: Fraction, error: float, turns: int) -> None:
    angle = 2 * math.acos(math.sqrt(square)) + error + turns * 2 * math.pi
    assert may_have_cosine(np.array([angle, 0.7])).tolist()[0] or as_cosine(angle) is None


def test_few_angles_may_have_an_algebraic_cosine_by_chance() -> None:
    assert may_have_cosine(np.random.default_rng(1).uniform(0, 7, 10_000)).sum() < 3


@pytest.mark.parametrize("power", [1, 10, 30, 40, 47])
def test_small_dyadic_angles_are_told_apart(power: int) -> None:
    angle = math.pi / 2**power
    assert as_turn(angle) == Fraction(1, 2 ** (power + 1))
    assert as_turn(3 * angle) == Fraction(3, 2 ** (power + 1))
    assert as_turn(angle * (1 + 1e-9)) != Fraction(1, 2 ** (power + 1)) or power < 4


@pytest.mark.parametrize("turn", [Fraction(1, 4), Fraction(-1, 3), Fraction(5, 16), Fraction(7, 48)])
@pytest.mark.parametrize("error", [4e-11, -3e-12, 1e-13, -1e-14])
def test_only_rounding_is_allowed_for_after_the_reading(turn: Fraction, error: float) -> None:
    angle = 2 * math.pi * float(turn)
    assert nearest_turn(angle + error) == turn == as_turn(angle)
    assert as_turn(angle + error) is None


@pytest.mark.parametrize("dust", [4.4e-16, -2.2e-17, 3e-13])
def test_dust_is_zero(dust: float) -> None:
    assert nearest_turn(dust) == 0 and nearest_root(complex(dust)) == (0, 0)
    assert as_turn(dust) == (0 if abs(dust) < 1e-15 else None)


@pytest.mark.parametrize("angle", [0.3, 1.0, 0.6154797, math.sqrt(2), 1e-13, math.pi * math.sqrt(0.5)])
def test_other_angles_are_not(angle: float) -> None:
    assert as_turn(angle) is None and as_turn(-angle) is None


@given(st.fractions(min_value=0, max_value=4, max_denominator=100), fractions)
def test_roots_times_phases(square: Fraction, turn: Fraction) -> None:
    number = math.sqrt(square) * cmath.exp(2j * math.pi * float(turn))
    found = nearest_root(number)
    assert found == (square, turn % 1 if square else 0)
    assert as_root(root_value(found)) == found


@pytest.mark.parametrize(
    "number", [math.pi / 10, 0.123456789, cmath.exp(0.3j), math.inf, complex(0, math.nan)]
)
def test_other_numbers_are_refused(number: complex) -> None:
    with pytest.raises(Unrecognised):
        as_root(complex(number))


@given(st.integers(min_value=1, max_value=10**6))
def test_square_free_parts(number: int) -> None:
    outside, primes = square_free(number)
    assert outside**2 * math.prod(primes) == number
    assert len(set(primes)) == len(primes)
    assert all(p > 1 and all(p % d for d in range(2, math.isqrt(p) + 1)) for p in primes)


def test_squares_of_large_primes_and_their_products() -> None:
    large = 1_000_003
    assert square_free(large**2 * 6) == (large, (2, 3))
    with pytest.raises(Unrecognised):
        square_free(large * 1_000_033 * 1_000_037)


@pytest.mark.parametrize("size", [5e-324, 1e-310, sys.float_info.min, 1e308, sys.float_info.max])
def test_the_smallest_and_largest_numbers(size: float) -> None:
    assert (as_turn(size) == 0) == (as_turn(-size) == 0) == (size < 1)
    assert near_turn(size) is None and near_turn(-size) is None
    assert as_fraction(size, ((1000, 1e-15 * size),)) == (Fraction(size) if size > 1 else None)
