"""Classical expressions as Boolean functions, bit by bit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest

from qismc.program import (
    Assign,
    AssignAt,
    Binary,
    Branch,
    Const,
    Expression,
    Read,
    Switch,
    Unary,
    wrap,
    write_bits,
)
from qismc.symbolic.logic import Bool, Logic

WIDEST_PRODUCT = 64
LARGEST_TABLE = 10
"""Largest number of bits read by an expression that is written as a table of all cases."""
SMALL_TABLE = 8
"""Conditions with sums become tables, too, if they read at most so many bits."""
LONGEST_SHIFT = 4096


class NotSymbolic(Exception):  # noqa: N818 - another decider is asked, and users are told the reason
    """Something that levels, or stabiliser groups, cannot express; the message says what."""


@contextmanager
def nested() -> Iterator[None]:
    """Raise NotSymbolic where functions of functions are nested so deeply that Python gives up."""
    try:
        yield
    except RecursionError:
        raise NotSymbolic("a classical value that depends on too many others") from None


@dataclass(frozen=True)
class BitWord:
    """An integer in two's complement: digits, lowest first, and `sign` for ever after."""

    digits: tuple[Bool, ...]
    sign: Bool = False

    def digit(self, place: int) -> Bool:
        return self.digits[place] if place < len(self.digits) else self.sign


Bits = Callable[[int], Bool]
"""What stands at a position of the store."""


@dataclass(frozen=True)
class BitArithmetic:
    """Expressions over a store whose bits are functions of levels."""

    logic: Logic
    bits: Bits

    def condition(self, expression: Expression) -> Bool:
        """Is the value not 0? Where few bits decide about sums of many digits, by cases."""
        if expression.reads.bit_count() <= SMALL_TABLE and _computes(expression):
            read = positions(expression.reads)
            return self._by_cases(read, [int(bool(value)) for value in self._values(expression, read)])
        return self._nonzero(self.word(expression))

    def equals(self, expression: Expression, value: int) -> Bool:
        return self._equal(self.word(expression), constant(value))

    def digits(self, expression: Expression, width: int) -> list[Bool]:
        """The lowest digits of the value."""
        word = self.word(expression)
        return [word.digit(k) for k in range(width)]

    def word(self, expression: Expression) -> BitWord:
        match expression:
            case Const(value):
                return constant(value)
            case Read(bits, signed):
                digits = tuple(self.bits(bit) for bit in bits)
                return BitWord(digits, digits[-1] if signed and digits else False)
            case Unary(op, operand, width, signed):
                return _wrapped(self._unary(op, self.word(operand)), width, signed)
            case Binary(op, left, right, width, signed):
                found = self._binary(op, self.word(left), self.word(right))
                return self._table(expression) if found is None else _wrapped(found, width, signed)

    # --- statements --------------------------------------------------------------------------------------

    def writes(self, statement: Assign | AssignAt) -> list[tuple[int, Bool, Bool]]:
        """The bits that may be written, each with its new digit and with the condition of being written."""
        bits, digits = statement.bits, self.digits(statement.value, len(statement.bits))
        if isinstance(statement, Assign):
            return [(bit, digit, True) for bit, digit in zip(bits, digits, strict=True)]
        return [(bit, digits[0], self.equals(statement.index, k)) for k, bit in enumerate(bits)]

    def ways(self, statement: Branch | Switch, settle: Callable[[int], int]) -> dict[int, Bool]:
        """The points where control may go on, and when: conditions that exclude each other."""
        if isinstance(statement, Branch):
            then, otherwise = settle(statement.then), settle(statement.otherwise)
            condition = self.condition(statement.condition)
            both = {otherwise: self.logic.negation(condition), then: condition}
            return both if len(both) == 2 else {then: True}
        cases = [(point, self.equals(statement.target, k)) for k, point in statement.cases.items()]
        rest = self.logic.negation(self.logic.disjunction(*(condition for _, condition in cases)))
        found: dict[int, list[Bool]] = {}
        for point, condition in (*cases, (statement.default, rest)):
            found.setdefault(settle(point), []).append(condition)
        return {point: self.logic.parity(*conditions) for point, conditions in found.items()}

    # --- operators ---------------------------------------------------------------------------------------

    def _unary(self, op: str, a: BitWord) -> BitWord:
        if op == "not":
            return _bit(self.logic.negation(self._nonzero(a)))
        if op == "bool":
            return _bit(self._nonzero(a))
        if op == "~":
            return self._inverted(a)
        return self._sum(self._inverted(a), constant(0), True) if op == "-" else a

    def _binary(self, op: str, a: BitWord, b: BitWord) -> BitWord | None:
        """The value, or None where there is no formula."""
        logic = self.logic
        if op in ("&", "|", "^"):
            each = {"&": logic.conjunction, "|": logic.disjunction, "^": logic.parity}[op]
            pairs = zip_longest(a.digits, b.digits)
            digits = [each(a.sign if x is None else x, b.sign if y is None else y) for x, y in pairs]
            return BitWord(tuple(digits), each(a.sign, b.sign))
        if op in ("and", "or"):
            join = logic.conjunction if op == "and" else logic.disjunction
            return _bit(join(self._nonzero(a), self._nonzero(b)))
        if op in ("==", "!="):
            same = self._equal(a, b)
            return _bit(same if op == "==" else logic.negation(same))
        if op in ("<", ">", "<=", ">="):
            less = self._less(a, b) if op in ("<", ">=") else self._less(b, a)
            return _bit(less if op in ("<", ">") else logic.negation(less))
        if op in ("+", "-"):
            return self._sum(a, b, False) if op == "+" else self._sum(a, self._inverted(b), True)
        if op == "*":
            return self._product(a, b)
        return self._shifted(op, a, b)

    def _nonzero(self, a: BitWord) -> Bool:
        return self.logic.disjunction(a.sign, *a.digits)

    def _inverted(self, a: BitWord) -> BitWord:
        return BitWord(tuple(self.logic.negation(d) for d in a.digits), self.logic.negation(a.sign))

    def _equal(self, a: BitWord, b: BitWord) -> Bool:
        pairs = zip_longest((*a.digits, a.sign), (*b.digits, b.sign))
        return self.logic.conjunction(
            *(self._same(a.sign if x is None else x, b.sign if y is None else y) for x, y in pairs)
        )

    def _same(self, x: Bool, y: Bool) -> Bool:
        if isinstance(y, bool):
            return x if y else self.logic.negation(x)
        return self.logic.negation(self.logic.parity(x, y))

    def _less(self, a: BitWord, b: BitWord) -> Bool:
        """The highest place where they differ decides; signs count the other way round."""
        logic = self.logic
        less: Bool = False
        for k in range(max(len(a.digits), len(b.digits))):
            x, y = a.digit(k), b.digit(k)
            less = logic.choice(logic.parity(x, y), y, less)
        return logic.choice(logic.parity(a.sign, b.sign), a.sign, less)

    def _sum(self, a: BitWord, b: BitWord, carry: Bool) -> BitWord:
        logic = self.logic
        digits: list[Bool] = []
        for k in range(max(len(a.digits), len(b.digits)) + 1):
            x, y = a.digit(k), b.digit(k)
            differ = logic.parity(x, y)
            digits.append(logic.parity(differ, carry))
            carry = logic.parity(logic.conjunction(x, y), logic.conjunction(differ, carry))
        return BitWord(tuple(digits), logic.parity(a.sign, b.sign, carry))

    def _product(self, a: BitWord, b: BitWord) -> BitWord | None:
        for number, other in ((_number(a), b), (_number(b), a)):
            if number is not None:
                return self._scaled(other, number)
        width = len(a.digits) + len(b.digits)
        if a.sign is not False or b.sign is not False or width > WIDEST_PRODUCT:
            return None
        total = constant(0)
        for k, factor in enumerate(b.digits):
            row = tuple(self.logic.conjunction(factor, digit) for digit in a.digits)
            total = self._sum(total, BitWord((False,) * k + row), False)
        return BitWord(total.digits[:width])

    def _scaled(self, a: BitWord, factor: int) -> BitWord:
        """A word times a number: a sum of shifted copies, negated if need be."""
        total = constant(0)
        for place in positions(abs(factor)):
            total = self._sum(total, BitWord((False,) * place + a.digits, a.sign), False)
        return total if factor >= 0 else self._sum(constant(0), self._inverted(total), True)

    def _shifted(self, op: str, a: BitWord, b: BitWord) -> BitWord | None:
        """Shifts by a constant, and to the right by anything, of numbers that are not negative."""
        by = _number(b)
        if op == "<<":
            return (
                BitWord((False,) * by + a.digits, a.sign)
                if by is not None and 0 <= by < LONGEST_SHIFT
                else None
            )
        if op not in (">>", "index") or a.sign is not False or b.sign is not False:
            return None
        selected = [self._equal(b, constant(k)) for k in range(len(a.digits))]
        width = 1 if op == "index" else len(a.digits)
        moved = (
            self.logic.parity(
                *(self.logic.conjunction(s, a.digit(k + place)) for k, s in enumerate(selected))
            )
            for place in range(width)
        )
        return BitWord(tuple(moved))

    def _table(self, expression: Expression) -> BitWord:
        """By cases over every bit that is read."""
        read = positions(expression.reads)
        if len(read) > LARGEST_TABLE:
            raise NotSymbolic(f"an expression with an operator that takes a table of {len(read)} bits")
        values = self._values(expression, read)
        width = max(value.bit_length() for value in values)
        digits = tuple(self._by_cases(read, [value >> k & 1 for value in values]) for k in range(width))
        return BitWord(digits, self._by_cases(read, [int(value < 0) for value in values]))

    def _values(self, expression: Expression, read: list[int]) -> list[int]:
        """Of every combination of the bits that are read."""
        return [expression.evaluate(write_bits(0, tuple(read), case)) for case in range(1 << len(read))]

    def _by_cases(self, read: list[int], column: list[int]) -> Bool:
        if len(set(column)) == 1:
            return bool(column[0])
        half = len(column) // 2
        low, high = (self._by_cases(read[:-1], part) for part in (column[:half], column[half:]))
        return self.logic.choice(self.bits(read[-1]), high, low)


def _computes(expression: Expression) -> bool:
    """Is something added, multiplied or shifted?"""
    match expression:
        case Binary(op, left, right):
            return op in ("+", "-", "*", "<<", ">>", "/", "%") or _computes(left) or _computes(right)
        case Unary(op, operand):
            return op == "-" or _computes(operand)
    return False


def positions(mask: int) -> list[int]:
    """The places of the ones of a mask, lowest first."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def constant(value: int) -> BitWord:
    return BitWord(tuple(bool(value >> k & 1) for k in range(value.bit_length())), value < 0)


def _number(word: BitWord) -> int | None:
    """The value of a word whose digits are constants."""
    if not all(isinstance(digit, bool) for digit in (*word.digits, word.sign)):
        return None
    value = sum(bool(digit) << k for k, digit in enumerate(word.digits))
    return value - (1 << len(word.digits)) if word.sign else value


def _bit(function: Bool) -> BitWord:
    return BitWord((function,))


def _wrapped(word: BitWord, width: int | None, signed: bool) -> BitWord:
    number = _number(word)
    if number is not None:
        return constant(wrap(number, width, signed))
    if width is None:
        return word
    digits = tuple(word.digit(k) for k in range(width))
    return BitWord(digits, digits[-1] if signed and digits else False)
