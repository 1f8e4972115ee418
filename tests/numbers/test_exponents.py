"""Exponents give back the angle that they stand for."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from qismc.numbers.angles import RADIAN, Combination, Itself
from qismc.numbers.exponents import Expressed, Powers, Units, times

FOUND = Combination(Fraction(-5, 12), ((RADIAN, Fraction(7, 10)), (Itself(0.1234), Fraction(-2))))


@pytest.mark.parametrize("factor", [Fraction(1), Fraction(1, 2), Fraction(6, 5)])
def test_multiples_are_those_of_the_combination(factor: Fraction) -> None:
    found, exact = times(FOUND, factor.numerator, factor.denominator), FOUND * factor
    assert found.turn == exact.turn.as_integer_ratio()
    assert [(base, Fraction(*ratio)) for base, ratio in found.parts] == list(exact.parts)


def test_powers_are_of_units() -> None:
    units = Units(24, {RADIAN: (0, (1, 20), True), Itself(0.1234): (1, (1, 1), False)})
    powers = units.powers(times(FOUND, 1, 1))
    assert powers == Powers(14, ((0, 14), (1, -2)), 14)
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
