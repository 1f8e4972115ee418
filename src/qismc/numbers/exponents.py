"""Phases as products of powers of what a field has for a root of unity and for base angles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from qismc.numbers.angles import BaseAngle, Combination
from qismc.numbers.divisors import Ratio, lowest, quotient

MOST_DEGREE = 1 << 128
"""Larger degrees count as this one: error bounds say nothing long before, and sums of them stay finite."""


class Expressed(NamedTuple):
    """A fraction of a turn, in lowest terms, and multiples of base angles: a combination in whole numbers."""

    turn: Ratio
    parts: tuple[tuple[BaseAngle, Ratio], ...]


def times(found: Combination, numerator: int, denominator: int) -> Expressed:
    """A multiple of a combination."""
    turn = found.turn
    return Expressed(
        lowest(turn.numerator * numerator, turn.denominator * denominator),
        tuple([(base, (q.numerator * numerator, q.denominator * denominator)) for base, q in found.parts]),
    )


class Powers(NamedTuple):
    """A phase as a product: of a power of the root of unity, and of powers of what stands for base angles."""

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

    def powers(self, angle: Expressed) -> Powers:
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
        return Powers(root, tuple(parts), min(degree, MOST_DEGREE))
