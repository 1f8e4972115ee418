"""What a field must offer: orders, radicands and groups of formal angles."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from qismc.errors import Unrecognised
from qismc.numbers.angles import RADIAN
from qismc.numbers.needs import FEWEST_PRIMES, LARGEST_ORDER, Needs, part_of


def test_orders_are_common_multiples() -> None:
    needs = Needs()
    for denominator in (3, 16, 12):
        needs.turn(Fraction(1, denominator))
    needs.phase(2 * math.pi / 48)
    assert needs.order == 48 and not list(needs.unknowns())


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
    needs.turn(Fraction(1, 1 << 100))
    assert needs.order == LARGEST_ORDER and not needs.num_unknowns and needs.fine
    needs.turn(Fraction(1, 7))
    assert needs.order == LARGEST_ORDER and len(list(needs.unknowns())) == 1
    needs.turn(Fraction(1, 1 << 101))
    assert len(list(needs.unknowns())) == 2


def test_orders_leave_enough_primes() -> None:
    """A long prime is 1 modulo 2^64 as well: odd divisors count beside that."""
    needs = Needs()
    for prime in (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59):
        needs.phase(2 * math.pi / prime)
    assert needs.number_of_primes() >= FEWEST_PRIMES and list(needs.unknowns()) and not needs.fine
    needs.phase(math.pi / 2**60)
    assert needs.number_of_primes() >= FEWEST_PRIMES and needs.fine


def test_orders_that_are_too_large_for_one_word_take_two() -> None:
    needs = Needs()
    needs.turn(Fraction(1, 1 << 45))
    assert not needs.long
    needs.turn(Fraction(1, 7))
    assert needs.long and not list(needs.unknowns())
    needs.turn(Fraction(1, 1 << 90))
    assert needs.order == 7 << 90 and needs.number_of_primes() >= FEWEST_PRIMES


def test_fine_dyadic_turns_keep_their_relation() -> None:
    """3/2^105 = 1/2^104 + 1/2^105 and 1/2^99 + 1/2^105 keep what they share."""
    needs = Needs()
    for turn in (Fraction(1, 1 << 104), Fraction(1, 1 << 105), Fraction(3, 1 << 105)):
        needs.turn(turn)
    one, two, three = (needs.exact_turn(Fraction(k, 1 << 105)) for k in (1, 2, 3))
    assert one + two == three
    assert needs.exact_turn(Fraction(65, 1 << 105)) == one + needs.exact_turn(Fraction(1, 1 << 99))


def test_units_divide_every_multiple() -> None:
    needs = Needs()
    needs.phase(0.7, Fraction(1, 2))
    needs.phase(-0.3, Fraction(1, 2))
    assert needs.unknowns() == [RADIAN] and needs.unit(RADIAN) == Fraction(1, 20)
    assert needs.degree((0.7, 1, 2)) == 7 and needs.degree((0.3, 1, 1)) == 6 and needs.literal


def test_algebraic_cosines_need_square_roots_instead_of_unknowns() -> None:
    needs = Needs()
    angle = 2 * math.acos(math.sqrt(1 / 3))
    needs.phase(angle, Fraction(1, 2))
    assert needs.primes == {3} and not list(needs.unknowns()) and needs.roots().halvings == 0
    assert needs.phase_bits(part_of(angle, Fraction(1, 2))) == pytest.approx(math.log2(3) / 2)
    needs.phase(angle / 4, Fraction(1, 2))
    assert needs.roots().halvings == 2
    needs.phase(angle / 3, Fraction(1, 2))
    assert needs.roots().halvings == 0 and len(list(needs.unknowns())) == 1


def test_too_many_conditions_make_cosines_formal_and_then_give_up() -> None:
    needs = Needs()
    for k in range(3, 80):
        needs.phase(2 * math.acos(math.sqrt(1 / k)), Fraction(1, 2))
    assert list(needs.unknowns())
    assert needs.number_of_primes() >= FEWEST_PRIMES
    needs = Needs()
    needs.turn(Fraction(1, 1 << 45))
    for prime in (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53):
        needs.sqrt(prime)
    with pytest.raises(Unrecognised):
        needs.number_of_primes()


def test_recognised_numbers_that_chance_may_meet_are_noted() -> None:
    needs = Needs()
    needs.number(complex(math.sqrt(1 / 64)))
    assert needs.telling
    needs.number(complex(math.sqrt(13 / 101)))
    assert not needs.telling


def test_degrees_are_exponents_of_unknowns() -> None:
    needs = Needs()
    needs.phase(0.7, Fraction(1, 2))
    needs.phase(1.4, Fraction(-3))
    needs.phase(math.pi / 8, Fraction(1, 2))
    assert needs.num_unknowns == 1
    assert needs.degree((0.7, 1, 2)) == 1 and needs.degree(part_of(1.4, -3)) == 12  # z = exp(0.35 i)
    assert needs.degree((math.pi / 8, 1, 2)) == 0
    assert needs.phase_bits((0.7, 1, 1)) == needs.phase_bits((math.pi / 8, 1, 1)) == 0.0


def test_degrees_of_number_fields() -> None:
    """Euler's function by counting, doubled for every square root from outside."""
    for order in (8, 24, 40, 48, 56, 120):
        units = sum(math.gcd(k, order) == 1 for k in range(order))
        assert Needs(order=order).field_degree() == units
        outside = sum(order % q != 0 for q in (3, 7))
        assert Needs(order=order, radicands={3, 7}).field_degree() == units * 2**outside


@pytest.mark.parametrize("denominator", [48, 1 << 50, 10**15 + 37])
def test_turns_are_odd(denominator: int) -> None:
    """Roots of unity, fine turns, and what stands for itself: a phase times its conjugate is 1."""
    fraction = Fraction(3, denominator)
    assert Needs().exact_turn(-fraction) == Needs().exact_turn(fraction) * -1
