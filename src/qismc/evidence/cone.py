"""The cone of influence: which steps of an execution can matter for the claim at its end.

Let E be the effect "the outcomes that are read are those of the path, and the final state is outside the
proposition", summed over everything that is not read: unread outcomes and the Kraus choices of resets.
Going backwards, E acts on a set of qubits and reads a set of bits. A gate on other qubits commutes with E,
an unread measurement, reset or channel on other qubits preserves its trace, and a write to other bits is not
seen: none of them changes tr(E rho), so without them there is still a violating execution of the same shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from qismc.program import (
    Apply,
    Assign,
    AssignAt,
    Channel,
    Havoc,
    Initialize,
    Measure,
    Program,
    Reset,
    Statement,
)


class Influence(NamedTuple):
    """Can the statement of a step matter, and on which qubits does the claim depend before it?"""

    matters: bool
    qubits: frozenset[int]


def influences(
    program: Program, points: Sequence[int], qubits: Iterable[int], bits: int
) -> tuple[Influence, ...]:
    """For each step at a program point: what can matter for a claim about these qubits and bits?

    `points` are the visited program points in order; the last one is where the claim is made.
    """
    cone = _Cone(frozenset(qubits), bits)
    backwards = [Influence(True, cone.qubits)]
    for point in reversed(points[:-1]):
        matters = cone.step_back(program.code[point])
        backwards.append(Influence(matters, cone.qubits))
    return tuple(reversed(backwards))


class _Cone:
    """What the effect acts on (`qubits`) and reads (`bits`, a mask) at the current point of the way back.

    Steps share one set of qubits as long as it stays the same: executions have a hundred thousand steps.
    """

    def __init__(self, qubits: frozenset[int], bits: int) -> None:
        self.qubits = qubits
        self.bits = bits

    def step_back(self, statement: Statement) -> bool:
        """Pull the effect back through a statement; False if that changes nothing."""
        match statement:
            case Apply(operator, qubits):
                return not operator.is_identity and self._touch(qubits)
            case Channel(qubits):
                return self._touch(qubits)
            case Reset() | Initialize():
                return self._overwrite(statement.qubits)
            case Measure():
                return self._measure(statement)
            case Assign() | AssignAt() | Havoc():
                return self._write(statement)
        self.bits |= statement.reads
        return True  # control flow carries the path

    def _touch(self, qubits: tuple[int, ...]) -> bool:
        if self.qubits.isdisjoint(qubits):
            return False
        if not self.qubits.issuperset(qubits):
            self.qubits |= frozenset(qubits)
        return True

    def _overwrite(self, qubits: tuple[int, ...]) -> bool:
        """What stood on the qubits before does not matter any more."""
        if self.qubits.isdisjoint(qubits):
            return False
        self.qubits -= frozenset(qubits)
        return True

    def _measure(self, statement: Measure) -> bool:
        position = 1 << statement.bit
        if not self.bits & position and statement.qubit not in self.qubits:
            return False
        self.bits &= ~position
        if statement.qubit not in self.qubits:
            self.qubits |= {statement.qubit}
        return True

    def _write(self, statement: Assign | AssignAt | Havoc) -> bool:
        if not any(self.bits >> bit & 1 for bit in statement.bits):
            return False
        self.bits &= ~statement.sets
        self.bits |= statement.reads
        return True
