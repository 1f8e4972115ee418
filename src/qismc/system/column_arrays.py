"""The gates of a program as columns: long programs repeat few operators, and arrays are quick."""

from __future__ import annotations

import hashlib
import marshal
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import assert_never

from qismc import _core
from qismc.program import (
    Apply,
    Base,
    Binary,
    Branch,
    Channel,
    Const,
    Expression,
    Initialize,
    Jump,
    Measure,
    Operator,
    Program,
    Read,
    Statement,
    Unary,
    Variable,
)


@dataclass(frozen=True, eq=False)
class Columns:
    """The one walk over all statements: whoever asks for all gates, or for all other ones, asks here."""

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


def crossed(program: Program) -> list[Statement]:
    """The statements that are no gates, in order."""
    return [program.code[point] for point in crossings(program)]


def _columns(program: Program) -> Columns:
    table = _core.Columns(program.code, Apply)
    return Columns(table, table.operators, table.bases, table.crossings.tolist())


INTEGERS = np.dtype("<i4")
"""On every machine the same."""
PLAIN = 0
"""The form of written objects that does not tell whether equal parts of them are one object."""
PARTS = attrgetter(*Variable.__match_args__)
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


def _spelled(statement: Statement) -> Any:
    """What a statement does that is no gate, whatever its operators are called, in plain tuples and texts."""
    match statement:  # texts of classes take long: the frequent ones have none
        case Measure(qubit, bit):
            return "measure", qubit, bit
        case Branch(condition, then, otherwise, loop):
            return "branch", _read(condition), then, otherwise, loop
        case Jump(target):
            return "jump", target
        case Initialize(qubits, preparation):
            return "initialize", qubits, preparation.width, repr(preparation.factors)
        case Channel(qubits, kraus):
            return "channel", qubits, repr([(operator.width, operator.factors) for operator in kraus])
        case _:
            return repr(statement)


def _read(expression: Expression) -> Any:
    """What an expression reads from the store."""
    match expression:
        case Binary(op, Read(bits, negative), Const(value), None, False):  # as most conditions are
            return op, bits, negative, value
        case Binary(op, left, right, width, signed):
            return op, _read(left), _read(right), width, signed
        case Read(bits, signed):
            return "read", bits, signed
        case Const(value):
            return value
        case Unary(op, operand, width, signed):
            return op, _read(operand), width, signed
    assert_never(expression)
