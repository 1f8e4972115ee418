"""Boolean functions of levels: what bits and conditions are, as functions of recorded outcomes.

A function is a constant, a literal, a conjunction or a parity. Equal functions built in the same way are the
same object, so that each is worked out once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar


@dataclass(frozen=True, eq=False)
class Literal:
    """The level has this value."""

    level: int
    value: int


@dataclass(frozen=True, eq=False)
class And:
    """All parts are true; there are two or more, none of them constant."""

    parts: tuple[Literal | And | Xor, ...]


@dataclass(frozen=True, eq=False)
class Xor:
    """An odd number of parts is true, or with `flipped` an even number."""

    parts: tuple[Literal | And | Xor, ...]
    flipped: bool


Bool = bool | Literal | And | Xor
Function = TypeVar("Function", Literal, And, Xor)


@dataclass
class Logic:
    """Makes functions and simplifies them on the way."""

    _known: dict[object, Bool] = field(default_factory=dict)
    _negations: dict[Bool, Bool] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many functions there are."""
        return len(self._known)

    def _one(self, key: object, node: Function) -> Function:
        found = self._known.setdefault(key, node)
        assert isinstance(found, type(node))
        return found

    def literal(self, level: int, value: int = 1) -> Literal:
        return self._one((level, value), Literal(level, value))

    def conjunction(self, *operands: Bool) -> Bool:
        parts: dict[Literal | And | Xor, None] = {}
        for operand in operands:
            if operand is False:
                return False
            if isinstance(operand, And):
                parts.update(dict.fromkeys(operand.parts))
            elif operand is not True:
                parts[operand] = None
        if len(parts) < 2:
            return next(iter(parts), True)
        if not parts.keys().isdisjoint(map(self.negation, parts)):
            return False
        return self._one(("and", frozenset(parts)), And(tuple(parts)))

    def parity(self, *operands: Bool) -> Bool:
        parts: dict[Literal | And | Xor, None] = {}
        flipped = False
        for operand in operands:
            inner: tuple[Bool, ...] = operand.parts if isinstance(operand, Xor) else (operand,)
            flipped ^= isinstance(operand, Xor) and operand.flipped
            for part in inner:
                flipped ^= part is True or (isinstance(part, Literal) and not part.value)
                if isinstance(part, bool):
                    continue
                kept = self.literal(part.level) if isinstance(part, Literal) else part
                if parts.pop(kept, kept) is kept:
                    parts[kept] = None
        return self._sum(tuple(parts), flipped)

    def _sum(self, parts: tuple[Literal | And | Xor, ...], flipped: bool) -> Bool:
        if not parts:
            return flipped
        if len(parts) == 1 and (not flipped or isinstance(parts[0], Literal)):
            only = parts[0]
            return self.literal(only.level, 0) if flipped and isinstance(only, Literal) else only
        return self._one(("xor", frozenset(parts), flipped), Xor(parts, flipped))

    def negation(self, operand: Bool) -> Bool:
        if isinstance(operand, bool):
            return not operand
        found = self._negations.get(operand)
        if found is None:
            if isinstance(operand, Literal):
                found = self.literal(operand.level, 1 - operand.value)
            else:
                found = self.parity(operand, True)
            self._negations[operand], self._negations[found] = found, operand
        return found

    def disjunction(self, *operands: Bool) -> Bool:
        return self.negation(self.conjunction(*(self.negation(operand) for operand in operands)))

    def choice(self, condition: Bool, then: Bool, otherwise: Bool) -> Bool:
        """`then` where the condition is true, else `otherwise`."""
        if condition is True or then is otherwise:
            return then
        if condition is False:
            return otherwise
        return self.parity(
            self.conjunction(condition, then), self.conjunction(self.negation(condition), otherwise)
        )


def evaluate(function: Bool, values: Mapping[int, int], known: dict[Bool, bool] | None = None) -> bool:
    """The function's value where the levels have these values; levels that are missing have 0."""
    known = {} if known is None else known

    def value(part: Bool) -> bool:
        if isinstance(part, Literal):
            return values.get(part.level, 0) == part.value
        return part if isinstance(part, bool) else known[part]

    pending = [function]
    while pending:  # bits that thousands of statements change are as deep as that
        top = pending[-1]
        if isinstance(top, And | Xor) and top not in known:
            missing = [part for part in top.parts if isinstance(part, And | Xor) and part not in known]
            if missing:
                pending += missing
                continue
            parts = [value(part) for part in top.parts]
            known[top] = all(parts) if isinstance(top, And) else (sum(parts) % 2 == 1) != top.flipped
        pending.pop()
    return value(function)


def levels_of(function: Bool) -> Iterator[int]:
    """The levels that a function looks at, each once."""
    pending, seen = [function], {function}
    found: set[int] = set()
    for node in pending:
        if isinstance(node, Literal) and node.level not in found:
            found.add(node.level)
            yield node.level
        elif isinstance(node, And | Xor):
            new = [part for part in node.parts if part not in seen]
            seen.update(new)
            pending += new
