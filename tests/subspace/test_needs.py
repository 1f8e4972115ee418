"""What a field must offer: orders, radicands and groups of formal angles."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from qismc.subspace.needs import LARGEST_ORDER, AngleGroups, Needs


def test_orders_are_common_multiples() -> None:
    needs = Needs()
    for denominator in (3, 16, 12):
        needs.turn(Fraction(1, denominator))
    assert needs.order == 48 and not needs.angles.references
    seen = needs.version
    needs.phase(2 * math.pi / 48)
    assert needs.version == seen


def test_square_roots_need_their_odd_primes() -> None:
    needs = Needs()
    needs.sqrt(Fraction(3, 20))
    needs.sqrt(Fraction(49, 2))
    needs.sqrt(0)
    assert needs.primes == {3, 5}
    needs.number(1j * math.sqrt(7 / 11))
    assert needs.primes == {3, 5, 7, 11} and needs.order == 8


def test_arithmetic_with_noted_numbers_goes_on() -> None:
    needs = Needs()
    assert (-(needs.rational(1) + needs.sqrt(3)) * needs.turn(Fraction(1, 5)) / needs.rational(2)) is not None
    assert needs.primes == {3} and needs.order == 40


def test_an_order_too_large_becomes_formal() -> None:
    needs = Needs()
    needs.turn(Fraction(1, 1 << 45))
    assert needs.order == 1 << 45
    needs.turn(Fraction(1, 7))
    assert needs.order <= LARGEST_ORDER and len(needs.angles.references) == 1


@pytest.mark.parametrize("ratio", [Fraction(3), Fraction(2, 5), Fraction(16, 3), Fraction(1, 16)])
def test_commensurable_angles_share_an_unknown(ratio: Fraction) -> None:
    """exp(i a t) = z^e with z = exp(i unit): the exponents are in the ratio of the angles."""
    groups, first, second = AngleGroups(), 0.7123, 0.7123 * float(ratio)
    for angle in (first, second):
        assert groups.add(angle, Fraction(1, 2))
        assert not groups.add(angle, Fraction(1, 2))
    (group, a), (other, b) = (groups.exponent(x, Fraction(1, 2)) for x in (first, second))
    assert group == other == 0 and Fraction(b, a) == ratio
    assert groups.exponent(-second, Fraction(1, 2)) == (0, -b)


def test_other_angles_do_not() -> None:
    groups = AngleGroups()
    groups.add(0.7123, 1)
    groups.add(0.7123 * math.sqrt(2), 1)
    groups.add(0.7123 * (1 + 1e-9), 1)
    assert len(groups.references) == 3


def test_a_root_that_nobody_announced_is_missing() -> None:
    groups = AngleGroups()
    groups.add(0.3, 1)
    with pytest.raises(KeyError):
        groups.exponent(0.3, Fraction(1, 2))


def test_degrees_are_exponents_of_unknowns() -> None:
    needs = Needs()
    needs.phase(0.7, Fraction(1, 2))
    needs.phase(1.4, Fraction(-3))
    needs.phase(math.pi / 8, Fraction(1, 2))
    assert needs.num_unknowns == 1
    assert needs.degree(0.7, Fraction(1, 2)) == 1 and needs.degree(1.4, -3) == 12  # z = exp(0.35 i)
    assert needs.degree(math.pi / 8, Fraction(1, 2)) == 0
    assert needs.phase_bits(0.7) == needs.phase_bits(math.pi / 8) == 0.0
