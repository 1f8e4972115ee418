"""Divisors, by brute force."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest

from qismc.numbers.divisors import (
    common_unit,
    is_multiple,
    lowest,
    odd_radicands,
    prime_divisors,
    quotient,
    totient,
)

RATIOS = list(product((-6, -1, 2, 9), (1, 4, 15)))
"""Not all in lowest terms."""


def test_lowest_terms() -> None:
    for top, bottom in [*RATIOS, (0, 15)]:
        assert lowest(top, bottom) == Fraction(top, bottom).as_integer_ratio()


def test_common_units_divide_and_are_the_largest() -> None:
    for left, right in product(RATIOS, RATIOS):
        unit = common_unit(left, right)
        assert is_multiple(left, unit) and is_multiple(right, unit)
        assert math.gcd(quotient(left, unit), quotient(right, unit)) == 1
        assert unit == Fraction(*unit).as_integer_ratio()


def test_quotients() -> None:
    for number, unit in product(RATIOS, RATIOS):
        found = Fraction(*number) / Fraction(*unit)
        assert is_multiple(number, unit) == (found.denominator == 1)
        if is_multiple(number, unit):
            assert quotient(number, unit) == found
        else:
            with pytest.raises(KeyError):
                quotient(number, unit)


def test_totients_and_prime_divisors() -> None:
    for order in range(1, 200):
        assert totient(order) == sum(math.gcd(k, order) == 1 for k in range(1, order + 1))
        primes = [q for q in range(2, order + 1) if order % q == 0 and all(q % k for k in range(2, q))]
        assert prime_divisors(order) == primes


def test_odd_radicands() -> None:
    assert odd_radicands(Fraction(18, 5)) == {5} and odd_radicands(Fraction(3, 7)) == {3, 7}
