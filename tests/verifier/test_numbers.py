"""Arithmetic modulo random primes agrees with complex numbers wherever something is zero."""

from __future__ import annotations

import cmath
import math
from fractions import Fraction

import pytest

from qismc.verifier.numbers import PRIME_BITS, Census, Residues, as_root, as_turn
from qismc.verifier.outcome import NotChecked

ORDER = 8 * 3 * 5 * 7 * 11


@pytest.fixture(scope="module")
def ring() -> Residues:
    return Residues.draw(ORDER)


def test_primes_are_large_fresh_and_fit(ring: Residues) -> None:
    other = Residues.draw(ORDER)
    assert other.p != ring.p and ring.p >= 1 << (PRIME_BITS - 1) and ring.p % ORDER == 1
    assert pow(3, ring.p - 1, ring.p) == 1
    assert Residues.draw(1 << 50).p % (1 << 50) == 1


@pytest.mark.parametrize("number", [2, 3, 5, 7, 11, 12, Fraction(2, 3), Fraction(49, 20), Fraction(1, 7)])
def test_square_roots(ring: Residues, number: Fraction) -> None:
    root = ring.sqrt(number)
    assert (root * root).value == ring.rational(number).value
    assert ring.conjugate.sqrt(number).value == root.value  # it is real


def test_signs_of_roots_fit_together(ring: Residues) -> None:
    """sqrt(2) sqrt(3) = sqrt(6), 2 cos(pi/5) = (1 + sqrt(5))/2, sqrt(3) = 2 cos(pi/6)."""
    assert (ring.sqrt(2) * ring.sqrt(3)).value == ring.sqrt(6).value
    twice_cos = ring.turn(Fraction(1, 10)) + ring.turn(Fraction(-1, 10))
    assert (twice_cos * ring.rational(2)).value == (ring.rational(1) + ring.sqrt(5)).value
    assert ring.sqrt(3).value == (ring.turn(Fraction(1, 12)) + ring.turn(Fraction(-1, 12))).value
    assert (ring.sqrt(7) * ring.turn(Fraction(1, 4))).value == ring.number(1j * math.sqrt(7)).value


def test_conjugates(ring: Residues) -> None:
    turn = Fraction(3, 8)
    assert (ring.turn(turn) * ring.conjugate.turn(turn)).value == 1


def test_weights_bound_bits(ring: Residues) -> None:
    """The norm of a number times its denominator is at most 2^(weight * degree)."""
    number = ring.rational(Fraction(5, 6)) + ring.sqrt(Fraction(3, 4))
    exact = [5 / 6 + sign * math.sqrt(3) / 2 for sign in (1, -1)]
    assert number.weight >= math.log2(6) + math.log2(max(map(abs, exact)))
    inverse = ring.rational(1) / number
    assert (inverse * number).value == 1
    assert inverse.weight >= math.log2(max(abs(1 / x) for x in exact))


@pytest.mark.parametrize("angle", [math.pi / 4, -2 * math.pi / 3, 5 * math.pi, math.pi / 2**40, 0.0])
def test_multiples_of_pi(angle: float) -> None:
    assert cmath.isclose(cmath.exp(2j * math.pi * float(as_turn(angle))), cmath.exp(1j * angle), abs_tol=1e-9)
    assert (as_turn(angle) == 0) == (angle == 0)


@pytest.mark.parametrize("angle", [0.3, 1.5707963, 1e-3, math.pi / 1009])
def test_other_angles_are_not_checked(angle: float) -> None:
    with pytest.raises(NotChecked):
        as_turn(angle)


def test_literal_numbers() -> None:
    assert as_root(-0.6) == (Fraction(9, 25), Fraction(1, 2))
    assert as_root(1j / math.sqrt(3)) == (Fraction(1, 3), Fraction(1, 4))
    assert as_root(0) == (Fraction(0), Fraction(0))
    for number in (0.1234567, 0.6 * cmath.exp(0.3j), 1e-9):
        with pytest.raises(NotChecked):
            as_root(number)


def test_a_census_finds_the_order() -> None:
    census = Census()
    census.phase(math.pi / 5, Fraction(1, 2))
    census.number(complex(math.sqrt(2 / 3)))
    assert census.order % 20 == 0 and census.order % 12 == 0
    with pytest.raises(NotChecked):
        census.sqrt(10**18 + 9)
