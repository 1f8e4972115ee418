"""Statements of OpenQASM texts found, cut out and written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from qismc.edits.edit import PLACED_WITH_PREVIOUS, Action, Exchange, Insert, Remove, Replace
from qismc.program import (
    CONTROLLED,
    Apply,
    Binary,
    Branch,
    Const,
    Expression,
    Leaf,
    Measure,
    Operator,
    Program,
    Read,
    Statement,
    bits_text,
    blank_comments,
    expression_text,
    render,
    version_of,
)

SHARED_GATES = frozenset({
    "CX", "U", "ccx", "ch", "cp", "crx", "cry", "crz", "cswap", "cu", "cx", "cy", "cz", "h", "id", "p",
    "rx", "ry", "rz", "s", "sdg", "swap", "sx", "t", "tdg", "u1", "u2", "u3", "x", "y", "z",
})  # fmt: skip
LIBRARY = {
    2: SHARED_GATES
    | {"c3sqrtx", "c3x", "c4x", "csx", "cu1", "cu3", "rc3x", "rccx", "rxx", "rzz", "sxdg", "u", "u0"},
    3: SHARED_GATES | {"cphase", "gphase", "phase"},
}
"""The gates of qelib1.inc, as `QuantumCircuit.from_qasm_str` reads it, and of stdgates.inc, by version."""
BUILT_IN = frozenset({"CX", "U", "gphase"})
INCLUDED = re.compile(r"^\s*include\s*[\"'][^\"']*(?:stdgates|qelib1)\.inc[\"']\s*;", re.MULTILINE)
PLAIN_TEST = re.compile(r"\w+ == \d+")
HEAD = re.compile(r"(?:if|while)\s*\(")


class Unwritable(Exception):  # noqa: N818 - no error: there is no text for an edit
    """The edit cannot be said in the text."""


class Change(NamedTuple):
    """The characters from `start` to `end` become `text`."""

    start: int
    end: int
    text: str


class QasmPatcher:
    """One text; offsets count its characters."""

    def __init__(self, program: Program, file: str, lines: Sequence[str]) -> None:
        self._program = program
        self._file = file
        self._text = "\n".join(lines)
        self._bare = blank_comments(self._text)
        self._starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
        self._version = version_of(self._text, file).number
        self._includes = INCLUDED.search(self._text) is not None

    def changed(self, actions: Iterable[Action]) -> str:
        """The text after all actions; changes at one place keep their order."""
        parts, done = [], 0
        changes = (change for action in actions for change in self._changes(action))
        for change in sorted(changes, key=lambda change: change.start):
            parts += [self._text[done : change.start], change.text]
            done = change.end
        return "".join([*parts, self._text[done:]])

    def _changes(self, action: Action) -> Iterator[Change]:
        match action:
            case Insert():
                yield self._insert(action)
            case Remove(point):
                yield self._remove(point)
            case Replace(point, statement):
                yield self._replace(point, statement)
            case Exchange(point):
                texts = [self._text[slice(*self._place(k))] for k in (point, point + 1)]
                yield Change(*self._place(point), texts[1])
                yield Change(*self._place(point + 1), texts[0])

    def _place(self, point: int) -> tuple[int, int]:
        """Where the statement at a point begins and ends."""
        start = self._start(point)
        return start, self._end(start)

    def _insert(self, action: Insert) -> Change:
        point, after = action.point, action.after
        while isinstance(self._program.code[point], PLACED_WITH_PREVIOUS):
            if isinstance(self._program.code[point], Leaf):
                return self._append(action)
            point, after = point - 1, True
        start = self._start(point)
        written = self._written(action)
        if after:
            end = self._end(start)
            return Change(end, end, f"\n{self._indent(start)}{written}")
        separator = f"\n{self._indent(start)}" if self._opens_line(start) else " "
        return Change(start, start, f"{written}{separator}")

    def _append(self, action: Insert) -> Change:
        end = len(self._text.rstrip())
        return Change(end, end, f"\n{self._written(action)}")

    def _written(self, action: Insert) -> str:
        text = self._statement(action.statement)
        if action.condition is None:
            return text
        condition = self._asked(action.condition)
        return f"if ({condition}) {text}" if self._version == 2 else f"if ({condition}) {{ {text} }}"

    def _remove(self, point: int) -> Change:
        start, end = self._place(point)
        following = f"{self._text}\n".find("\n", end)
        if self._opens_line(start) and not self._text[end:following].strip():
            return Change(start - len(self._indent(start)), min(following + 1, len(self._text)), "")
        return Change(start, end, "")

    def _replace(self, point: int, statement: Statement) -> Change:
        if isinstance(statement, Branch):
            return Change(*self._condition(self._start(point)), self._asked(statement.condition))
        return Change(*self._place(point), self._statement(statement))

    def _statement(self, statement: Statement) -> str:
        if isinstance(statement, Measure) and self._version == 3:
            bit = bits_text(self._program, (statement.bit,))
            return f"{bit} = measure {self._program.qubits[statement.qubit]};"
        text = render(self._program, statement)
        return f"{self._as_defined(text, statement.operator) if isinstance(statement, Apply) else text};"

    def _asked(self, condition: Expression) -> str:
        """A condition: version 2 compares registers with numbers, version 3 asks single bits as they are."""
        text = expression_text(self._program, condition)
        match condition:
            case Binary("==" | "!=" as op, Read((_,)), Const(0 | 1 as value)) if self._version == 3:
                text = expression_text(self._program, condition.left)
                return text if bool(value) == (op == "==") else f"!{text}"
            case Binary("==", Read((_,) as bits), Const(value)):
                alone = [v.name for v in self._program.variables.values() if v.bits == bits and not v.hidden]
                text = f"{alone[0]} == {value}" if alone else text
        if self._version == 2 and not PLAIN_TEST.fullmatch(text):
            raise Unwritable
        return text

    def _as_defined(self, text: str, operator: Operator) -> str:
        """A gate by a name that the text knows: from its library, or since it occurs there."""
        name = operator.name.rsplit("@", 1)[-1].strip()
        if self._knows(name):
            return text
        base, controls = CONTROLLED.get(name, ("", 0))
        if self._version != 3 or not self._knows(base):
            raise Unwritable
        modifier = "ctrl" if controls == 1 else f"ctrl({controls})"
        return text.replace(name, f"{modifier} @ {base}", 1)

    def _knows(self, name: str) -> bool:
        """Is it built in, in the library that the text includes, or in the text?"""
        if name in BUILT_IN or (self._includes and name in LIBRARY[self._version]):
            return True
        used = rf"(?:^|[;{{}}@)]|\bgate\s)\s*{re.escape(name)}\b(?!\s*[=\[])"
        return re.search(used, self._bare, re.MULTILINE) is not None

    def _start(self, point: int) -> int:
        """Where the statement at a point begins."""
        source = self._program.sources[point]
        if source is None or source.column is None or source.file != self._file:
            raise Unwritable
        start = self._starts[source.line - 1] + source.column - 1
        if HEAD.match(self._bare, start) and not isinstance(self._program.code[point], Branch):
            start = self._condition(start)[1] + 1  # version 2 says of both that they stand at the `if`
            start += len(self._bare[start:]) - len(self._bare[start:].lstrip())
        return start

    def _end(self, start: int) -> int:
        """Just after the semicolon of a statement without a block."""
        end = self._bare.find(";", start)
        if end < 0 or "{" in self._bare[start:end]:
            raise Unwritable
        return end + 1

    def _condition(self, start: int) -> tuple[int, int]:
        """What stands between the parentheses of `if (…)`."""
        head = HEAD.match(self._bare, start)
        if head is None:
            raise Unwritable
        depth = 1
        for place in range(head.end(), len(self._bare)):
            depth += {"(": 1, ")": -1}.get(self._bare[place], 0)
            if depth == 0:
                return head.end(), place
        raise Unwritable

    def _opens_line(self, start: int) -> bool:
        return not self._text[self._text.rfind("\n", 0, start) + 1 : start].strip()

    def _indent(self, start: int) -> str:
        line = self._text[self._text.rfind("\n", 0, start) + 1 :]
        return line[: len(line) - len(line.lstrip())]
