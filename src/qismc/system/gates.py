"""The gates of a program as columns of numbers, stretches of them, and what tells programs apart.

Long programs repeat few operators, so that a gate is a few numbers in arrays.
"""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import Any, overload

import numpy as np
import numpy.typing as npt
from typing_extensions import assert_never

from qismc import _core
from qismc.program import Apply, Base, Operator, Program, classical, statements

Application = Apply
"""An operator on qubits. As a statement of a program it is unitary; projections act in the same way."""
Layout = _core.Layout
"""Where the factors of operators act; it knows no numbers and no order of levels."""
LONG = 8
"""Smallest number of points of a stretch whose layout is cached."""


@dataclass(frozen=True, eq=False)
class Columns:
    """The gates of a program, and where its other statements are: one walk over the code finds both."""

    table: _core.Columns
    """Gate k stands at points[k] and applies operators[numbers[k]] to qubits[starts[k] : starts[k + 1]]."""
    operators: tuple[Operator, ...]
    """Those with different factors, in the order in which they first occur."""
    bases: tuple[Base, ...]
    """The different matrices of their factors."""
    crossings: list[int]
    """The points whose statements are no gates."""


def columns(program: Program) -> Columns:
    """The columns of a program, made once."""
    return program.once("columns", _columns)


def crossings(program: Program) -> list[int]:
    """The points whose statements are no gates, in order: only behind them control may turn."""
    return columns(program).crossings


def crossed(program: Program) -> list[statements.Statement]:
    """The statements that are no gates, in order."""
    return [program.code[point] for point in crossings(program)]


def _columns(program: Program) -> Columns:
    table = _core.Columns(program.code, Apply)
    return Columns(table, table.operators, table.bases, table.crossings.tolist())


def layout_of(applications: Sequence[Application]) -> Layout:
    """The factors of all operators, first one first."""
    return _core.Columns(applications, None).layout(0, len(applications))


class Stretch(Sequence[Application]):
    """The gates at the points first <= p < last of a program."""

    def __init__(self, program: Program, first: int, last: int) -> None:
        self._program = program
        self.key = (first, last)

    @property
    def points(self) -> int:
        """How many there are, of gates and others."""
        return self.key[1] - self.key[0]

    def part(self, begin: int, end: int) -> Stretch:
        """The gates at some of the points, counted from the first."""
        return Stretch(self._program, self.key[0] + begin, self.key[0] + end)

    def common_points(self, other: Stretch) -> int:
        """With how many equal statements both begin."""
        count = min(self.points, other.points)
        mine, theirs = self.part(0, count)._code, other.part(0, count)._code
        if mine == theirs:
            return count
        pairs = enumerate(zip(mine, theirs, strict=True))  # one may be a list, the other a tuple
        return next((k for k, (a, b) in pairs if a != b), count)

    @property
    def _code(self) -> Sequence[statements.Statement]:
        return self._program.code[self.key[0] : self.key[1]]

    @property
    def is_long(self) -> bool:
        """Is it worth being kept?"""
        return self.key[1] - self.key[0] >= LONG

    @property
    def layout(self) -> Layout:
        if not self.is_long:
            return self._laid_out(self._program)
        return self._program.once(("layout", *self.key), self._laid_out)

    def _laid_out(self, program: Program) -> Layout:
        return columns(program).table.layout(*self.key)

    @property
    def listed(self) -> list[Application]:
        first, last = self.key
        return [s for s in self._program.code[first:last] if type(s) is Apply]

    def __iter__(self) -> Iterator[Application]:
        return iter(self.listed)

    def __len__(self) -> int:
        first, last = columns(self._program).table.between(*self.key)
        return last - first

    @overload
    def __getitem__(self, index: int) -> Application: ...
    @overload
    def __getitem__(self, index: slice) -> list[Application]: ...
    def __getitem__(self, index: int | slice) -> Application | list[Application]:
        return self.listed[index]

    def __add__(self, others: Iterable[Application]) -> list[Application]:
        return list(chain(self, others))


INTEGERS = np.dtype("<i4")
"""On every machine the same."""
PLAIN = 0
"""The form of written objects that does not tell whether equal parts of them are one object."""
PARTS = attrgetter(*classical.Variable.__match_args__)
"""All that a variable is."""


def identity(program: Program) -> str:
    """Two programs with one identity have the same transition system; names and places do not matter."""
    return program.once("identity", _identity)


def _identity(program: Program) -> str:
    digest = hashlib.blake2b(digest_size=16)
    gates = columns(program)
    crossings = [(point, _spelled(program.code[point])) for point in gates.crossings]
    marks = sorted(program.marked.items())
    bases = [(base.name, base.angles, base.entries) for base in gates.bases]
    numbers = _numbers(gates)
    lengths = [len(column) for column in numbers]
    digest.update(marshal.dumps((_layout(program), crossings, repr((marks, bases, lengths))), PLAIN))
    for column in numbers:
        digest.update(column.astype(INTEGERS, copy=False).data)
    return digest.hexdigest()


def _numbers(gates: Columns) -> tuple[npt.NDArray[np.int32], ...]:
    """What the gates are, but for the matrices that numbers stand for."""
    table = gates.table
    return table.spelled, table.numbers, table.starts, table.qubits


def _layout(program: Program) -> Any:
    """Qubits, registers, variables, and the store at the start."""
    registers = list(program.quantum_registers.items())
    variables = [(name, *PARTS(variable)) for name, variable in program.variables.items()]
    return program.qubits, registers, variables, program.store_width, program.initial_store


def _spelled(statement: statements.Statement) -> Any:
    """What a statement does that is no gate, whatever its operators are called, in plain tuples and texts."""
    match statement:  # texts of classes take long: the frequent ones have none
        case statements.Measure(qubit, bit):
            return "measure", qubit, bit
        case statements.Branch(condition, then, otherwise, loop):
            return "branch", _read(condition), then, otherwise, loop
        case statements.Jump(target):
            return "jump", target
        case statements.Initialize(qubits, preparation):
            return "initialize", qubits, preparation.width, repr(preparation.factors)
        case statements.Channel(qubits, kraus):
            return "channel", qubits, repr([(operator.width, operator.factors) for operator in kraus])
        case _:
            return repr(statement)


def _read(expression: classical.Expression) -> Any:
    """What an expression reads from the store."""
    match expression:
        case classical.Binary(
            op, classical.Read(bits, negative), classical.Const(value), None, False
        ):  # as most conditions are
            return op, bits, negative, value
        case classical.Binary(op, left, right, width, signed):
            return op, _read(left), _read(right), width, signed
        case classical.Read(bits, signed):
            return "read", bits, signed
        case classical.Const(value):
            return value
        case classical.Unary(op, operand, width, signed):
            return op, _read(operand), width, signed
    assert_never(expression)
