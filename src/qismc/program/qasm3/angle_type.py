"""The type `angle[n]` of OpenQASM 3: multiples of 2 pi / 2^n, with the arithmetic of numbers of n bits."""

from __future__ import annotations

import math

from qismc.common.source import Source
from qismc.errors import ProgramError, UnsupportedError

MAX_ANGLE_WIDTH = 52
"""A double holds all multiples of finer turns no more."""


class Angle(float):
    """A known value of type `angle[width]`, in [0, 2 pi); without a width it is not rounded."""

    width: int | None

    def __new__(cls, value: float, width: int | None) -> Angle:
        turns = value / math.tau
        if width is None:
            angle = super().__new__(cls, value if 0 <= value < math.tau else math.tau * (turns % 1.0))
        else:
            angle = super().__new__(cls, math.pi * (round(turns * 2**width) % 2**width) / 2 ** (width - 1))
        angle.width = width
        return angle

    @property
    def steps(self) -> int:
        """How many times 2 pi / 2^width it is."""
        assert self.width is not None
        return round(float(self) / math.tau * (1 << self.width))


def angle_of_steps(steps: int, width: int) -> Angle:
    return Angle(math.tau * (steps % 2**width) / 2**width, width)


def angle_binary(op: str, left: float, right: float, source: Source) -> float:
    """Sums, and products and quotients with integers, modulo 2 pi; comparisons as those of numbers."""
    if isinstance(left, Angle) and isinstance(right, Angle) and op in "/%":
        raise UnsupportedError(f"'{op}' of two angles is not supported", source=source)
    if op in "+-":
        width = _common_width(left, right)
        one, other = (side if isinstance(side, Angle) else Angle(side, width) for side in (left, right))
        return Angle(one + other if op == "+" else one - other, width)
    angle, factor = (left, right) if isinstance(left, Angle) else (right, left)
    if (
        op not in "*/"
        or not isinstance(angle, Angle)
        or isinstance(factor, Angle)
        or (angle is not left and op == "/")
    ):
        raise ProgramError(f"'{op}' cannot be applied to an angle like this", source=source)
    if not float(factor).is_integer():
        hint = "angles are multiplied and divided by integers; write 'float' for the type of a real number"
        raise UnsupportedError(f"'{op}' of an angle and {factor}", source=source, hint=hint)
    if factor == 0 and op == "/":
        raise ProgramError("an angle is divided by zero", source=source)
    if angle.width is None:
        return Angle(angle * factor if op == "*" else angle / factor, None)
    steps = angle.steps * int(factor) if op == "*" else angle.steps // int(factor)
    return angle_of_steps(steps, angle.width)


def _common_width(left: float, right: float) -> int | None:
    """The wider one; beside what is not rounded nothing is."""
    widths = [side.width if isinstance(side, Angle) else None for side in (left, right)]
    return None if None in widths else max(width for width in widths if width is not None)


def negated(angle: Angle) -> Angle:
    return Angle(-float(angle), angle.width)
