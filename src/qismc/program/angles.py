"""Angle expressions of OpenQASM 2: `-3*pi/4`, `2^0.5`, `sin(theta/2)`."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping

CONSTANTS = {"pi": math.pi, "tau": 2 * math.pi, "euler": math.e, "π": math.pi}
PLAIN = re.compile(r"[-+.,eE\d\s]+")
FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "exp": math.exp, "ln": math.log, "sqrt": math.sqrt,
    "asin": math.asin, "acos": math.acos, "atan": math.atan, "arcsin": math.asin, "arccos": math.acos,
    "arctan": math.atan,
}  # fmt: skip
BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: math.pow,
}


class AngleError(ValueError):
    """The text is no angle expression, or its value is no finite number."""


def literal_angles(text: str) -> tuple[float, ...] | None:
    """The numbers of a list of plain decimals, the common case; None for anything else."""
    if not text:
        return ()
    if not PLAIN.fullmatch(text):
        return None
    try:
        numbers = tuple([float(part) for part in text.split(",")])
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None


def parse_angles(text: str) -> list[ast.expr]:
    """The expressions of a comma-separated list."""
    source = text.replace("^", "**").strip()
    try:
        tree = ast.parse(f"({source},)" if source else "()", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = (
            "too deeply nested" if isinstance(error, RecursionError | MemoryError) else "not an expression"
        )
        raise AngleError(f"'{_short(text)}' is {reason}") from None
    if not isinstance(tree, ast.Tuple):
        raise AngleError(f"'{_short(text)}' is not an expression")
    return tree.elts


def evaluate(tree: ast.expr, names: Mapping[str, float]) -> float:
    """The finite value of an expression; `names` are a gate's parameters."""
    try:
        value = _value(tree, names)
    except ZeroDivisionError:
        raise AngleError(f"'{_short(ast.unparse(tree))}' divides by zero") from None
    except (OverflowError, RecursionError):
        raise AngleError("the expression is too large") from None
    except AngleError:
        raise
    except ValueError:
        raise AngleError(f"'{_short(ast.unparse(tree))}' has no real value") from None
    if not math.isfinite(value):
        raise AngleError(f"'{_short(ast.unparse(tree))}' is {value}, not a finite angle")
    return value


def _value(tree: ast.expr, names: Mapping[str, float]) -> float:
    match tree:
        case ast.Constant(value) if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        case ast.Name(name) if name in names:
            return names[name]
        case ast.Name(name) if name in CONSTANTS:
            return CONSTANTS[name]
        case ast.Name(name):
            raise AngleError(f"unknown name '{name}' in an angle")
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand, names)
        case ast.BinOp(left, op, right) if type(op) in BINARY:
            return BINARY[type(op)](_value(left, names), _value(right, names))
        case ast.Call(func=ast.Name(name), args=[argument]) if name in FUNCTIONS:
            return FUNCTIONS[name](_value(argument, names))
    raise AngleError(f"'{_short(ast.unparse(tree))}' is not an angle")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else f"{text[:37]}..."
