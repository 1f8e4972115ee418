"""Angle expressions of OpenQASM 2: `-3*pi/4`, `2^0.5`, `sin(theta/2)`.

An expression is kept in postfix order, which operator precedence gives in one pass: nothing here recurses, so
that texts of any length and depth are read, and a parameter may have any name.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, NoReturn

CONSTANTS = {
    "pi": math.pi, "tau": 2 * math.pi, "euler": math.e, "π": math.pi, "τ": 2 * math.pi, "ℇ": math.e,
}  # fmt: skip
PLAIN = re.compile(r"[-+.,eE\d\s]+", re.ASCII)
TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
    r"|(?P<name>[^\W\d]\w*)|(?P<symbol>\*\*|[-+*/^(),])|(?P<other>\S))"
)


class Operation(NamedTuple):
    """An operator or function; a larger `power` binds tighter."""

    symbol: str
    arity: int
    power: int
    apply: Callable[..., float]


UNARY = {"-": Operation("-", 1, 3, operator.neg), "+": Operation("+", 1, 3, operator.pos)}
POWER = Operation("^", 2, 4, math.pow)
BINARY = {
    "+": Operation("+", 2, 1, operator.add),
    "-": Operation("-", 2, 1, operator.sub),
    "*": Operation("*", 2, 2, operator.mul),
    "/": Operation("/", 2, 2, operator.truediv),
    "^": POWER,
    "**": POWER,
}
OPEN = Operation("(", 0, 0, float)
FUNCTIONS = {
    name: Operation(name, 1, 0, function)
    for name, function in {
        "sin": math.sin, "cos": math.cos, "tan": math.tan, "exp": math.exp, "ln": math.log, "sqrt": math.sqrt,
        "asin": math.asin, "acos": math.acos, "atan": math.atan, "arcsin": math.asin, "arccos": math.acos,
        "arctan": math.atan,
    }.items()
}  # fmt: skip


class AngleError(ValueError):
    """The text is no angle expression, or its value is no finite number."""


@dataclass(frozen=True)
class AngleExpression:
    """An expression in postfix order: numbers, names, operations."""

    text: str = field(compare=False)
    code: tuple[float | str | Operation, ...]

    @property
    def names(self) -> Iterator[str]:
        """The names that the value depends on."""
        return (item for item in self.code if isinstance(item, str) and item not in CONSTANTS)


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


@lru_cache(maxsize=4096)
def parse_angles(text: str) -> tuple[AngleExpression, ...]:
    """The expressions of a comma-separated list."""
    return _Reader(text).read() if text.strip() else ()


class _Reader:
    """One pass over a list of expressions: operators wait on a stack for their right operands."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[AngleExpression] = []
        self.code: list[float | str | Operation] = []
        self.waiting: list[Operation] = []
        self.begin = 0

    def read(self) -> tuple[AngleExpression, ...]:
        before_operand = True
        for token in TOKEN.finditer(self.text):
            before_operand = self.operand(token) if before_operand else self.infix(token)
        if before_operand:
            self.fail()
        self.finish(len(self.text))
        return tuple(self.found)

    def operand(self, token: re.Match[str]) -> bool:
        """A token where an operand may begin; is one still expected after it?"""
        word = token[token.lastgroup or 0]
        if token.lastgroup == "number":
            self.code.append(float(word))
            return False
        if word in UNARY:
            self.waiting.append(UNARY[word])
        elif word == "(":
            self.waiting.append(OPEN)
        elif token.lastgroup == "name" and word in FUNCTIONS and self.opens_after(token):
            self.waiting.append(FUNCTIONS[word])
        elif token.lastgroup == "name":
            if self.opens_after(token):
                raise AngleError(f"unknown function '{word}' in an angle")
            self.code.append(word)
            return False
        else:
            self.fail()
        return True

    def infix(self, token: re.Match[str]) -> bool:
        """A token after an operand; is another operand expected after it?"""
        word = token[token.lastgroup or 0]
        if word in BINARY:
            self.push(BINARY[word])
            return True
        if word == ")":
            self.close()
            return False
        if word != ",":
            self.fail()
        self.finish(token.start("symbol"))
        self.begin = token.end()
        return True

    def opens_after(self, token: re.Match[str]) -> bool:
        following = TOKEN.match(self.text, token.end())
        return following is not None and following["symbol"] == "("

    def push(self, wanted: Operation) -> None:
        """Apply what binds tighter than a new operator (or as tight: only powers group to the right)."""
        limit = wanted.power + (wanted is POWER)
        while self.waiting and self.waiting[-1].power >= limit:
            self.code.append(self.waiting.pop())
        self.waiting.append(wanted)

    def close(self) -> None:
        while self.waiting and self.waiting[-1] is not OPEN:
            self.code.append(self.waiting.pop())
        if not self.waiting:
            self.fail()
        self.waiting.pop()
        if self.waiting and self.waiting[-1].symbol in FUNCTIONS:
            self.code.append(self.waiting.pop())

    def finish(self, end: int) -> None:
        """One expression of the list is complete."""
        while self.waiting:
            if self.waiting[-1] is OPEN:
                self.fail()
            self.code.append(self.waiting.pop())
        self.found.append(AngleExpression(self.text[self.begin : end].strip(), tuple(self.code)))
        self.code = []

    def fail(self) -> NoReturn:
        raise AngleError(f"'{_short(self.text)}' is not an expression")


def evaluate(angle: AngleExpression, names: Mapping[str, float]) -> float:
    """The finite value of an expression; `names` are a gate's parameters."""
    try:
        value = _value(angle, names)
    except ZeroDivisionError:
        raise AngleError(f"'{_short(angle.text)}' divides by zero") from None
    except OverflowError:
        raise AngleError(f"'{_short(angle.text)}' is too large") from None
    except AngleError:
        raise
    except ValueError:
        raise AngleError(f"'{_short(angle.text)}' has no real value") from None
    if not math.isfinite(value):
        raise AngleError(f"'{_short(angle.text)}' is {value}, not a finite angle")
    return value


def _value(angle: AngleExpression, names: Mapping[str, float]) -> float:
    stack: list[float] = []
    for item in angle.code:
        if isinstance(item, float):
            stack.append(item)
        elif isinstance(item, str):
            stack.append(_named(item, names))
        elif item.arity == 1:
            stack[-1] = item.apply(stack[-1])
        else:
            right = stack.pop()
            stack[-1] = item.apply(stack[-1], right)
    return stack[0]


def _named(name: str, names: Mapping[str, float]) -> float:
    if name in names:
        return names[name]
    if name in CONSTANTS:
        return CONSTANTS[name]
    raise AngleError(f"unknown name '{name}' in an angle")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else f"{text[:37]}..."
