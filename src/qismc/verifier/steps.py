"""What a statement does: the operators that act on each way out, and where control goes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from typing_extensions import assert_never

from qismc.program import (
    Apply,
    Assign,
    AssignAt,
    Base,
    Branch,
    Channel,
    Factor,
    Goto,
    Havoc,
    Initialize,
    Jump,
    Leaf,
    Mark,
    Measure,
    Operator,
    Program,
    Reset,
    Statement,
    Switch,
    write_bits,
)

Action = tuple[Operator, tuple[int, ...]]


def _single(name: str) -> Operator:
    return Operator(name, 1, (Factor(Base(name), (0,)),), unitary=False)


TO_ZERO = (_single("project0"), _single("lower"))
KEEPS = (_single("project0"), _single("project1"))


class WayOut(NamedTuple):
    """One way out: a choice from each family of operators acts, control goes to (point, store)."""

    families: tuple[tuple[Action, ...], ...]
    point: int
    store: int

    def choices(self) -> Iterator[tuple[int, ...]]:
        return product(*(range(len(family)) for family in self.families))

    def has(self, choice: tuple[int, ...]) -> bool:
        """Is it one of the choices?"""
        sizes = [len(family) for family in self.families]
        return len(choice) == len(sizes) and all(0 <= k < n for k, n in zip(choice, sizes, strict=True))

    def actions(self, choice: tuple[int, ...]) -> list[Action]:
        return [family[k] for family, k in zip(self.families, choice, strict=True)]


def _to_zero(qubit: int) -> tuple[Action, ...]:
    return tuple((operator, (qubit,)) for operator in TO_ZERO)


def ways(program: Program, point: int, store: int) -> list[WayOut]:
    """Every way out of (point, store), in the order of outcomes."""
    statement: Statement = program.code[point]

    def to(target: int, new: int, *families: tuple[Action, ...]) -> WayOut:
        return WayOut(families, program.settle(target), new)

    following = point + 1
    match statement:
        case Measure(qubit, bit):
            return [
                to(following, write_bits(store, (bit,), value), ((KEEPS[value], (qubit,)),))
                for value in (0, 1)
            ]
        case Reset(qubit):
            return [to(following, store, _to_zero(qubit))]
        case Initialize(qubits, preparation):
            return [to(following, store, *map(_to_zero, qubits), ((preparation, qubits),))]
        case Channel(qubits, kraus):
            return [to(following, store, tuple((operator, qubits) for operator in kraus))]
        case Assign(bits, value):
            return [to(following, write_bits(store, bits, value.evaluate(store) & ((1 << len(bits)) - 1)))]
        case AssignAt(bits, index, value):
            place = index.evaluate(store)
            chosen = (bits[place],) if 0 <= place < len(bits) else ()
            return [to(following, write_bits(store, chosen, value.evaluate(store) & 1))]
        case Havoc(bits):
            return [to(following, write_bits(store, bits, value)) for value in range(1 << len(bits))]
        case Branch(condition, then, otherwise):
            return [to(then if condition.evaluate(store) else otherwise, store)]
        case Switch(target, default, cases):
            return [to(cases.get(target.evaluate(store), default), store)]
        case Goto(target) | Jump(target):
            return [to(target, store)]
        case Apply() | Mark():  # gates act before the way is chosen
            return [to(following, store)]
        case Leaf():
            return [to(point, store)]
        case _:
            assert_never(statement)


def reads_and_writes(statement: Statement) -> tuple[int, int]:
    """Masks of the bits that a statement reads, and that it overwrites in any case."""
    match statement:
        case Measure(_, bit):
            return 0, 1 << bit
        case Assign(bits, value):
            return value.reads, _mask(bits)
        case AssignAt(bits, index, value):
            return index.reads | value.reads, 0
        case Havoc(bits):
            return 0, _mask(bits)
        case Branch(condition):
            return condition.reads, 0
        case Switch(target):
            return target.reads, 0
        case Apply() | Reset() | Initialize() | Channel() | Goto() | Jump() | Mark() | Leaf():
            return 0, 0
        case _:
            assert_never(statement)


def _mask(bits: tuple[int, ...]) -> int:
    return sum(1 << bit for bit in set(bits))
