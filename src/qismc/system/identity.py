"""What tells programs apart, from their columns: what is random in a check is drawn from it.

Certificates carry the fingerprint instead, which needs nothing but the readers of programs.
"""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

from qismc.program.fingerprint import layout_text
from qismc.program.program import Program
from qismc.program.statements import Channel, Initialize, Statement
from qismc.system.columns import Columns, columns

INTEGERS = np.dtype("<i4")
"""On every machine the same."""


def identity(program: Program) -> str:
    """Two programs with one identity have the same transition system; names and places do not matter."""
    return program.once("identity", _identity)


def _identity(program: Program) -> str:
    digest = hashlib.blake2b(digest_size=16)
    gates = columns(program)
    crossings = [(point, _text(program.code[point])) for point in gates.crossings]
    marks = sorted(program.marked.items())
    bases = [(base.name, base.angles, base.entries) for base in gates.bases]
    numbers = _numbers(gates)
    lengths = [len(column) for column in numbers]
    digest.update(repr((layout_text(program), marks, crossings, bases, lengths)).encode())
    for column in numbers:
        digest.update(column.astype(INTEGERS, copy=False).data)
    return digest.hexdigest()


def _numbers(gates: Columns) -> tuple[npt.NDArray[np.int32], ...]:
    """What the gates are, but for the matrices that numbers stand for."""
    table = gates.table
    return table.spelled, table.numbers, table.starts, table.qubits


def _text(statement: Statement) -> str:
    """What a statement does that is no gate, whatever its operators are called."""
    match statement:
        case Initialize(qubits, preparation):
            return repr(("initialize", qubits, preparation.width, preparation.factors))
        case Channel(qubits, kraus):
            return repr(("channel", qubits, [(operator.width, operator.factors) for operator in kraus]))
        case _:
            return repr(statement)
