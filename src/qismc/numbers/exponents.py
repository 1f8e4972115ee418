"""Phases as products of powers: of a root of unity, and of one element for the unit of each base angle."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from qismc.numbers.angles import AngleSum, BaseAngle
from qismc.numbers.recognise import square_free

MOST_DEGREE = 1 << 128
"""Larger degrees count as this one: error bounds say nothing long before, and sums of them stay finite."""


class Expressed(NamedTuple):
    """An angle as a fraction of a turn, in lowest terms, and multiples of base angles: all in integers."""

    turn: Ratio
    parts: tuple[tuple[BaseAngle, Ratio], ...]


def times(found: AngleSum, numerator: int, denominator: int) -> Expressed:
    """An angle times numerator / denominator."""
    turn = found.turn
    return Expressed(
        lowest(turn.numerator * numerator, turn.denominator * denominator),
        tuple([(base, (q.numerator * numerator, q.denominator * denominator)) for base, q in found.parts]),
    )


class PhasePowers(NamedTuple):
    """A phase as a product: a power of the root of unity, and powers of the elements for base angles."""

    root: int
    parts: tuple[tuple[int, int], ...]
    """(number of the base angle, exponent)"""
    degree: int
    """The largest exponent of an unknown, whatever its sign, up to MOST_DEGREE."""


@dataclass(frozen=True)
class Units:
    """What a field has: a root of unity of this order, and an element for the unit of each base angle."""

    order: int
    bases: Mapping[BaseAngle, tuple[int, Ratio, bool]]
    """Of each base angle its number, its unit, and whether an unknown stands for it."""

    def powers(self, angle: Expressed) -> PhasePowers:
        """e^(i angle); raises KeyError for an angle that is no combination of the units."""
        turn, multiples = angle
        degree, parts, bases = 0, [], self.bases
        for base, multiple in multiples:
            number, unit, unknown = bases[base]
            exponent = quotient(multiple, unit)
            parts.append((number, exponent))
            if unknown and abs(exponent) > degree:
                degree = abs(exponent)
        root = quotient(turn, (1, self.order)) % self.order if turn[0] else 0
        return PhasePowers(root, tuple(parts), min(degree, MOST_DEGREE))


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
