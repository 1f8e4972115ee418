"""Values of OpenQASM 3 expressions: known when the program is read, or computed from the store.

A value has the same type, and so the same arithmetic, whether it is known or not. Integer literals have none
of their own: they take that of what they are combined with, as in Qiskit's expressions, if they fit into it,
and are `int` otherwise. Truth values and single bits that are added or multiplied count as `int`; where types
differ the wider one counts, the unsigned one of two equally wide.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass

from qismc.common.source import Source
from qismc.common.wording import counted, quoted
from qismc.errors import ProgramError, UnsupportedError
from qismc.program.classical import Binary, Const, Expression, Unary, wrap
from qismc.program.qasm3.angle_type import Angle, angle_binary, negated

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


class BitString(int):
    """A known value of type `bit[width]`: its lowest `width` bits as an unsigned number."""

    width: int

    def __new__(cls, value: int, width: int) -> BitString:
        bits = super().__new__(cls, value & ((1 << width) - 1))
        bits.width = width
        return bits


class SizedInt(int):
    """A known value of type `int[n]` or `uint[n]`."""

    kind: ClassicalType

    def __new__(cls, value: int, kind: ClassicalType) -> SizedInt:
        number = super().__new__(cls, wrap(value, kind.width, kind.signed))
        number.kind = kind
        return number


Known = int | float  # a bool, a BitString and a SizedInt are ints, an Angle is a float


@dataclass(frozen=True)
class Stored:
    """A value that depends on the store."""

    expression: Expression
    kind: ClassicalType


Value = int | float | Stored


def _divide(a: Known, b: Known) -> Known:
    if isinstance(a, int) and isinstance(b, int):
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return a / b


def _remainder(a: Known, b: Known) -> Known:
    if isinstance(a, int) and isinstance(b, int):
        return a - b * int(_divide(a, b))
    return math.fmod(a, b)


FUNCTIONS: dict[str, Callable[..., float]] = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "arcsin": math.asin, "arccos": math.acos,
    "arctan": math.atan, "exp": math.exp, "log": math.log, "sqrt": math.sqrt, "ceiling": math.ceil,
    "floor": math.floor, "mod": _remainder, "pow": math.pow, "abs": abs,
}  # fmt: skip
CONSTANTS = {
    "pi": math.pi, "π": math.pi, "tau": math.tau, "τ": math.tau, "euler": math.e, "ℇ": math.e,
}  # fmt: skip


KNOWN_BINARY: dict[str, Callable[..., Known]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": _divide, "%": _remainder, "**": pow,
    "<<": operator.lshift, ">>": operator.rshift, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge, "&&": lambda a, b: bool(a) and bool(b), "||": lambda a, b: bool(a) or bool(b),
}  # fmt: skip
WORDS = {"&&": "and", "||": "or"}
COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
TO_BOOLEAN = COMPARISONS | {"&&", "||"}
ARITHMETIC = frozenset({"+", "-", "*", "/", "%"})
BITWISE = frozenset({"&", "|", "^"})
SHIFTS = frozenset({"<<", ">>"})
MAX_BITS = 4096
"""Of types of integers, and of exponents and shifts of known numbers."""
MAX_WIDTH = 1_000_000
"""Bits of a register, and of a known number."""


def known_binary(op: str, left: Known, right: Known, source: Source) -> Known:
    """Arithmetic at reading time, as in C: `/` and `%` of integers are integers."""
    shown = f"{quoted(left)} {op} {quoted(right)}"
    try:
        _check_size(op, left, right)
        result = KNOWN_BINARY[op](left, right)
    except ZeroDivisionError:
        raise ProgramError(f"division by zero in '{shown}'", source=source) from None
    except (OverflowError, ValueError):
        raise ProgramError(f"'{shown}' has no finite value", source=source) from None
    except TypeError:
        message = f"'{op}' cannot be applied to {quoted(left)} and {quoted(right)}"
        raise ProgramError(message, source=source) from None
    if isinstance(result, complex):
        raise ProgramError(f"'{shown}' is not real", source=source)
    return result


def _check_size(op: str, left: Known, right: Known) -> None:
    """Raise OverflowError for what grows beyond all types: `**`, `<<` and `*` of integers."""
    if not isinstance(left, int) or not isinstance(right, int):
        return
    grown = {
        "**": abs(left).bit_length() * abs(right),
        "<<": left.bit_length() + right,
        "*": left.bit_length() + right.bit_length(),
    }
    if grown.get(op, 0) > MAX_WIDTH or (op in ("**", "<<") and abs(right) > MAX_BITS):
        raise OverflowError


def call_function(name: str, arguments: list[Value], source: Source) -> Known:
    """A mathematical function of known numbers."""
    if name not in FUNCTIONS:
        raise UnsupportedError(f"the function '{name}' is not supported", source=source)
    numbers = [known(argument, f"the argument of '{name}'", source) for argument in arguments]
    if name == "pow" and len(numbers) == 2:
        return known_binary("**", numbers[0], numbers[1], source)
    try:
        return FUNCTIONS[name](*numbers)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise ProgramError(f"'{name}' has no value at {quoted(numbers)}", source=source) from None
    except TypeError:
        raise ProgramError(f"'{name}' does not take {len(numbers)} arguments", source=source) from None


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
    """An integer beyond all floating-point numbers is infinite."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _finite(value: Value, what: str, source: Source) -> float:
    number = _as_float(known(value, what, source))
    if not math.isfinite(number):
        raise ProgramError(f"{what} of {number}, not a finite number", source=source)
    return number


def known_angle(value: Value, what: str, source: Source) -> float:
    """A finite real number; truth values and bits are none."""
    if isinstance(value, bool | BitString):
        kind = "a truth value" if isinstance(value, bool) else "a string of bits"
        raise ProgramError(f"{what} is {kind}, not a number", source=source)
    number = _as_float(known(value, what, source))
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
    """The type of a value; literals and real numbers have none that matters."""
    if isinstance(value, Stored | SizedInt):
        return value.kind
    if isinstance(value, BitString):
        return ClassicalType("bit", value.width)
    return BOOL if isinstance(value, bool) else None


def bit_width(value: Value) -> int | None:
    """The width of a bit or of bits; None for numbers and truth values."""
    kind = kind_of(value)
    return kind.width if kind is not None and kind.name == "bit" else None


def check_assigned(value: Value, kind: ClassicalType, source: Source) -> None:
    """Bits are assigned to equally many bits; only numbers wrap."""
    width = bit_width(value)
    if kind.name == "bit" and width is not None and width != kind.width:
        message = f"a value of {counted(width, 'bit')} is assigned to {counted(kind.width, 'bit')}"
        hint = f"write {counted(kind.width, 'digit')}, take a slice, or use 'uint[{kind.width}](...)'"
        raise ProgramError(message, source=source, hint=hint)


def check_operands(op: str, left: Value, right: Value, source: Source) -> None:
    """Bits are compared and combined with equally many bits."""
    first, second = bit_width(left), bit_width(right)
    if first is not None and second is not None and first != second:
        message = f"'{op}' of {counted(first, 'bit')} and {counted(second, 'bit')}"
        hint = "give both the same width, or use 'uint[...](...)'"
        raise ProgramError(message, source=source, hint=hint)


def _promoted(kind: ClassicalType | None) -> ClassicalType | None:
    """What a truth value or a single bit counts as in arithmetic."""
    return INT if kind is not None and kind.is_boolean else kind


def _beside(kind: ClassicalType, literal: Value) -> ClassicalType:
    """The type of a literal beside a value of this type."""
    if not isinstance(literal, int) or kind.holds(literal):
        return kind
    return ClassicalType("int", max(DEFAULT_WIDTH, literal.bit_length() + 1), signed=True)


def _joint(op: str, left: Value, right: Value) -> ClassicalType | None:
    """The type in which two values are combined; None for two literals."""
    one, other = kind_of(left), kind_of(right)
    if op in ARITHMETIC:
        one, other = _promoted(one), _promoted(other)
    if one is None and other is None:
        return None
    one = _beside(other, left) if one is None and other is not None else one
    other = _beside(one, right) if other is None and one is not None else other
    assert one is not None and other is not None
    return _wider(one, other, number=op in ARITHMETIC)


def _wider(one: ClassicalType, other: ClassicalType, *, number: bool) -> ClassicalType:
    """The wider type, the unsigned one of two equally wide; bits are numbers where they are added."""
    if one == other and not (number and one.name == "bit"):
        return one
    widest = max(one, other, key=lambda kind: (kind.width, not kind.signed))
    if not number and {one.name, other.name} <= {"bit", "bool"}:
        return ClassicalType("bit", widest.width)
    return ClassicalType("int" if widest.signed else "uint", widest.width, widest.signed)


# --- operations --------------------------------------------------------------------------------------------


def binary(op: str, left: Value, right: Value, source: Source) -> Value:
    """One operation, at reading time if both operands are known."""
    if op in COMPARISONS or op in BITWISE or op in ARITHMETIC:
        check_operands(op, left, right, source)
    stored = isinstance(left, Stored) or isinstance(right, Stored)
    if not stored and op not in TO_BOOLEAN and (isinstance(left, Angle) or isinstance(right, Angle)):
        return angle_binary(op, left, right, source)  # type: ignore[arg-type]
    if stored and op == "**":
        raise UnsupportedError("'**' of values of the running program", source=source)
    if op in COMPARISONS:
        left, right = _comparable(left, right, source)
    elif op in ARITHMETIC or op in BITWISE or op in SHIFTS:
        return _combined(op, left, right, source)
    if not isinstance(left, Stored) and not isinstance(right, Stored):
        return known_binary(op, left, right, source)
    a, b = as_expression(left, source), as_expression(right, source)
    return Stored(Binary(WORDS.get(op, op), a, b), BOOL)


def _comparable(left: Value, right: Value, source: Source) -> tuple[Value, Value]:
    """Two values with types of different sign are compared in the type in which they are added."""
    if isinstance(left, float) or isinstance(right, float):
        return left, right
    kind = _joint("+", left, right)
    if kind is None or kind.signed:  # then it has all values of both
        return left, right
    return _unsigned(left, kind, source), _unsigned(right, kind, source)


def as_label(target: Value, label: Value, source: Source) -> int:
    """The number that a value is compared with by `switch`: as `==` would do it."""
    number, own = known_integer(label, "a case", source), kind_of(target)
    kind = _joint("+", target, label)
    if kind is None or kind.signed or own is None:
        return number
    return wrap(number, kind.width, own.signed)


def _combined(op: str, left: Value, right: Value, source: Source) -> Value:
    """Two values in their joint type; a value that is shifted keeps its own."""
    if isinstance(left, float) or isinstance(right, float):
        if not isinstance(left, Stored) and not isinstance(right, Stored):
            return known_binary(op, left, right, source)
        left, right = (
            value if isinstance(value, Stored) else _whole(value, source) for value in (left, right)
        )
    kind = _shifted_kind(left, right) if op in SHIFTS else _joint(op, left, right)
    if kind is None:
        return known_binary(op, left, right, source)  # type: ignore[arg-type]
    if not kind.signed and op not in SHIFTS:
        left, right = (_unsigned(value, kind, source) for value in (left, right))
    if not isinstance(left, Stored) and not isinstance(right, Stored):
        return _typed(int(known_binary(op, left, right, source)), kind)
    a, b = as_expression(left, source), as_expression(right, source)
    return Stored(Binary(op, a, b, kind.width, kind.signed), kind)


def _shifted_kind(left: Value, right: Value) -> ClassicalType | None:
    """A value that is shifted keeps its type; a literal is an `int` beside a value that has one."""
    if kind_of(left) is None and kind_of(right) is not None:
        return _beside(INT, left)
    return _promoted(kind_of(left))


def _whole(value: Known, source: Source) -> int:
    """A real number beside a stored one, which must be an integer."""
    expression = as_expression(value, source)
    assert isinstance(expression, Const)
    return expression.value


def _unsigned(value: Value, kind: ClassicalType, source: Source) -> Value:
    """A signed value in the unsigned type that it is combined in: negative ones wrap around."""
    own = kind_of(value)
    negative = isinstance(value, int) and value < 0 if own is None else own.signed
    return cast(value, kind, source) if negative else value


def _typed(value: int, kind: ClassicalType) -> Known:
    """A known value of a type."""
    if kind.name == "bool":
        return bool(value)
    return BitString(value, kind.width) if kind.name == "bit" else SizedInt(value, kind)


def unary(op: str, operand: Value, source: Source) -> Value:
    """Negation wraps around as sums do."""
    kind = kind_of(operand)
    if op == "!" or (op == "~" and kind is not None and kind.is_boolean):
        return Stored(Unary("not", operand.expression), BOOL) if isinstance(operand, Stored) else not operand
    kind = _promoted(kind)
    if isinstance(operand, Stored):
        assert kind is not None
        return Stored(Unary(op, operand.expression, kind.width, kind.signed), kind)
    if isinstance(operand, Angle):
        if op == "-":
            return negated(operand)
    elif op == "-":
        return -operand if kind is None else _typed(-int(operand), kind)
    if isinstance(operand, float):
        raise ProgramError(f"'~' cannot be applied to {operand}", source=source)
    return ~operand if kind is None else _typed(~operand, kind)


def cast(value: Value, kind: ClassicalType, source: Source) -> Value:
    """The value as another type: truncated to its width, non-zero is true."""
    if isinstance(value, float) and not math.isfinite(value):
        raise ProgramError(f"a cast of {value}, which is no number", source=source)
    if kind.name == "float":
        return _finite(value, "a cast to float", source)
    if kind.name == "angle":
        return Angle(_finite(value, "a cast to angle", source), kind.width or None)
    if not isinstance(value, Stored):
        return bool(value) if kind.name == "bool" else _typed(int(value), kind)
    if kind.name == "bool":
        return value if value.kind.is_boolean else Stored(Unary("bool", value.expression), BOOL)
    return Stored(Unary("+", value.expression, kind.width, kind.signed), kind)
