"""Divisors of integers and of fractions."""

from __future__ import annotations

import math
from fractions import Fraction

from qismc.subspace.recognise import square_free


def odd_radicands(fraction: Fraction) -> set[int]:
    """The odd primes whose square roots make up the square root of a fraction > 0."""
    return {prime for prime in square_free(fraction.numerator * fraction.denominator)[1] if prime != 2}


def common_unit(left: Fraction, right: Fraction) -> Fraction:
    """The largest fraction that both are integer multiples of.

    >>> common_unit(Fraction(1, 2), Fraction(1, 3)), common_unit(Fraction(0), Fraction(-3, 4))
    (Fraction(1, 6), Fraction(3, 4))
    """
    tops = left.numerator * right.denominator, right.numerator * left.denominator
    return Fraction(math.gcd(*tops), left.denominator * right.denominator)


def is_multiple(number: Fraction, unit: Fraction) -> bool:
    """Is it an integer times the unit?"""
    return number.numerator * unit.denominator % (number.denominator * unit.numerator) == 0


def quotient(number: Fraction, unit: Fraction) -> int:
    """number / unit; raises KeyError if that is no integer."""
    found, rest = divmod(number.numerator * unit.denominator, number.denominator * unit.numerator)
    if rest:
        raise KeyError(number)
    return found


def multiple_of(number: Fraction, order: int) -> int:
    """number * order; raises KeyError if that is no integer."""
    found, rest = divmod(number.numerator * order, number.denominator)
    if rest:
        raise KeyError(number)
    return found


def totient(order: int) -> int:
    """How many numbers below `order` have no divisor in common with it."""
    found = order
    for prime in prime_divisors(order):
        found -= found // prime
    return found


def prime_divisors(number: int) -> list[int]:
    """The distinct prime divisors in ascending order."""
    found, divisor = [], 2
    while divisor * divisor <= number:
        if number % divisor == 0:
            found.append(divisor)
            while number % divisor == 0:
                number //= divisor
        divisor += 1
    return [*found, number] if number > 1 else found
