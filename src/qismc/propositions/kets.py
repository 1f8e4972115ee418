"""States as text: the largest terms, with exact forms such as sqrt(1/3) where a number looks like one."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from fractions import Fraction

from qismc.common.wording import counted

CLOSE = 1e-11
"""How near a number must be to a simple form to be shown as it: few numbers are so near by chance."""
MAX_DENOMINATOR = 200
MAX_DYADIC = 1 << 30
MAX_TURN = 48
WRITTEN_AS_POWER = 12
"""Smallest k for which 1/2^k is written as a power, 2^-k."""

Term = tuple[str, complex]
"""The bits of a basis state, qubit 0 first, and its amplitude."""


def ket_text(terms: Sequence[Term], left_out: int = 0) -> str:
    """A sum of kets; the global phase is chosen so that the first term is positive.

    >>> ket_text([("00", 0.5**0.5), ("11", 1j * 0.5**0.5)])
    'sqrt(1/2)|00> + i sqrt(1/2)|11>'
    """
    if not terms:
        return "0"
    phase = terms[0][1] / abs(terms[0][1])
    text = ""
    for bits, amplitude in terms:
        number = amplitude_text(amplitude / phase)
        if text:
            text += " - " if number.startswith("-") else " + "
            number = number.removeprefix("-")
        text += f"{number}|{bits}>"
    return text + _rest_text(left_out)


def _rest_text(left_out: int) -> str:
    """What is said of terms that are not shown; a negative number means that nobody counted them."""
    if left_out < 0:
        return " + more terms"
    return f" + {counted(left_out, 'more term')}" if left_out else ""


def amplitude_text(number: complex) -> str:
    """A coefficient in front of a ket; empty for 1.

    >>> amplitude_text(-1j / 3**0.5), amplitude_text(0.25), amplitude_text(0.3 + 0.4j)
    ('-i sqrt(1/3)', '1/4 ', '(0.3+0.4i)')
    """
    size = _size_text(abs(number))
    turn = _turn(cmath.phase(number))
    if size is None or turn is None:
        return _decimal(number)
    sign = "-" if turn >= 1 else ""
    phase = _phase_text(turn % 1)
    return sign + phase + (" " if phase else "") + size


def _phase_text(turn: Fraction) -> str:
    """exp(i pi turn) for 0 <= turn < 1; empty for 1."""
    if turn in (0, Fraction(1, 2)):
        return "i" if turn else ""
    numerator = "" if turn.numerator == 1 else f"{turn.numerator} "
    return f"exp(i {numerator}pi/{turn.denominator})"


def _size_text(size: float) -> str | None:
    square = _simple(size * size)
    if square is None or abs(math.sqrt(square) - size) > CLOSE:
        return None
    if square == 1:
        return ""
    top, bottom = math.isqrt(square.numerator), math.isqrt(square.denominator)
    if top * top == square.numerator and bottom * bottom == square.denominator:
        return f"{_fraction_text(Fraction(top, bottom))} "
    return f"sqrt({_fraction_text(square)})"


def _fraction_text(number: Fraction) -> str:
    """A fraction; small powers of two as such.

    >>> _fraction_text(Fraction(3, 8)), _fraction_text(Fraction(1, 1 << 20))
    ('3/8', '2^-20')
    """
    power = number.denominator.bit_length() - 1
    dyadic = number.numerator == 1 and number.denominator == 1 << power
    return f"2^-{power}" if dyadic and power >= WRITTEN_AS_POWER else str(number)


def _simple(number: float) -> Fraction | None:
    """A fraction nearby with a small denominator, or with a power of two; tiny ones: a power of two."""
    part, power = math.frexp(number)
    if abs(part - 0.5) <= CLOSE and power <= 0:
        return Fraction(1, 1 << (1 - power))
    for denominator in (MAX_DENOMINATOR, MAX_DYADIC):
        found = Fraction(number).limit_denominator(denominator)
        small = found.denominator <= MAX_DENOMINATOR or found.denominator & (found.denominator - 1) == 0
        if found and small and abs(float(found) - number) <= CLOSE * number:
            return found
    return None


def _turn(angle: float) -> Fraction | None:
    """The angle as a multiple of pi in [0, 2), if it is a simple one."""
    turn = Fraction(angle / math.pi).limit_denominator(MAX_TURN)
    return turn % 2 if abs(float(turn) * math.pi - angle) < CLOSE else None


def _decimal(number: complex) -> str:
    digits = max(4, 3 - math.floor(math.log10(abs(number))))  # at least four of them tell something
    real, imaginary = round(number.real, digits), round(number.imag, digits)
    if imaginary == 0:
        return f"{real:.4g}"
    if real == 0:
        return f"{imaginary:.4g}i"
    return f"({real:.4g}{imaginary:+.4g}i)"
