"""Exact numbers of Q(zeta), zeta = exp(i pi/4): stabiliser states have no others, up to a scalar."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from qismc.errors import Unrecognised
from qismc.numbers import as_root, as_turn, square_free

ORDER = 8
"""Of zeta; 1, zeta, zeta^2, zeta^3 are a basis, and zeta^4 = -1."""
DEGREE = 4


@dataclass(frozen=True)
class Number:
    """The sum of parts[k] zeta^k."""

    parts: tuple[Fraction, ...]

    def __add__(self, other: Number) -> Number:
        return Number(tuple(a + b for a, b in zip(self.parts, other.parts, strict=True)))

    def __sub__(self, other: Number) -> Number:
        return self + -other

    def __neg__(self) -> Number:
        return Number(tuple(-a for a in self.parts))

    def __mul__(self, other: Number) -> Number:
        found = [Fraction(0)] * DEGREE
        for (j, a), (k, b) in product(enumerate(self.parts), enumerate(other.parts)):
            if a and b:
                found[(j + k) % DEGREE] += a * b if j + k < DEGREE else -a * b
        return Number(tuple(found))

    def __truediv__(self, other: Number) -> Number:
        """By the norm: the product of all conjugates is rational."""
        rest = other.conjugated(3) * other.conjugated(5) * other.conjugated(7)
        norm = (other * rest).parts[0]
        if norm == 0:
            raise ZeroDivisionError("division by zero")
        return self * rest * Number.rational(1 / norm)

    def conjugated(self, k: int) -> Number:
        """The image under zeta -> zeta^k, for an odd k."""
        found = [Fraction(0)] * DEGREE
        for j, part in enumerate(self.parts):
            place = j * k % ORDER
            found[place % DEGREE] += part if place < DEGREE else -part
        return Number(tuple(found))

    def conjugate(self) -> Number:
        return self.conjugated(ORDER - 1)

    def turned(self, eighths: int) -> Number:
        """Times zeta^eighths."""
        parts = self.parts
        for _ in range(eighths % ORDER):
            parts = (-parts[-1], *parts[:-1])
        return Number(parts)

    @property
    def is_zero(self) -> bool:
        return not any(self.parts)

    @staticmethod
    def rational(value: Fraction | int) -> Number:
        return Number((Fraction(value), Fraction(0), Fraction(0), Fraction(0)))


class Eighths:
    """The number system; raises Unrecognised for numbers outside of it."""

    def rational(self, value: Fraction | int) -> Number:
        return Number.rational(value)

    def sqrt(self, value: Fraction | int) -> Number:
        fraction = Fraction(value)
        if not fraction:
            return self.rational(0)
        outside, primes = square_free(fraction.numerator * fraction.denominator)
        found = self.rational(Fraction(outside, fraction.denominator))
        if primes not in ((), (2,)):
            raise Unrecognised(complex(fraction), f"the square root of {fraction}")
        return found.turned(1) - found.turned(3) if primes else found  # zeta - zeta^3 = sqrt(2)

    def turn(self, fraction: Fraction) -> Number:
        eighths = fraction * ORDER
        if eighths.denominator != 1:
            raise Unrecognised(0, f"a turn by {fraction}")
        return self.rational(1).turned(eighths.numerator)

    def phase(self, angle: float, times: Fraction | int = 1) -> Number:
        turn = as_turn(angle)
        if turn is None:
            raise Unrecognised(angle)
        return self.turn(turn * times)

    def number(self, value: complex) -> Number:
        square, turn = as_root(value)
        return self.sqrt(square) * self.turn(turn)


EIGHTHS = Eighths()
