"""Probabilities as intervals with an error bound: their texts, and how they stand to thresholds."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, log10

import numpy as np

from qismc.errors import NumericDoubt
from qismc.language import Relation, Threshold, rational

LARGEST_DENOMINATOR = 4096
COINCIDENCE = 1e-4
"""Largest accepted chance that a random number is taken for a fraction."""
FINEST = 1e-14
"""Smallest error that is assumed of a computed number."""


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


def known_text(value: float, error: float) -> str:
    """The number as far as it is known, with the fraction that was recognised in it."""
    found, text = recognised(value, error), f"{value:.12g}"
    if found is None or found.denominator == 1:
        return text if found is None else str(found)
    return f"{text} (recognised as {found})"


def bound_text(error: float) -> str:
    """The next larger power of ten as a text.

    >>> bound_text(3e-13)
    '1e-12'
    """
    return f"1e{ceil(log10(error)):+03d}" if error > 0 else "0"


REPRESENTATION = 4 * float(np.finfo(float).eps)
"""Thresholds such as 1/3 are rounded, too."""


@dataclass(frozen=True)
class Likelihood:
    """The probability lies between `low` and `high`, which are known up to `error`.

    `low` and `high` differ only where several states are possible: they belong to the least and the most
    favourable one.
    """

    low: float
    high: float
    error: float
    exact: Fraction | None = field(default=None, compare=False)
    """The number itself, where that is known."""

    @classmethod
    def exactly(cls, value: Fraction | float) -> Likelihood:
        """A fraction; those that are no floating-point numbers have an error."""
        exact, found = Fraction(value), float(value)
        rounded = max(sys.float_info.min, found * sys.float_info.epsilon)
        return cls(found, found, 0.0 if Fraction(found) == exact else rounded, exact)

    @classmethod
    def within(cls, low: float, high: float, error: float) -> Likelihood:
        """Clipped to what a probability can be; one number if the ends cannot be told apart."""
        low, high = max(0.0, min(1.0, low)), max(0.0, min(1.0, high))
        error = min(1.0, error)
        if high - low <= error:
            low = high = (low + high) / 2
        return cls(low, high, error)

    def __float__(self) -> float:
        if self.low != self.high:
            raise ValueError(f"the probability depends on the state: between {self.low} and {self.high}")
        return self.low

    @property
    def text(self) -> str:
        """The number, or the interval, with its error."""
        if self.exact is not None:
            return _exact_text(self.exact)
        ends = known_text(self.low, self.error)
        if self.low != self.high:
            ends = f"between {ends} and {known_text(self.high, self.error)}"
        return f"{ends}, error < {bound_text(self.error)}" if self.error else ends

    @property
    def complement(self) -> Likelihood:
        """That of the opposite event."""
        if self.exact is not None:
            return Likelihood.exactly(1 - self.exact)
        return Likelihood(1 - self.high, 1 - self.low, self.error)

    def satisfies(self, threshold: Threshold) -> bool:
        """`>=` and `>` speak of the least favourable state, `<=` and `<` of the most favourable one."""
        bound = rational(threshold.number)
        if self.exact is not None and bound is not None:
            return compared(self.exact, threshold.relation, bound)
        lower = threshold.relation in (">=", ">")
        distance = (self.low if lower else self.high) - threshold.value
        if abs(distance) <= self.error + REPRESENTATION:
            raise Undecidable(self, threshold)
        return (distance > 0) == lower


def compared(value: Fraction, relation: Relation, bound: Fraction) -> bool:
    """Does a number stand in a relation to another one?"""
    return {">=": value >= bound, ">": value > bound, "<=": value <= bound, "<": value < bound}[relation]


def _exact_text(exact: Fraction) -> str:
    short = 1 < exact.denominator <= LARGEST_DENOMINATOR
    return f"exactly {exact} ({float(exact):.12g})" if short else f"exactly {float(exact):.12g}"


class Undecidable(NumericDoubt):
    """A threshold lies within the error bound of a probability."""

    def __init__(self, found: Likelihood, threshold: Threshold) -> None:
        self.found = found
        super().__init__(
            f"the probability is {found.text}, which does not decide about "
            f"{threshold.relation} {threshold.value:.12g}",
            hint="choose a threshold outside of the interval",
        )
