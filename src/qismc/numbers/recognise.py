"""Exact forms of floating-point numbers: multiples of pi, roots of unity, square roots of rationals.

`nearest_turn` and `nearest_root` find the form that a number is probably meant to be. The reading of numbers
(`qismc.propositions.reading`) alone asks them, once, and replaces the number. All others ask `as_turn` and
`as_root`, which allow for rounding only.
"""

from __future__ import annotations

import cmath
import math
import sys
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from qismc.common.scalars import COMPLEX, Scalars
from qismc.errors import Unrecognised

CLOSE_TURNS = ((64, 1e-10), (1000, 5e-12))
CLOSE_SQUARES = ((64, 1e-10), (1 << 10, 3e-13), (1 << 14, 2e-15))
CLOSE_COSINES = ((64, 3e-12), (1000, 5e-13))
"""(largest denominator, how near a float must be): the fractions with denominators up to N have a density of
0.3 N^2, so that a number picked at random is taken for one of them in less than one case in a million."""
MOST_TURNS = 1000
"""Largest number of turns that is recognised: beyond, doubles differ by more than the accepted difference."""
DYADIC = ((1 << 12, 1e-12), (1 << 24, 2.0**-50))
"""(largest numerator, relative error) of k pi / 2^m; a random number is taken for one as rarely as above."""
TELLING = 64
"""Largest denominator of a square whose root is certainly meant; roots of others may be met by chance."""
DUST = 1e-12
"""Angles and entries that are no larger are zero, unless they are dyadic fractions of pi."""
ROUNDING = 4 * 2.0**-52
"""Largest relative error of a number after a few operations in double precision."""
SAME = 2 * ROUNDING
"""Largest difference from a form that counts as rounding, relative to the number and at least to 1. It is
twice the difference that the reading of numbers leaves as it is: so forms that were read are recognised."""
TWO_PI = Fraction("6.28318530717958647692528676655900576839433879875021164194988918461563")


@lru_cache(maxsize=1 << 16)
def as_turn(angle: float) -> Fraction | None:
    """The fraction f with angle = 2 pi f, up to rounding, if there is a simple one.

    >>> as_turn(math.pi / 4), as_turn(-2 * math.pi / 3), as_turn(math.pi / 2**40), as_turn(0.3)
    (Fraction(1, 8), Fraction(-1, 3), Fraction(1, 2199023255552), None)
    >>> as_turn(1.5707963268), nearest_turn(1.5707963268)
    (None, Fraction(1, 4))
    """
    turn = nearest_turn(angle)
    return turn if turn is not None and is_same(angle, radians(turn)) else None


@lru_cache(maxsize=1 << 16)
def nearest_turn(angle: float) -> Fraction | None:
    """The fraction f such that the angle is near enough to 2 pi f, if there is a simple one.

    Small dyadic fractions (QFT angles) are told apart from 0 by their relative error.
    """
    if angle == 0:
        return Fraction(0)
    turn = angle / (2 * math.pi)
    dyadic = _as_dyadic(turn) if turn else None
    if dyadic is not None:
        return dyadic
    if abs(angle) <= DUST:
        return Fraction(0)
    if abs(turn) > MOST_TURNS:
        return None
    simple = as_fraction(turn, CLOSE_TURNS, unit=2 * math.pi)
    return simple if simple != 0 else None


@lru_cache(maxsize=1 << 16)
def radians(turn: Fraction) -> float:
    """The double that is nearest to 2 pi turn."""
    return float(turn * TWO_PI)


def is_same(number: complex, form: complex, allowed: float = SAME) -> bool:
    """Is a number a form but for rounding?"""
    return abs(number - form) <= allowed * max(1.0, abs(number))


NEAR_PI = 1e-5
"""An angle so near to a multiple of pi/12, but not recognised as one, looks like a rounded one."""


def near_turn(angle: float) -> Fraction | None:
    """The multiple of 1/24 turn that an angle is near to, if it is not recognised as one itself.

    >>> near_turn(1.5707963), near_turn(math.pi / 2), near_turn(1e-6)
    (Fraction(1, 4), None, None)
    """
    twelfths = angle * 12 / math.pi
    if math.isinf(twelfths):
        return None
    steps = round(twelfths)
    near = steps != 0 and abs(angle - steps * math.pi / 12) < NEAR_PI
    return Fraction(steps, 24) if near and as_turn(angle) is None else None


def _as_dyadic(number: float) -> Fraction | None:
    """k / 2^m with a small odd k."""
    mantissa, exponent = math.frexp(number)
    for numerator, relative in DYADIC:
        scaled = mantissa * numerator
        if abs(scaled - round(scaled)) <= relative * numerator:
            return Fraction(round(scaled), numerator) * Fraction(2) ** exponent
    return None


def as_fraction(number: float, close: tuple[tuple[int, float], ...], *, unit: float = 1.0) -> Fraction | None:
    """The fraction with the smallest denominator that `number` is near enough to, as `close` says.

    So near (below 1 / 2q^2) are only the convergents of the continued fraction.

    >>> as_fraction(0.33333333333333, CLOSE_SQUARES), as_fraction(0.33333, CLOSE_SQUARES)
    (Fraction(1, 3), None)
    """
    whole = math.floor(number)
    (p, q), (p0, q0), rest = (whole, 1), (1, 0), number - whole
    for largest, distance in close:
        while q <= largest:
            if abs(p / q - number) * unit <= distance:
                return Fraction(p, q)
            if rest < sys.float_info.min:  # 1 / rest may be infinite, and no small denominator follows
                return None
            digit = math.floor(1 / rest)
            rest = 1 / rest - digit
            (p, q), (p0, q0) = (digit * p + p0, digit * q + q0), (p, q)
    return None


Root = tuple[Fraction, Fraction]
"""(s, f), which stands for sqrt(s) exp(2 pi i f)."""


@lru_cache(maxsize=1 << 16)
def as_root(number: complex) -> Root:
    """(s, f) with number = sqrt(s) exp(2 pi i f), up to rounding; raises Unrecognised.

    >>> as_root(-0.5), as_root(1j / 3**0.5)
    ((Fraction(1, 4), Fraction(1, 2)), (Fraction(1, 3), Fraction(1, 4)))
    """
    found = nearest_root(number)
    if not is_same(number, root_value(found)):
        raise Unrecognised(number)
    return found


class RootScalars:
    """A number system in which literal numbers are the square roots and turns that they stand for."""

    def number(self: Scalars[Any], value: complex) -> Any:
        """The root that a number is; raises Unrecognised."""
        square, turn = as_root(value)
        return self.sqrt(square) * self.turn(turn)


def root_value(root: Root) -> complex:
    """The number that a root is."""
    square, turn = root
    return math.sqrt(square) * COMPLEX.turn(turn)


@lru_cache(maxsize=1 << 16)
def nearest_root(number: complex) -> Root:
    """(s, f) such that the number is near enough to sqrt(s) exp(2 pi i f); raises Unrecognised."""
    if not cmath.isfinite(number):
        raise Unrecognised(number)
    size = abs(number)
    if size <= DUST:
        return Fraction(0), Fraction(0)
    square = as_fraction(size * size, CLOSE_SQUARES, unit=1 / (2 * size))
    turn = as_fraction(cmath.phase(number) / (2 * math.pi), CLOSE_TURNS, unit=2 * math.pi * size)
    if square is None or square == 0 or turn is None:
        raise Unrecognised(number)
    return square, turn % 1


def as_decimal(number: float, digits: int) -> Fraction | None:
    """The decimal with at most so many significant digits that `number` stands for, up to rounding.

    >>> as_decimal(0.7, 8), as_decimal(0.1 + 0.2, 8), as_decimal(0.123456789, 8)
    (Fraction(7, 10), Fraction(3, 10), None)
    """
    written = f"{number:.{digits - 1}e}"
    return Fraction(written) if abs(float(written) - number) <= ROUNDING * abs(number) else None


def as_cosine(angle: float) -> Fraction | None:
    """r = cos(angle/2)^2 if that is a fraction with a small denominator.

    >>> as_cosine(2 * math.acos(math.sqrt(1 / 3))), as_cosine(0.7)
    (Fraction(1, 3), None)
    """
    return as_fraction(math.cos(angle / 2) ** 2, CLOSE_COSINES)


SLACK = 2.0
"""Factor on the accepted difference: continued fractions of arrays may round otherwise than single ones."""


def may_have_cosine(angles: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Which of many angles `as_cosine` may have an answer for; for the others it has none.

    >>> may_have_cosine(np.array([2 * math.acos(math.sqrt(1 / 3)), 0.7]))
    array([ True, False])
    """
    return _near_fractions(np.cos(angles / 2) ** 2, CLOSE_COSINES)


def _near_fractions(
    numbers: npt.NDArray[np.float64], close: tuple[tuple[int, float], ...]
) -> npt.NDArray[np.bool_]:
    """Which numbers may be near enough to a fraction: all that `as_fraction` recognises, and few others."""
    largest, distance = close[-1][0], SLACK * max(distance for _, distance in close)
    p, q = np.floor(numbers), np.ones_like(numbers)
    p0, q0, rest = np.ones_like(numbers), np.zeros_like(numbers), numbers - p
    near = np.abs(p - numbers) <= distance
    going = ~near & (rest > 0)
    while going.any():
        inverse = 1 / np.where(going, rest, 1.0)
        digit = np.floor(inverse)
        rest = inverse - digit
        p, q, p0, q0 = digit * p + p0, digit * q + q0, p, q
        near |= going & (q <= largest) & (np.abs(p / q - numbers) <= distance)
        going &= ~near & (q <= largest) & (rest > 0)
    return near


@lru_cache(maxsize=1 << 10)
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
"""Largest divisor that is tried; what is left must be 1, a prime, or a square."""
