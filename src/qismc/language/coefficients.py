"""Exact numbers in front of kets: expression trees over rationals, roots, i, pi and phases."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

from qismc.common.lazily import Tree, cached_property
from qismc.common.scalars import COMPLEX, Scalars
from qismc.errors import SpecError
from qismc.language.tree import MOST_BITS

S = TypeVar("S")


class Rational(Tree):
    """A rational number; short decimals such as 0.5 are of this kind, too."""

    number: Fraction

    def value(self, ring: Scalars[S]) -> S:
        return ring.rational(self.number)


class Literal(Tree):
    """A long decimal such as 0.70710678: a rounded number that the ring may recognise."""

    text: str

    def value(self, ring: Scalars[S]) -> S:
        return ring.number(complex(float(self.text)))


class Sqrt(Tree):
    """The square root >= 0 of a rational number >= 0."""

    number: Fraction

    def value(self, ring: Scalars[S]) -> S:
        return ring.sqrt(self.number)


class Imaginary(Tree):
    """The number i."""

    def value(self, ring: Scalars[S]) -> S:
        return ring.turn(Fraction(1, 4))


class Pi(Tree):
    """The number pi."""

    def value(self, ring: Scalars[S]) -> S:
        return ring.number(complex(math.pi))


class Exp(Tree):
    """exp of i (a + b pi) with rational a and b."""

    argument: Coefficient

    @cached_property
    def parts(self) -> tuple[Fraction, Fraction]:
        """a and b."""
        return angle(self.argument)

    @cached_property
    def _turn(self) -> Fraction:
        return self.parts[1] / 2

    def value(self, ring: Scalars[S]) -> S:
        plain, _ = self.parts
        phase = ring.turn(self._turn)
        return phase * ring.phase(float(plain)) if plain else phase  # type: ignore[operator]


class _Pair(Tree):
    """Two numbers and what is made of them."""

    left: Coefficient
    right: Coefficient

    combine: ClassVar[Callable[[Any, Any], Any]]

    def value(self, ring: Scalars[S]) -> S:
        found: S = type(self).combine(self.left.value(ring), self.right.value(ring))
        return found


class Add(_Pair):
    """left + right."""

    combine = operator.add


class Mul(_Pair):
    """left * right."""

    combine = operator.mul


class Div(_Pair):
    """left / right."""

    combine = operator.truediv


class Neg(Tree):
    """-operand."""

    operand: Coefficient

    def value(self, ring: Scalars[S]) -> S:
        return -self.operand.value(ring)  # type: ignore[operator,no-any-return]


class Pow(Tree):
    """base ^ exponent with an integer exponent."""

    base: Coefficient
    exponent: int

    def value(self, ring: Scalars[S]) -> S:
        base, result = self.base.value(ring), ring.rational(1)
        for bit in bin(abs(self.exponent))[2:]:
            result = result * result  # type: ignore[operator]
            if bit == "1":
                result = result * base
        return ring.rational(1) / result if self.exponent < 0 else result  # type: ignore[operator]


Coefficient = Rational | Literal | Sqrt | Imaginary | Pi | Exp | Add | Mul | Div | Neg | Pow

ONE = Rational(Fraction(1))
ZERO = Rational(Fraction(0))
LARGEST_EXPONENT = 10_000
"""Largest absolute value of an exponent."""


def folded(number: Fraction) -> Rational:
    """A rational number; raises SpecError if its digits are too many."""
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > MOST_BITS:
        raise SpecError(f"a number of more than {MOST_BITS} bits")
    return Rational(number)


def add(left: Coefficient, right: Coefficient) -> Coefficient:
    """left + right, folded if both are rational."""
    if isinstance(left, Rational) and isinstance(right, Rational):
        return folded(left.number + right.number)
    return Add(left, right)


def mul(left: Coefficient, right: Coefficient) -> Coefficient:
    """left * right, folded if both are rational or one is 1."""
    if isinstance(left, Rational) and isinstance(right, Rational):
        return folded(left.number * right.number)
    if left == ONE:
        return right
    return left if right == ONE else Mul(left, right)


VANISHING = 1e-12
"""Smallest absolute value of a divisor: a smaller sum of roots and phases cannot be told from zero."""


def _check_divisor(number: Coefficient) -> None:
    try:
        zero = number.number == 0 if isinstance(number, Rational) else abs(number.value(COMPLEX)) < VANISHING
    except ZeroDivisionError:
        zero = True
    except OverflowError:
        zero = False
    if zero:
        raise SpecError("division by zero")


def div(left: Coefficient, right: Coefficient) -> Coefficient:
    """left / right, folded if both are rational."""
    _check_divisor(right)
    if isinstance(left, Rational) and isinstance(right, Rational):
        return folded(left.number / right.number)
    return left if right == ONE else Div(left, right)


def neg(operand: Coefficient) -> Coefficient:
    """-operand, folded if it is rational or itself a negation."""
    if isinstance(operand, Rational):
        return Rational(-operand.number)
    return operand.operand if isinstance(operand, Neg) else Neg(operand)


def power(base: Coefficient, exponent: int) -> Coefficient:
    """base ^ exponent, folded if the base is rational."""
    if abs(exponent) > LARGEST_EXPONENT:
        raise SpecError(f"exponent {exponent} is larger than {LARGEST_EXPONENT}")
    if exponent < 0:
        _check_divisor(base)
    if not isinstance(base, Rational):
        return Pow(base, exponent)
    bits = max(base.number.numerator.bit_length(), base.number.denominator.bit_length())
    if (bits - 1) * abs(exponent) > MOST_BITS:
        raise SpecError(f"a number of more than {MOST_BITS} bits")
    return folded(base.number**exponent)


def sqrt(operand: Coefficient) -> Coefficient:
    """The square root of a rational number >= 0."""
    number = Fraction(operand.text) if isinstance(operand, Literal) else getattr(operand, "number", None)
    if number is None or isinstance(operand, Sqrt):
        raise SpecError("sqrt takes a rational number", hint="for example sqrt(2/3)")
    if number < 0:
        raise SpecError(f"square root of the negative number {number}", hint=f"write i sqrt({-number})")
    return Sqrt(number) if number else Rational(Fraction(0))


def exp(argument: Coefficient) -> Coefficient:
    """exp of an imaginary number i (a + b pi); anything else is an error."""
    angle(argument)
    return Exp(argument)


def angle(argument: Coefficient) -> tuple[Fraction, Fraction]:
    """The rationals (a, b) with argument = i (a + b pi)."""
    parts = _polynomial(argument)
    if any(power_of_i == 0 for power_of_i, _ in parts):
        raise SpecError("exp takes an imaginary number", hint="for example exp(i pi/4) or exp(0.3 i)")
    return parts.get((1, 0), Fraction(0)), parts.get((1, 1), Fraction(0))


_Polynomial = dict[tuple[int, int], Fraction]  # (power of i, power of pi) -> rational, without zeros
_BAD_ANGLE = "exp takes i times a rational number or times a rational multiple of pi"


def _polynomial(tree: Coefficient) -> _Polynomial:
    """The tree as a combination of 1, i, pi and i pi over the rationals."""
    match tree:
        case Rational(number):
            return {(0, 0): number} if number else {}
        case Literal(text):
            return {(0, 0): Fraction(text)}
        case Imaginary():
            return {(1, 0): Fraction(1)}
        case Pi():
            return {(0, 1): Fraction(1)}
        case Neg(operand):
            return _product(_polynomial(operand), {(0, 0): Fraction(-1)})
        case Add(left, right):
            return _sum(_polynomial(left), _polynomial(right))
        case Mul(left, right):
            return _product(_polynomial(left), _polynomial(right))
        case Div(left, Rational(number)):
            return _product(_polynomial(left), {(0, 0): 1 / number})
    raise SpecError(_BAD_ANGLE, hint="for example exp(i pi/4) or exp(0.3 i)")


def _sum(left: _Polynomial, right: _Polynomial) -> _Polynomial:
    total = {
        key: left.get(key, Fraction(0)) + right.get(key, Fraction(0)) for key in left.keys() | right.keys()
    }
    return {key: number for key, number in total.items() if number}


def _product(left: _Polynomial, right: _Polynomial) -> _Polynomial:
    total: _Polynomial = {}
    for (i1, pi1), a in left.items():
        for (i2, pi2), b in right.items():
            if pi1 + pi2 > 1:
                raise SpecError(_BAD_ANGLE, hint="pi may occur only once in a product")
            sign = -1 if i1 + i2 == 2 else 1
            total = _sum(total, {((i1 + i2) % 2, pi1 + pi2): sign * a * b})
    return total


def rational(number: Coefficient) -> Fraction | None:
    """The number as a fraction, decimals as they are written; None if it has a root, pi or i."""
    match number:
        case Rational(value):
            return value
        case Literal(text):
            return Fraction(text)
    return None
