"""Fractions that a computed number may be: for display only, never for a decision."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log10

LARGEST_DENOMINATOR = 4096
COINCIDENCE = 1e-4
"""A random number must be this unlikely to be taken for a fraction."""
FINEST = 1e-14
"""No computed number is trusted further than this."""


def recognised(value: float, error: float) -> Fraction | None:
    """The simplest fraction within the error, unless some fraction would be there by chance.

    >>> recognised(0.0625, 1e-14), recognised(0.6180339887498949, 1e-14)
    (Fraction(1, 16), None)
    """
    room = max(error, FINEST)
    size = 1
    while size <= LARGEST_DENOMINATOR and size * size * room < COINCIDENCE:
        found = Fraction(value).limit_denominator(size)
        if abs(value - found) <= room:
            return found
        size *= 2
    return None


def number_text(value: float, error: float, digits: int = 6) -> str:
    """The number as far as it is known, with the fraction that was recognised in it."""
    found, text = recognised(value, error), f"{value:.{digits}g}"
    if found is None or found.denominator == 1:
        return text if found is None else str(found)
    return f"{text} (recognised as {found})"


def bound_text(error: float) -> str:
    """The next larger power of ten: nobody needs more digits of a bound.

    >>> bound_text(3e-13)
    '1e-12'
    """
    return f"1e{ceil(log10(error)):+03d}" if error > 0 else "0"
