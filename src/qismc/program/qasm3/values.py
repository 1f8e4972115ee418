"""Values of OpenQASM 3 expressions: known when the program is read, or computed from the store."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass

from qismc.common.wording import counted
from qismc.errors import ProgramError, UnsupportedError
from qismc.program.classical import Binary, Const, Expression, Unary
from qismc.program.source import Source

DEFAULT_WIDTH = 32


class BitString(int):
    """A known value of type `bit[width]`: its lowest `width` bits as an unsigned number."""

    width: int

    def __new__(cls, value: int, width: int) -> BitString:
        bits = super().__new__(cls, value & ((1 << width) - 1))
        bits.width = width
        return bits


Known = int | float  # a bool and a BitString are ints


@dataclass(frozen=True)
class Kind:
    """A classical type; `bit` registers count as unsigned numbers."""

    name: str
    width: int
    signed: bool = False

    @property
    def is_boolean(self) -> bool:
        return self.name == "bool" or (self.name == "bit" and self.width == 1)


BOOL = Kind("bool", 1)


@dataclass(frozen=True)
class Stored:
    """A value that depends on the store."""

    expression: Expression
    kind: Kind


Value = int | float | Stored

FUNCTIONS: dict[str, Callable[..., float]] = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "arcsin": math.asin, "arccos": math.acos,
    "arctan": math.atan, "exp": math.exp, "log": math.log, "sqrt": math.sqrt, "ceiling": math.ceil,
    "floor": math.floor, "mod": math.fmod, "pow": pow, "abs": abs,
}  # fmt: skip
CONSTANTS = {
    "pi": math.pi, "π": math.pi, "tau": math.tau, "τ": math.tau, "euler": math.e, "ℇ": math.e,
}  # fmt: skip


def _divide(a: Known, b: Known) -> Known:
    if isinstance(a, int) and isinstance(b, int):
        return int(a / b) if abs(a) < 1 << 50 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return a / b


KNOWN_BINARY: dict[str, Callable[..., Known]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": _divide, "%": math.fmod, "**": pow,
    "<<": operator.lshift, ">>": operator.rshift, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge, "&&": lambda a, b: bool(a) and bool(b), "||": lambda a, b: bool(a) or bool(b),
}  # fmt: skip
WORDS = {"&&": "and", "||": "or"}
COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
TO_BOOLEAN = COMPARISONS | {"&&", "||"}
BITWISE = frozenset({"&", "|", "^"})
SHIFTS = frozenset({"<<", ">>"})
MAX_BITS = 4096


def known_binary(op: str, left: Known, right: Known, source: Source) -> Known:
    """Arithmetic at reading time, as in C: `/` and `%` of integers are integers."""
    try:
        if op in ("<<", "**") and isinstance(right, int) and abs(right) > MAX_BITS:
            raise OverflowError
        result = KNOWN_BINARY[op](left, right)
    except ZeroDivisionError:
        raise ProgramError(f"division by zero in '{left} {op} {right}'", source=source) from None
    except (OverflowError, ValueError):
        raise ProgramError(f"'{left} {op} {right}' has no finite value", source=source) from None
    except TypeError:
        raise ProgramError(f"'{op}' cannot be applied to {left} and {right}", source=source) from None
    if isinstance(result, complex):
        raise ProgramError(f"'{left} {op} {right}' is not real", source=source)
    return int(result) if op == "%" and isinstance(left, int) and isinstance(right, int) else result


def call_function(name: str, arguments: list[Value], source: Source) -> Known:
    """A mathematical function of known numbers."""
    if name not in FUNCTIONS:
        raise UnsupportedError(f"the function '{name}' is not supported", source=source)
    numbers = [known(argument, f"the argument of '{name}'", source) for argument in arguments]
    try:
        return FUNCTIONS[name](*numbers)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise ProgramError(f"'{name}' has no value at {numbers}", source=source) from None
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


def known_angle(value: Value, what: str, source: Source) -> float:
    """A finite real number; truth values and bits are none."""
    if isinstance(value, bool | BitString):
        kind = "a truth value" if isinstance(value, bool) else "a string of bits"
        raise ProgramError(f"{what} is {kind}, not a number", source=source)
    number = float(known(value, what, source))
    if not math.isfinite(number):
        raise ProgramError(f"{what} is {number}, not a finite angle", source=source)
    return number


def as_expression(value: Value, source: Source) -> Expression:
    """The value as an expression over the store."""
    if isinstance(value, Stored):
        return value.expression
    if isinstance(value, float):
        if not value.is_integer():
            raise UnsupportedError(f"the number {value} in a classical computation", source=source)
        return Const(int(value))
    return Const(int(value))


def bit_width(value: Value) -> int | None:
    """The width of a bit or of bits; None for numbers and truth values."""
    if isinstance(value, Stored):
        return value.kind.width if value.kind.name == "bit" else None
    return value.width if isinstance(value, BitString) else None


def check_assigned(value: Value, kind: Kind, source: Source) -> None:
    """Bits are assigned to equally many bits; only numbers wrap."""
    width = bit_width(value)
    if kind.name == "bit" and width is not None and width != kind.width:
        message = f"a value of {counted(width, 'bit')} is assigned to {counted(kind.width, 'bit')}"
        hint = f"write {counted(kind.width, 'digit')}, take a slice, or use 'uint[{kind.width}](...)'"
        raise ProgramError(message, source=source, hint=hint)


ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "**"})


def check_operands(op: str, left: Value, right: Value, source: Source) -> None:
    """Bits are compared and combined with equally many bits."""
    first, second = bit_width(left), bit_width(right)
    if first is not None and second is not None and first != second:
        message = f"'{op}' of {counted(first, 'bit')} and {counted(second, 'bit')}"
        hint = "give both the same width, or use 'uint[...](...)'"
        raise ProgramError(message, source=source, hint=hint)


def binary(op: str, left: Value, right: Value, source: Source) -> Value:
    """One operation, at reading time if both operands are known."""
    if op in COMPARISONS or op in BITWISE:
        check_operands(op, left, right, source)
    elif op in ARITHMETIC and bit_width(left) is not None and bit_width(right) is not None:
        hint = "cast one of them, for example 'uint[8](...)'"
        raise ProgramError(f"'{op}' of bits: OpenQASM 3 has no arithmetic on them", source=source, hint=hint)
    if not isinstance(left, Stored) and not isinstance(right, Stored):
        result = known_binary(op, left, right, source)
        width = _width_of_result(op, left, right)
        return result if width is None else BitString(int(result), width)
    a, b = as_expression(left, source), as_expression(right, source)
    if op in TO_BOOLEAN:
        return Stored(Binary(WORDS.get(op, op), a, b), BOOL)
    if op == "**":
        raise UnsupportedError("'**' of values of the running program", source=source)
    kind = _common(left, right) if op not in SHIFTS else _kind(left, right)
    return Stored(Binary(op, a, b, kind.width, kind.signed), kind)


def _width_of_result(op: str, left: Known, right: Known) -> int | None:
    """The width of a known result that consists of bits, None if it is a number."""
    width = bit_width(left)
    if op in BITWISE:
        return bit_width(right) if width is None else width
    return width if op in SHIFTS else None


def _kind(left: Value, right: Value) -> Kind:
    if isinstance(left, Stored):
        return left.kind
    assert isinstance(right, Stored)
    return Kind("int", DEFAULT_WIDTH, True)


def _common(left: Value, right: Value) -> Kind:
    """The wider type; unsigned if the types are equally wide and differ in sign."""
    kinds = [value.kind for value in (left, right) if isinstance(value, Stored)]
    widest = max(kinds, key=lambda kind: (kind.width, not kind.signed))
    is_number = widest.name == "bit" and any(kind.name in ("int", "uint") for kind in kinds)
    return Kind("uint", widest.width) if is_number or widest.name == "bool" else widest


def unary(op: str, operand: Value, source: Source) -> Value:
    if isinstance(operand, Stored):
        kind = operand.kind
        if op == "!" or (op == "~" and kind.is_boolean):
            return Stored(Unary("not", operand.expression), BOOL)
        return Stored(Unary(op, operand.expression, kind.width, kind.signed), kind)
    if op == "!":
        return not operand
    if op == "-":
        return -operand
    if isinstance(operand, float):
        raise ProgramError(f"'~' cannot be applied to {operand}", source=source)
    return BitString(~operand, operand.width) if isinstance(operand, BitString) else ~operand


def cast(value: Value, kind: Kind, source: Source) -> Value:
    """The value as another type: truncated to its width, non-zero is true."""
    if kind.name in ("float", "angle"):
        return float(known(value, f"a cast to {kind.name}", source))
    if not isinstance(value, Stored):
        return _cast_known(value, kind)
    if kind.name == "bool":
        return value if value.kind.is_boolean else Stored(Unary("bool", value.expression), BOOL)
    return Stored(Unary("+", value.expression, kind.width, kind.signed), kind)


def _cast_known(value: Known, kind: Kind) -> Known:
    if kind.name == "bool":
        return bool(value)
    if kind.name == "bit":
        return BitString(int(value), kind.width)
    return Unary("+", Const(int(value)), kind.width, kind.signed).evaluate(0)
