"""An edit as a change of the text that the program was written in.

A patch of an OpenQASM text is only given if it is right: the changed text, read again, is the edited program.

Statements of Python programs: lines such as `qc.cx(0, 1)`, where what is written is what is meant.

The text cannot be run again, so only the plainest of lines are changed: one call on one line that made this
statement and no other, its operands written as numbers that are those of the program.
"""

from __future__ import annotations

import ast
import difflib
import linecache
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import NamedTuple

from qismc.common.loading import loading
from qismc.edits.edit import Action, Edit, Insert, Remove, Replace, source_of
from qismc.edits.qasm_text import QasmPatcher, Unwritable
from qismc.errors import QismcError
from qismc.program import (
    Apply,
    Binary,
    Branch,
    Channel,
    Const,
    Expression,
    Initialize,
    Leaf,
    Measure,
    Program,
    Read,
    Reset,
    Statement,
    Unary,
    angle_text,
    read_text,
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


LONGEST_TEXT = 20_000
"""Lines; the text of longer programs is not read again for a patch."""


class Hunk(NamedTuple):
    """Lines `first` .. `first + removed - 1` become `added`."""

    first: int
    removed: int
    added: tuple[str, ...]


@dataclass(frozen=True)
class Patch:
    """The text of a file before and after."""

    file: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def diff(self) -> str:
        """A unified diff."""
        name = PurePath(self.file).as_posix().lstrip("/")
        lines = difflib.unified_diff(self.before, self.after, f"a/{name}", f"b/{name}", n=2, lineterm="")
        return "\n".join(lines)

    @property
    def hunks(self) -> Iterator[Hunk]:
        """The changed lines, numbered from 1 as in the text before."""
        matcher = difflib.SequenceMatcher(None, self.before, self.after, autojunk=False)
        for tag, i, j, k, m in matcher.get_opcodes():
            if tag != "equal":
                yield Hunk(i + 1, j - i, self.after[k:m])


def patch(program: Program, edit: Edit) -> Patch | None:
    """The edit of the source text, where there is one file with a text in which it can be said."""
    sources = [source_of(program, action.point) for action in edit.actions]
    files = {source.file for source in sources if source is not None}
    if len(files) != 1 or None in sources:
        return None
    (file,) = files
    try:
        if file in program.lines:
            return _qasm_patch(program, edit, file, program.lines[file])
        return _python_patch(program, edit, file)
    except (Unwritable, QismcError):
        return None


def _qasm_patch(program: Program, edit: Edit, file: str, lines: Sequence[str]) -> Patch | None:
    if len(lines) > LONGEST_TEXT:
        return None
    text = QasmPatcher(program, file, lines).changed(edit.actions)
    again, edited = read_text(text, file, program.include), edit.apply(program)
    if dict(again.marked) != dict(edited.marked) or not same_code(again.code, edited.code):
        return None
    return Patch(file, tuple(lines), tuple(text.split("\n")))


def _python_patch(program: Program, edit: Edit, file: str) -> Patch | None:
    lines = [line.rstrip("\r\n") for line in linecache.getlines(file)]
    if not file.endswith(".py") or not lines or len(edit.actions) != 1:
        return None
    after = PythonPatcher(program, lines).apply(edit.actions[0])
    try:
        ast.parse("\n".join(after))
    except SyntaxError:  # nothing is left in a block
        return None
    return Patch(file, tuple(lines), tuple(after))


def same_code(left: Sequence[Statement], right: Sequence[Statement]) -> bool:
    """Do the two do the same, step by step? Names of operators do not matter."""
    return len(left) == len(right) and all(map(_same, left, right))


def _same(left: Statement, right: Statement) -> bool:
    match left, right:
        case Apply(a, p), Apply(b, q):
            return p == q and a.width == b.width and a.factors == b.factors
        case Initialize(p, a), Initialize(q, b):
            return p == q and a.factors == b.factors
        case Channel(p, a_s), Channel(q, b_s):
            return p == q and [a.factors for a in a_s] == [b.factors for b in b_s]
        case Branch(one), Branch(other):
            return replace(left, condition=_plain(one)) == replace(right, condition=_plain(other))
    return left == right


def _plain(condition: Expression) -> Expression:
    """A single bit that is compared with 1 or 0, as the bit or its negation."""
    match condition:
        case Binary("==" | "!=" as op, Read((_,)) as bit, Const(0 | 1 as value)):
            return bit if bool(value) == (op == "==") else Unary("not", bit)
    return condition
