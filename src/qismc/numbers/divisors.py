"""Divisors of integers and of fractions."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from qismc.numbers.recognise import square_free

Ratio = tuple[int, int]
"""Numerator and positive denominator; fractions take long to make, and programs have many angles."""


def odd_radicands(fraction: Fraction) -> set[int]:
    """The odd primes whose square roots make up the square root of a fraction > 0."""
    return {prime for prime in square_free(fraction.numerator * fraction.denominator)[1] if prime != 2}


def lowest(top: int, bottom: int) -> Ratio:
    """The same ratio without common divisors."""
    common = math.gcd(top, bottom)
    return top // common, bottom // common


def common_unit(left: Ratio, right: Ratio) -> Ratio:
    """The largest ratio that both are integer multiples of, in lowest terms.

    >>> common_unit((1, 2), (1, 3)), common_unit((0, 1), (-3, 4))
    ((1, 6), (3, 4))
    """
    (a, b), (c, d) = left, right
    return lowest(math.gcd(a * d, c * b), b * d)


def is_multiple(number: Ratio, unit: Ratio) -> bool:
    """Is it an integer times the unit?"""
    return number[0] * unit[1] % (number[1] * unit[0]) == 0


def quotient(number: Ratio, unit: Ratio) -> int:
    """number / unit; raises KeyError if that is no integer."""
    found, rest = divmod(number[0] * unit[1], number[1] * unit[0])
    if rest:
        raise KeyError(number)
    return found


@lru_cache(maxsize=64)
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
