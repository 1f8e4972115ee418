"""The gates of a program as columns: long programs repeat few operators, and arrays are quick."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from qismc.program.operators import Operator
from qismc.program.program import Program
from qismc.program.statements import Apply

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Columns:
    """Gate k stands at points[k] and applies operators[numbers[k]] to qubits[starts[k] : starts[k + 1]]."""

    points: Integers
    numbers: Integers
    operators: tuple[Operator, ...]
    """Different objects, in the order in which they first occur."""
    starts: Integers
    qubits: Integers

    def between(self, first: int, last: int) -> slice:
        """The gates at the points first <= p < last."""
        begin, end = np.searchsorted(self.points, (first, last))
        return slice(int(begin), int(end))


def columns(program: Program) -> Columns:
    """The columns of a program, made once."""
    return program.once("columns", _columns)


def _columns(program: Program) -> Columns:
    gates = [statement for statement in program.code if type(statement) is Apply]
    points = np.flatnonzero([type(statement) is Apply for statement in program.code])
    operators = {id(operator): operator for operator, _ in gates}
    numbers = {name: number for number, name in enumerate(operators)}
    widths = [len(qubits) for _, qubits in gates]
    return Columns(
        points,
        np.array([numbers[id(operator)] for operator, _ in gates], dtype=np.int64),
        tuple(operators.values()),
        np.concatenate(([0], np.cumsum(widths, dtype=np.int64))),
        np.array([qubit for _, qubits in gates for qubit in qubits], dtype=np.int64),
    )
