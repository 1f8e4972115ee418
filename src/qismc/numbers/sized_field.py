"""Numbers of a finite field together with the size of the numbers that they are the images of."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from qismc.numbers.element import Element
from qismc.numbers.field import FieldScalars
from qismc.numbers.size_scalars import Sized, SizeScalars
from qismc.numbers.sizes import Size


@dataclass(slots=True, eq=False)
class Number:
    """An element and a size; equal if the elements are."""

    element: Element
    sized: Sized

    @property
    def size(self) -> Size:
        return self.sized.size

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and self.element == other.element

    def __hash__(self) -> int:
        return hash(self.element)

    def __add__(self, other: Number) -> Number:
        return Number(self.element + other.element, self.sized + other.sized)

    def __sub__(self, other: Number) -> Number:
        return Number(self.element - other.element, self.sized - other.sized)

    def __mul__(self, other: Number) -> Number:
        return Number(self.element * other.element, self.sized * other.sized)

    def __truediv__(self, other: Number) -> Number:
        return Number(self.element / other.element, self.sized / other.sized)

    def __neg__(self) -> Number:
        return Number(-self.element, self.sized)

    def conjugate(self) -> Number:
        return Number(self.element.conjugate(), self.sized)


class SizedField:
    """The number system of such pairs."""

    def __init__(self, field: FieldScalars, sizes: SizeScalars) -> None:
        self._field = field
        self._sizes = sizes
        self._rationals: dict[tuple[int, int], Number] = {}
        """By numerator and denominator, as the others: fractions take long to be looked up."""
        self._roots: dict[tuple[int, int], Number] = {}
        self._turns: dict[tuple[int, int], Number] = {}

    def rational(self, value: Fraction | int) -> Number:
        key = value.numerator, value.denominator
        found = self._rationals.get(key)
        if found is None:
            found = self._rationals[key] = Number(self._field.rational(value), self._sizes.rational(value))
        return found

    def sqrt(self, value: Fraction | int) -> Number:
        key = value.numerator, value.denominator
        found = self._roots.get(key)
        if found is None:
            found = self._roots[key] = Number(self._field.sqrt(value), self._sizes.sqrt(value))
        return found

    def phase(self, angle: float, times: Fraction | int = 1) -> Number:
        return Number(self._field.phase(angle, times), self._sizes.phase(angle, times))

    def turn(self, fraction: Fraction) -> Number:
        key = fraction.numerator, fraction.denominator
        found = self._turns.get(key)
        if found is None:
            found = self._turns[key] = Number(self._field.turn(fraction), self._sizes.turn(fraction))
        return found

    def number(self, value: complex) -> Number:
        return Number(self._field.number(value), self._sizes.number(value))
