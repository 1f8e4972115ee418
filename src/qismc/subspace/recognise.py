"""Exact forms of floating-point numbers: multiples of pi, roots of unity, square roots of rationals."""

from __future__ import annotations

import cmath
import math
from fractions import Fraction
from functools import lru_cache

from qismc.errors import Unrecognised

CLOSE = 1e-10
"""How near a float must be to an exact form to count as it."""
MAX_DENOMINATOR = 1000
MAX_DYADIC = 48
DYADIC_NUMERATOR = 1 << 12
RELATIVE = 1e-12
MAX_SQUARE_DENOMINATOR = 1 << 14


@lru_cache(maxsize=1 << 16)
def as_turn(angle: float) -> Fraction | None:
    """The fraction f with angle = 2 pi f, if there is a simple one.

    Small dyadic fractions (QFT angles) are told apart from 0 by their relative error.

    >>> as_turn(math.pi / 4), as_turn(-2 * math.pi / 3), as_turn(math.pi / 2**40), as_turn(0.3)
    (Fraction(1, 8), Fraction(-1, 3), Fraction(1, 2199023255552), None)
    """
    if angle == 0:
        return Fraction(0)
    turn = angle / (2 * math.pi)
    mantissa, exponent = math.frexp(turn)
    scaled = mantissa * DYADIC_NUMERATOR
    if abs(scaled - round(scaled)) <= RELATIVE * DYADIC_NUMERATOR:
        dyadic = Fraction(round(scaled), DYADIC_NUMERATOR) * Fraction(2) ** exponent
        if dyadic.denominator <= 1 << MAX_DYADIC:
            return dyadic
    simple = Fraction(turn).limit_denominator(MAX_DENOMINATOR)
    if simple != 0 and abs(float(simple) * 2 * math.pi - angle) <= CLOSE:
        return simple
    return None


@lru_cache(maxsize=1 << 16)
def as_root(number: complex) -> tuple[Fraction, Fraction]:
    """(s, f) with number = sqrt(s) exp(2 pi i f); raises Unrecognised.

    >>> as_root(-0.5), as_root(1j / 3**0.5)
    ((Fraction(1, 4), Fraction(1, 2)), (Fraction(1, 3), Fraction(1, 4)))
    """
    if not cmath.isfinite(number):
        raise Unrecognised(number)
    size = abs(number)
    if size == 0:
        return Fraction(0), Fraction(0)
    square = Fraction(size * size).limit_denominator(MAX_SQUARE_DENOMINATOR)
    if square == 0 or abs(math.sqrt(square) - size) > CLOSE:
        raise Unrecognised(number)
    turn = Fraction(cmath.phase(number) / (2 * math.pi)).limit_denominator(MAX_DENOMINATOR)
    if abs(float(turn) * 2 * math.pi - cmath.phase(number)) * size > CLOSE:
        raise Unrecognised(number)
    return square, turn % 1


def square_free(number: int) -> tuple[int, tuple[int, ...]]:
    """(k, primes) with number = k^2 * product of the distinct primes, for number > 0.

    >>> square_free(72), square_free(2**1001)[1]
    ((6, (2,)), (2,))
    """
    primes: list[int] = []
    twos = (number & -number).bit_length() - 1
    number >>= twos
    outside = 1 << (twos // 2)
    if twos % 2:
        primes.append(2)
    divisor = 3
    while divisor * divisor <= number:
        power = 0
        while number % divisor == 0:
            number //= divisor
            power += 1
        outside *= divisor ** (power // 2)
        if power % 2:
            primes.append(divisor)
        divisor += 2
        if divisor > LARGEST_TRIAL:
            root = math.isqrt(number)
            if root * root == number:
                return outside * root, tuple(primes)
            raise Unrecognised(complex(math.inf))
    if number > 1:
        primes.append(number)
    return outside, tuple(primes)


LARGEST_TRIAL = 100_000
