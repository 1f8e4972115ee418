"""Types and values of OpenQASM 3: known when the program is read, or computed from the store."""

from __future__ import annotations

import math
from dataclasses import dataclass

from qismc.common.source import Source
from qismc.common.wording import counted
from qismc.errors import ProgramError, UnsupportedError
from qismc.program.classical import Const, Expression, wrap

DEFAULT_WIDTH = 32


@dataclass(frozen=True)
class ClassicalType:
    """A classical type; `bit` registers count as unsigned numbers."""

    name: str
    width: int
    signed: bool = False

    @property
    def is_boolean(self) -> bool:
        return self.name == "bool" or (self.name == "bit" and self.width == 1)

    def holds(self, value: int) -> bool:
        """Is the number one of this type?"""
        return wrap(value, self.width, self.signed) == value


BOOL = ClassicalType("bool", 1)
INT = ClassicalType("int", DEFAULT_WIDTH, signed=True)


class TypedInt(int):
    """A known value of type `bit[n]`, `int[n]` or `uint[n]`, wrapped around to it."""

    kind: ClassicalType

    def __new__(cls, value: int, kind: ClassicalType) -> TypedInt:
        number = super().__new__(cls, wrap(value, kind.width, kind.signed))
        number.kind = kind
        return number


def bit_string(value: int, width: int) -> TypedInt:
    """The lowest digits of a number as a value of type `bit[width]`."""
    return TypedInt(value, ClassicalType("bit", width))


MAX_ANGLE_WIDTH = 52
"""Maximum width of an angle: a double does not hold all multiples of a turn of more bits."""


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


Known = int | float  # a bool and a TypedInt are ints, an Angle is a float


@dataclass(frozen=True)
class Stored:
    """A value that depends on the store."""

    expression: Expression
    kind: ClassicalType


Value = int | float | Stored


MAX_BITS = 4096
"""Maximum width of an integer type, and maximum exponent or shift of known numbers."""
MAX_WIDTH = 1_000_000
"""Maximum number of bits of a register, and of a known number."""


def known(value: Value, what: str, source: Source) -> Known:
    """A number that is known when the program is read."""
    if isinstance(value, Stored):
        hint = "use literals, constants and loop variables here"
        raise UnsupportedError(f"{what} depends on a value of the running program", source=source, hint=hint)
    return value


def known_integer(value: Value, what: str, source: Source) -> int:
    number = known(value, what, source)
    if isinstance(number, float) and not number.is_integer():
        raise ProgramError(f"{what} is {number}, not an integer", source=source)
    return int(number)


def _as_float(number: Known) -> float:
    """The number in floating point; infinite if an integer is too large for that."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def finite(value: Value, what: str, source: Source) -> float:
    number = _as_float(known(value, what, source))
    if not math.isfinite(number):
        raise ProgramError(f"{what} of {number}, not a finite number", source=source)
    return number


def known_angle(value: Value, what: str, source: Source) -> float:
    """A finite real number; truth values and bits are none."""
    number = known(value, what, source)
    if isinstance(number, bool) or bit_width(number) is not None:
        kind = "a truth value" if isinstance(number, bool) else "a string of bits"
        raise ProgramError(f"{what} is {kind}, not a number", source=source)
    number = _as_float(number)
    if not math.isfinite(number):
        raise ProgramError(f"{what} is {number}, not a finite angle", source=source)
    return number


def as_expression(value: Value, source: Source) -> Expression:
    """The value as an expression over the store."""
    if isinstance(value, Stored):
        return value.expression
    if isinstance(value, float) and not value.is_integer():
        raise UnsupportedError(f"the number {value} in a classical computation", source=source)
    return Const(int(value))


# --- types -------------------------------------------------------------------------------------------------


def kind_of(value: Value) -> ClassicalType | None:
    """The type of a value; None for literals and real numbers."""
    if isinstance(value, Stored | TypedInt):
        return value.kind
    return BOOL if isinstance(value, bool) else None


def bit_width(value: Value) -> int | None:
    """The width of a bit or of bits; None for numbers and truth values."""
    kind = kind_of(value)
    return kind.width if kind is not None and kind.name == "bit" else None


def check_assigned(value: Value, kind: ClassicalType, source: Source) -> None:
    """Refuse bits that are assigned to a different number of bits; numbers wrap instead."""
    width = bit_width(value)
    if kind.name == "bit" and width is not None and width != kind.width:
        message = f"a value of {counted(width, 'bit')} is assigned to {counted(kind.width, 'bit')}"
        hint = f"write {counted(kind.width, 'digit')}, take a slice, or use 'uint[{kind.width}](...)'"
        raise ProgramError(message, source=source, hint=hint)


def check_operands(op: str, left: Value, right: Value, source: Source) -> None:
    """Refuse an operation of two strings of bits of different lengths."""
    first, second = bit_width(left), bit_width(right)
    if first is not None and second is not None and first != second:
        message = f"'{op}' of {counted(first, 'bit')} and {counted(second, 'bit')}"
        hint = "give both the same width, or use 'uint[...](...)'"
        raise ProgramError(message, source=source, hint=hint)
