"""The numbers that gate matrices and kets are made of, as an interface.

One description of each gate serves every engine: it is a formula over `Scalars`, which is implemented by
complex numbers (float engine), by elements of a finite field (exact engine), and by a recorder that only
notes which roots and angles occur.
"""

from __future__ import annotations

import cmath
import math
from fractions import Fraction
from typing import Any, Protocol, TypeVar

import numpy as np

S_co = TypeVar("S_co", covariant=True)


class Scalars(Protocol[S_co]):
    """A commutative ring with 1/2, i, square roots and phases; values support + - * /."""

    def rational(self, value: Fraction | int) -> S_co:
        """The image of a rational number."""

    def sqrt(self, value: Fraction | int) -> S_co:
        """The positive square root of a rational number >= 0."""

    def phase(self, angle: float, times: Fraction | int = 1) -> S_co:
        """exp(i * angle * times) for an angle in radians as it stands in the program."""

    def turn(self, fraction: Fraction) -> S_co:
        """exp(2 pi i * fraction), exactly."""

    def number(self, value: complex) -> S_co:
        """A literal complex number; raises Unrecognised where it has no exact form."""


class ComplexScalars:
    """Floating-point complex numbers."""

    def rational(self, value: Fraction | int) -> complex:
        return complex(value)

    def sqrt(self, value: Fraction | int) -> complex:
        return complex(math.sqrt(value))

    def phase(self, angle: float, times: Fraction | int = 1) -> complex:
        return cmath.rect(1.0, angle * float(times))

    def turn(self, fraction: Fraction) -> complex:
        if 4 % fraction.denominator == 0:  # exact on the axes
            return (1, 1j, -1, -1j)[4 // fraction.denominator * fraction.numerator % 4]
        return cmath.exp(2j * math.pi * float(fraction))

    def number(self, value: complex) -> complex:
        return complex(value)


class ComplexArrays(ComplexScalars):
    """The same for many angles at once: their phases are arrays."""

    def phase(self, angle: Any, times: Fraction | int = 1) -> Any:
        turned = angle * float(times)
        return np.cos(turned) + 1j * np.sin(turned)


COMPLEX = ComplexScalars()
COMPLEX_ARRAYS = ComplexArrays()
Matrix = list[list[Any]]
