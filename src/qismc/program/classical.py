"""Classical expressions over the store.

The store is one big integer; every classical bit of the program (loose bits, register bits, the bits of
variables) owns one position in it. An expression reads some positions and yields an unsigned integer
(a Boolean is 0 or 1) or, for two's-complement operations, an integer of either sign.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar

from qismc.common.lazily import Frozen, cached_property

Store = int
MAX_TERMS = 300
"""Maximum depth of an expression: later stages recurse over it."""


@lru_cache(maxsize=4096)
def _is_stretch(bits: tuple[int, ...]) -> bool:
    """Are these consecutive positions? Those of most registers are."""
    return len(bits) > 0 and bits == tuple(range(bits[0], bits[0] + len(bits)))


def read_bits(store: Store, bits: tuple[int, ...]) -> int:
    """The number whose binary digits, least significant first, stand at `bits`."""
    if len(bits) == 1:
        return store >> bits[0] & 1
    if _is_stretch(bits):
        return (store >> bits[0]) & mask(len(bits))
    value = 0
    for place, bit in enumerate(bits):
        value |= ((store >> bit) & 1) << place
    return value


def write_bits(store: Store, bits: tuple[int, ...], value: int) -> Store:
    """The store with the low digits of `value` written to `bits`."""
    for place, bit in enumerate(bits):
        store = write_bit(store, bit, (value >> place) & 1)
    return store


def write_bit(store: Store, bit: int, digit: int) -> Store:
    """The store with one digit written to a position."""
    return store | 1 << bit if digit else store & ~(1 << bit)


def mask_of(bits: tuple[int, ...]) -> int:
    """The mask of some positions of the store."""
    return 1 << bits[0] if len(bits) == 1 else sum([1 << bit for bit in set(bits)])


def mask(width: int) -> int:
    """The largest unsigned number of `width` bits."""
    return (1 << width) - 1


class Const(Frozen):
    """A literal."""

    value: int

    reads: ClassVar[int] = 0

    def evaluate(self, store: Store) -> int:  # noqa: ARG002 - the same signature for every node
        return self.value


class Read(Frozen):
    """The unsigned number at some positions of the store, least significant first."""

    bits: tuple[int, ...]
    signed: bool = False

    def evaluate(self, store: Store) -> int:
        bits = self.bits
        if len(bits) == 1 and not self.signed:
            return store >> bits[0] & 1
        value = read_bits(store, bits)
        return wrap(value, len(bits), signed=True) if self.signed else value

    @cached_property
    def reads(self) -> int:
        return mask_of(self.bits)


UNARY: dict[str, Callable[[int], int]] = {
    "not": lambda a: int(not a),
    "~": operator.invert,
    "-": operator.neg,
    "bool": lambda a: int(bool(a)),
    "+": operator.pos,
}


class Unary(Frozen):
    """One operand; the result wraps to `width` bits if a width is given."""

    op: str
    operand: Expression
    width: int | None = None
    signed: bool = False

    def evaluate(self, store: Store) -> int:
        return wrap(UNARY[self.op](self.operand.evaluate(store)), self.width, self.signed)

    @cached_property
    def reads(self) -> int:
        return self.operand.reads


def _divide(a: int, b: int) -> int:
    """Quotient rounded towards zero, as in C; a division by zero yields 0."""
    if b == 0:
        return 0
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


BINARY: dict[str, Callable[[int, int], int]] = {
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "and": lambda a, b: int(bool(a) and bool(b)),
    "or": lambda a, b: int(bool(a) or bool(b)),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "<<": lambda a, b: a << b if 0 <= b < 100_000 else 0,
    ">>": lambda a, b: a >> b if b >= 0 else 0,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divide,
    "%": lambda a, b: a - b * _divide(a, b) if b else 0,
    "index": lambda a, b: (a >> b) & 1 if b >= 0 else 0,
}


class Binary(Frozen):
    """Two operands; the result wraps to `width` bits if a width is given."""

    op: str
    left: Expression
    right: Expression
    width: int | None = None
    signed: bool = False

    def evaluate(self, store: Store) -> int:
        right = self.right
        other = right.value if type(right) is Const else right.evaluate(store)
        value = BINARY[self.op](self.left.evaluate(store), other)
        return value if self.width is None else wrap(value, self.width, self.signed)

    @cached_property
    def reads(self) -> int:
        return self.left.reads | self.right.reads


Expression = Const | Read | Unary | Binary


def wrap(value: int, width: int | None, signed: bool) -> int:
    """`value` modulo 2^width, in the signed or unsigned range; unchanged without a width."""
    if width is None:
        return value
    value &= mask(width)
    return value - (1 << width) if signed and width and value >> (width - 1) else value


LOW_DIGITS = frozenset({"+", "-", "*", "&", "|", "^"})
"""Operations whose low digits depend on the low digits of the operands alone."""


def narrowed(expression: Expression, width: int) -> Expression:
    """An expression with the same lowest `width` digits that computes no others, where that can be said."""
    match expression:
        case Binary(op, left, right, own, _) if own is not None and own > width:
            if op in LOW_DIGITS:
                return Binary(op, narrowed(left, width), narrowed(right, width), width)
            if op == "<<":
                return Binary(op, narrowed(left, width), right, width)
        case Unary(op, operand, own, _) if op in ("+", "-", "~") and own is not None and own > width:
            return Unary(op, narrowed(operand, width), width)
    return expression


class Variable(Frozen):
    """A register, a loose bit or a variable of the user, with its store positions (lowest digit first).

    `hidden` variables (loop counters, temporaries) are not shown to the user.
    """

    name: str
    bits: tuple[int, ...]
    signed: bool = False
    is_bit: bool = False
    hidden: bool = False

    @property
    def mask(self) -> int:
        """The positions as a mask of the store."""
        return mask_of(self.bits)

    def value(self, store: Store) -> int:
        return wrap(read_bits(store, self.bits), len(self.bits), self.signed)
