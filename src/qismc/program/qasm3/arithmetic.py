"""Arithmetic of OpenQASM 3 on values that are known or stored.

A value has the same type, and so the same arithmetic, whether it is known or not. Integer literals have no
type of their own: they take that of what they are combined with, as in Qiskit's expressions, if they fit into
it, and are `int` otherwise. Truth values and single bits that are added or multiplied count as `int`. Where
types differ, the result has the wider one; of two that are equally wide, the unsigned one.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

from qismc.common.source import Source
from qismc.common.wording import quoted
from qismc.errors import ProgramError, UnsupportedError
from qismc.program.classical import Binary, Const, Unary, wrap
from qismc.program.qasm3.values import (
    BOOL,
    DEFAULT_WIDTH,
    INT,
    MAX_BITS,
    MAX_WIDTH,
    Angle,
    ClassicalType,
    Known,
    Stored,
    TypedInt,
    Value,
    as_expression,
    check_operands,
    finite,
    kind_of,
    known,
    known_integer,
)


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


# --- the type of a result ---


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


# --- operations ---


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
    return bool(value) if kind.name == "bool" else TypedInt(value, kind)


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
            return Angle(-float(operand), operand.width)
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
        return finite(value, "a cast to float", source)
    if kind.name == "angle":
        return Angle(finite(value, "a cast to angle", source), kind.width or None)
    if not isinstance(value, Stored):
        return bool(value) if kind.name == "bool" else _typed(int(value), kind)
    if kind.name == "bool":
        return value if value.kind.is_boolean else Stored(Unary("bool", value.expression), BOOL)
    return Stored(Unary("+", value.expression, kind.width, kind.signed), kind)


# --- angles ---


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
    return Angle(math.tau * (steps % 2**angle.width) / 2**angle.width, angle.width)


def _common_width(left: float, right: float) -> int | None:
    """The width of a sum of two angles: the larger one. None, not rounded, if one of them has no width."""
    widths = [side.width if isinstance(side, Angle) else None for side in (left, right)]
    return None if None in widths else max(width for width in widths if width is not None)
