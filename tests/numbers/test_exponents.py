"""Exponents give back the angle that they stand for."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest

from qismc.numbers.angles import RADIAN, AngleSum, Itself
from qismc.numbers.exponents import (
    Expressed,
    PhasePowers,
    Units,
    common_unit,
    is_multiple,
    lowest,
    odd_radicands,
    prime_divisors,
    quotient,
    times,
    totient,
)

FOUND = AngleSum(Fraction(-5, 12), ((RADIAN, Fraction(7, 10)), (Itself(0.1234), Fraction(-2))))


@pytest.mark.parametrize("factor", [Fraction(1), Fraction(1, 2), Fraction(6, 5)])
def test_multiples_are_those_of_the_combination(factor: Fraction) -> None:
    found, exact = times(FOUND, factor.numerator, factor.denominator), FOUND * factor
    assert found.turn == exact.turn.as_integer_ratio()
    assert [(base, Fraction(*ratio)) for base, ratio in found.parts] == list(exact.parts)


def test_powers_are_of_units() -> None:
    units = Units(24, {RADIAN: (0, (1, 20), True), Itself(0.1234): (1, (1, 1), False)})
    powers = units.powers(times(FOUND, 1, 1))
    assert powers == PhasePowers(14, ((0, 14), (1, -2)), 14)
    angle = powers.root / 24 * 2 * math.pi + powers.parts[0][1] / 20 + powers.parts[1][1] * 0.1234
    assert math.isclose(math.cos(angle), math.cos(FOUND.value))
    assert math.isclose(math.sin(angle), math.sin(FOUND.value))


def test_degrees_are_of_unknowns_whatever_their_sign() -> None:
    both = {RADIAN: (0, (1, 20), True), Itself(0.1234): (1, (1, 40), True)}
    assert Units(24, both).powers(times(FOUND, 1, 1)).degree == 80
    assert Units(24, {}).powers(Expressed((1, 3), ())).degree == 0


def test_what_is_no_multiple_has_no_powers() -> None:
    with pytest.raises(KeyError):
        Units(8, {}).powers(Expressed((1, 3), ()))
    with pytest.raises(KeyError):
        Units(24, {RADIAN: (0, (1, 3), True)}).powers(times(FOUND, 1, 1))


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
