"""What a finite field must offer so that every number of a check has an image in it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from qismc.subspace.recognise import as_root, as_turn, square_free

LARGEST_ORDER = 1 << 46
"""Roots of unity of a larger common order leave too few primes of 62 bits; further ones become formal."""
MAX_RATIO = 16
RATIO_CLOSE = 1e-12


class Unknown:
    """A number that is not looked at: any arithmetic with it gives another one."""

    def __add__(self, _: Any) -> Unknown:
        return self

    __sub__ = __mul__ = __truediv__ = __radd__ = __rmul__ = __add__

    def __neg__(self) -> Unknown:
        return self


ANY = Unknown()


@dataclass
class AngleGroups:
    """Formal angles, grouped by rational ratio: angle = unit of its group times an integer."""

    references: list[float] = field(default_factory=list)
    denominators: list[int] = field(default_factory=list)
    ratios: dict[float, tuple[int, Fraction]] = field(default_factory=dict)

    def add(self, angle: float, times: Fraction | int) -> bool:
        """Make room for exp(i angle times); True if that changed anything."""
        size = abs(angle)
        known = size in self.ratios
        if not known:
            self.ratios[size] = self._locate(size)
        group, ratio = self.ratios[size]
        needed = math.lcm(self.denominators[group], (ratio * Fraction(times)).denominator)
        changed = not known or needed != self.denominators[group]
        self.denominators[group] = needed
        return changed

    def _locate(self, size: float) -> tuple[int, Fraction]:
        if self.references:
            ratios = size / np.array(self.references)
            for bottom in range(1, MAX_RATIO + 1):
                tops = np.round(ratios * bottom)
                close = (np.abs(ratios * bottom - tops) <= RATIO_CLOSE * bottom * ratios) & (tops > 0)
                close &= tops <= MAX_RATIO
                if close.any():
                    group = int(np.argmax(close))
                    return group, Fraction(int(tops[group]), bottom)
        self.references.append(size)
        self.denominators.append(1)
        return len(self.references) - 1, Fraction(1)

    def exponent(self, angle: float, times: Fraction | int) -> tuple[int, int]:
        """(group, e) with exp(i angle times) = z^e for the group's unknown z."""
        group, ratio = self.ratios[abs(angle)]
        power = ratio * Fraction(times) * self.denominators[group] * (1 if angle > 0 else -1)
        if power.denominator != 1:
            raise KeyError(angle)
        return group, power.numerator


@dataclass
class Needs:
    """The numbers that occur; itself a number system that only takes notes."""

    order: int = 8
    primes: set[int] = field(default_factory=set)
    angles: AngleGroups = field(default_factory=AngleGroups)
    version: int = 0
    """Grows with every new need."""

    def rational(self, value: Fraction | int) -> Unknown:  # noqa: ARG002 - every field has the rationals
        return ANY

    def sqrt(self, value: Fraction | int) -> Unknown:
        fraction = Fraction(value)
        if fraction:
            for prime in square_free(fraction.numerator * fraction.denominator)[1]:
                if prime != 2 and prime not in self.primes:
                    self.primes.add(prime)
                    self.version += 1
        return ANY

    def turn(self, fraction: Fraction) -> Unknown:
        if self.order % fraction.denominator:
            if math.lcm(self.order, fraction.denominator) <= LARGEST_ORDER:
                self.order = math.lcm(self.order, fraction.denominator)
                self.version += 1
            else:
                self._formal(2 * math.pi * float(fraction), 1)
        return ANY

    def phase(self, angle: float, times: Fraction | int = 1) -> Unknown:
        turn = as_turn(angle)
        if turn is None:
            self._formal(angle, times)
        else:
            self.turn(turn * times)
        return ANY

    def _formal(self, angle: float, times: Fraction | int) -> None:
        self.version += self.angles.add(angle, times)

    def number(self, value: complex) -> Unknown:
        square, turn = as_root(value)
        self.sqrt(square)
        return self.turn(turn)

    # --- sizes: what bounds and proofs ask -----------------------------------------------------------------

    def degree(self, angle: float, times: Fraction | int = 1) -> int:
        """The largest exponent of an unknown in e^(i angle times), whatever its sign."""
        turn = as_turn(angle)
        if turn is None:
            return abs(self.angles.exponent(angle, times)[1])
        turned = turn * times
        if self.order % turned.denominator == 0:
            return 0
        return abs(self.angles.exponent(2 * math.pi * float(turned), 1)[1])

    def phase_bits(self, angle: float, times: Fraction | int = 1) -> float:  # noqa: ARG002
        """log2 of a denominator of e^(i angle times): roots of unity and unknowns are integers."""
        return 0.0

    @property
    def num_unknowns(self) -> int:
        """How many unknowns stand for angles."""
        return len(self.angles.references)

    def field_degree(self) -> int:
        """The degree over Q of the number field that all numbers, but for the unknowns, lie in."""
        return totient(self.order) << self._outside()

    def number_of_primes(self) -> float:
        """About how many primes of 62 bits there are to draw from: one class modulo the order, and every

        further radicand a square.
        """
        spacing = math.log(2) * (PRIME_BITS + 0.5)
        return math.ldexp(1.0, PRIME_BITS - self._outside()) / (spacing * totient(self.order))

    def _outside(self) -> int:
        """The radicands whose roots are no combinations of the roots of unity."""
        return sum(1 for q in self.primes if self.order % q)


PRIME_BITS = 61
"""Primes are drawn from [2^61, 2^62)."""


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
