"""Statements of Python programs: lines such as `qc.cx(0, 1)`, where what is written is what is meant.

The text cannot be run again, so only the plainest of lines are changed: one call on one line that made this
statement and no other, its operands written as numbers that are those of the program.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from qismc.common.loading import loading
from qismc.edits.edit import Action, Insert, Remove, Replace
from qismc.edits.qasm_text import Unwritable
from qismc.program import (
    Apply,
    Binary,
    Const,
    Expression,
    Leaf,
    Measure,
    Program,
    Read,
    Reset,
    Statement,
    angle_text,
)

CALL = re.compile(r"(?P<indent>\s*)(?P<circuit>\w[\w.]*)\.\w+\((?P<arguments>[^()\[\]]*)\)\s*(?:#.*)?")


class PythonPatcher:
    """The lines of one file."""

    def __init__(self, program: Program, lines: Sequence[str]) -> None:
        self._program = program
        self._lines = list(lines)

    def apply(self, action: Action) -> list[str]:
        """The lines after an action."""
        if isinstance(self._program.code[action.point], Leaf):
            raise Unwritable
        number = self._line(action.point)
        call = CALL.fullmatch(self._lines[number])
        if call is None or not self._literal(call["arguments"], self._program.code[action.point]):
            raise Unwritable
        indent, circuit = call["indent"], call["circuit"]
        match action:
            case Insert(_, statement, condition, after):
                new = self._written(statement, condition, indent, circuit)
                place = number + after
                return [*self._lines[:place], *new, *self._lines[place:]]
            case Remove():
                return self._lines[:number] + self._lines[number + 1 :]
            case Replace(_, statement):
                new = self._written(statement, None, indent, circuit)
                return [*self._lines[:number], *new, *self._lines[number + 1 :]]
        raise Unwritable

    def _line(self, point: int) -> int:
        """The line that made the statement at a point and nothing else."""
        source = self._program.sources[point]
        if source is None or source.line > len(self._lines):
            raise Unwritable
        if sum(s is not None and s[:2] == source[:2] for s in self._program.sources) != 1:
            raise Unwritable
        return source.line - 1

    def _literal(self, arguments: str, statement: Statement) -> bool:
        """Are the last arguments of a call the numbers of the statement's operands?"""
        match statement:
            case Apply(_, qubits):
                numbers = list(qubits)
            case Measure(qubit, bit):
                numbers = [qubit, bit]
            case Reset(qubit):
                numbers = [qubit]
            case _:
                return False
        written = [argument.strip() for argument in arguments.split(",")][-len(numbers) :]
        return written == [str(number) for number in numbers]

    def _written(
        self, statement: Statement, condition: Expression | None, indent: str, circuit: str
    ) -> list[str]:
        call = f"{circuit}.{_call(statement)}"
        if condition is None:
            return [f"{indent}{call}"]
        head = f"with {circuit}.if_test({self._test(condition, circuit)}):"
        return [f"{indent}{head}", f"{indent}    {call}"]

    def _test(self, condition: Expression, circuit: str) -> str:
        match condition:
            case Binary("==", Read((bit,)), Const(value)):
                return f"({circuit}.clbits[{bit}], {value})"
            case Read((bit,)):
                return f"({circuit}.clbits[{bit}], 1)"
        raise Unwritable


def _call(statement: Statement) -> str:
    with loading():
        import qiskit  # noqa: PLC0415 - it is slow to load

    match statement:
        case Apply(operator, qubits) if operator.name.isidentifier() and hasattr(
            qiskit.QuantumCircuit, operator.name
        ):
            arguments = [*map(angle_text, operator.angles), *map(str, qubits)]
            return f"{operator.name}({', '.join(arguments)})"
        case Measure(qubit, bit):
            return f"measure({qubit}, {bit})"
        case Reset(qubit):
            return f"reset({qubit})"
    raise Unwritable
