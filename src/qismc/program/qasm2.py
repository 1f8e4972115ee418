"""OpenQASM 2 -> flat code, in one pass over the text, with the dialects that public suites use.

Statements of large files repeat: each distinct gate statement is understood once and then looked up.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from qismc.common.process import bulk_allocation
from qismc.common.source import Source
from qismc.common.wording import counted
from qismc.errors import ProgramError
from qismc.program.builder import Builder
from qismc.program.classical import Binary, Const, Read, Variable
from qismc.program.includes import Includes
from qismc.program.program import Annotation, Program
from qismc.program.qasm2_gates import STATEMENT, GateTable, parse_invocation
from qismc.program.qasm_text import Locator, blank_comments, cut
from qismc.program.statements import Apply, Measure, Reset

KEYWORD = re.compile(r"(OPENQASM|include|qreg|creg|gate|opaque|measure|reset|barrier|if)\b")
VERSION = re.compile(r"OPENQASM\s+2(\.\d+)?")
INCLUDE = re.compile(r"include\s*([\"'])(.*)\1")
REGISTER = re.compile(r"([qc])reg\s+(\w+)\s*\[\s*(\d+)\s*\]")
MEASURE = re.compile(r"measure\s*(.+?)\s*->\s*(.+)", re.DOTALL)
CONDITION = re.compile(
    r"if\s*\(\s*(\w+)\s*(?:\[\s*(\d+)\s*\])?\s*(==|!=|<=|>=|<|>)\s*(\d+)\s*\)\s*(.+)", re.DOTALL
)
OPERAND = re.compile(r"([A-Za-z_]\w*)\s*(?:\[\s*(\d+)\s*\])?")
LIBRARIES = frozenset({"qelib1.inc", "stdgates.inc", "hqslib1.inc"})


def read_qasm2(
    text: str, file: str, name: str, annotations: Sequence[Annotation] = (), includes: Includes | None = None
) -> Program:
    """The program of an OpenQASM 2 text; `file` is named in positions and finds includes."""
    marks = [a for a in annotations if a.kind == "mark"]
    reader = _Reader(text, file, marks, includes or Includes(file))
    with bulk_allocation():
        reader.run()
    builder = reader.builder
    return builder.finish(name, reader.qubit_names, reader.qregs, annotations, Source(file, 1, 1))


class _Reader:
    def __init__(self, text: str, file: str, marks: list[Annotation], includes: Includes) -> None:
        self.text = blank_comments(text)
        self.file = file
        self.locator = Locator(text, file)
        self.marks = [(self.locator.offset(m.source), m) for m in marks if m.source is not None]
        self.builder = Builder()
        self.gates = GateTable()
        self.qregs: dict[str, tuple[int, ...]] = {}
        self.cregs: dict[str, tuple[int, ...]] = {}
        self.qubit_names: list[str] = []
        self.understood: dict[str, list[Apply]] = {}
        self.places: dict[str, list[tuple[int, ...]]] = {}
        self.includes = includes

    def run(self) -> None:
        """Understand statement after statement; runs of gates are emitted at once."""
        words, offsets = cut(self.text, self.version())
        sources, understood = self.locator.all(offsets), self.understood
        gates: list[Apply] = []
        places: list[Source | None] = []
        marked, resume = self.next_mark(offsets), 0
        for number, word in enumerate(words):
            known = understood.get(word)
            if known is None or number >= marked:
                if number < resume:  # inside of a definition that was read
                    continue
                if number >= marked:
                    gates, places = self.emitted(gates, places)
                    self.emit_marks(offsets[number])
                    marked = self.next_mark(offsets)
                known = known or self.gate(word, sources[number])
                if known is None:
                    gates, places = self.emitted(gates, places)
                    resume = bisect_left(offsets, self.understand(offsets[number], sources[number]), number)
                    continue
            if len(known) == 1:
                gates.append(known[0])
                places.append(sources[number])
            else:
                gates += known
                places += [sources[number]] * len(known)
        self.emitted(gates, places)
        self.emit_marks(len(self.text))

    def emitted(
        self, gates: list[Apply], places: list[Source | None]
    ) -> tuple[list[Apply], list[Source | None]]:
        """Emit a run of gates; an empty one to go on with."""
        if gates:
            self.builder.emit_gates(gates, places)
        return [], []

    def gate(self, word: str, source: Source) -> list[Apply] | None:
        """A gate statement seen for the first time; None if it is another one."""
        return None if not word or KEYWORD.match(word) else self.first_time(word, source)

    def emit_marks(self, before: int) -> None:
        """Place the marks that stand before this offset."""
        while self.marks and self.marks[0][0] <= before:
            mark = self.marks.pop(0)[1]
            self.builder.mark(mark.text, mark.source)

    def next_mark(self, offsets: list[int]) -> int:
        """The number of the statement before which the next mark stands."""
        return bisect_right(offsets, self.marks[0][0]) if self.marks else len(offsets)

    def version(self) -> int:
        """The offset after the version, which public files sometimes leave out."""
        match = STATEMENT.match(self.text)
        if match is None or not self.text.strip():
            hint = "begin it with 'OPENQASM 2.0;'"
            raise ProgramError("the file is empty", source=Source(self.file, 1, 1), hint=hint)
        if match[1] is None or not match[1].startswith("OPENQASM"):
            return 0
        if match[2] != ";" or not VERSION.fullmatch(match[1]):
            place = self.locator.at(match.start(1))
            raise ProgramError("malformed version", source=place, hint="write 'OPENQASM 2.0;'")
        return match.end()

    def understand(self, offset: int, source: Source) -> int:
        """Handle a statement that is no gate; the offset after it."""
        match = STATEMENT.match(self.text, offset)
        assert match is not None
        statement, end = match[1], match[2]
        if end == "}":
            raise ProgramError("unexpected '}'", source=source)
        if statement is None:
            if end == "{":
                raise ProgramError("unexpected '{'", source=source)
            return match.end()
        keyword = KEYWORD.match(statement)
        word = keyword[1] if keyword else ""
        if word == "gate":
            self.understood.clear()  # a name may mean another gate from here on
            return self.gates.define(self.text, match, self.locator)
        if end != ";":
            last = self.locator.at(max(match.end(1) - 1, 0))
            found = "'{'" if end == "{" else "the end of the file"
            raise ProgramError(f"expected ';' after '{_short(statement)}' but found {found}", source=last)
        self.statement(word, statement, match.start(1), source)
        return match.end()

    def statement(self, word: str, statement: str, offset: int, source: Source) -> None:
        if word == "include":
            self.include(statement, source)
        elif word in ("qreg", "creg"):
            self.register(statement, offset, source)
        elif word == "opaque":
            self.gates.declare_opaque(statement, source)
        elif word == "OPENQASM":
            raise ProgramError("only the first statement can state the version", source=source)
        elif word == "if":
            self.conditional(statement, source)
        else:
            self.operation(word, statement, source)

    def operation(self, word: str, statement: str, source: Source) -> None:
        """What may also stand behind an `if`."""
        if word == "measure":
            self.emit_all(self.measurements(statement, source), source)
        elif word == "reset":
            for operand in statement[5:].split(","):
                for qubit in self.qubits(operand, source):
                    self.builder.emit(Reset(qubit), source)
        elif word == "barrier":
            self.barrier(statement[7:], source)
        else:
            applies = self.first_time(statement, source)
            self.builder.emit_gates(applies, [source] * len(applies))

    def barrier(self, operands: str, source: Source) -> None:
        for operand in operands.split(",") if operands.strip() else ():
            self.qubits(operand, source)

    def first_time(self, statement: str, source: Source) -> list[Apply]:
        """Understand a gate statement, for good."""
        call = parse_invocation(statement, source)
        places = self.operands(call.operands, source)
        operator = self.gates.operator(call, len(places[0]), source)
        applies = [Apply(operator, place) for place in places]
        self.understood[statement] = applies
        return applies

    def conditional(self, statement: str, source: Source) -> None:
        match = CONDITION.fullmatch(statement)
        if match is None:
            hint = "OpenQASM 2 knows 'if (c == 3) gate ...;'"
            raise ProgramError(f"malformed '{_short(statement)}'", source=source, hint=hint)
        name, index, operator, number, body = match.groups()
        bits = self.classical(f"{name}[{index}]" if index else name, source)
        value = int(number)
        keyword = KEYWORD.match(body)
        word = keyword[1] if keyword else ""
        if word not in ("", "measure", "reset", "barrier"):
            raise ProgramError(f"'{word}' cannot stand behind an 'if'", source=source)
        condition = Binary(operator, Read(bits), Const(value))
        if word == "measure":
            self.conditional_measure(condition, body, source)
            return
        self.builder.branch(condition, lambda: self.operation(word, body, source), None, source)

    def conditional_measure(self, condition: Binary, statement: str, source: Source) -> None:
        """Measurements of a register are as many statements: each asks anew what the ones before it wrote."""
        measures = self.measurements(statement, source)
        rewritten = any(condition.reads >> measure.bit & 1 for measure in measures)
        parts = [[measure] for measure in measures] if rewritten else [measures]
        for part in parts:
            self.builder.branch(condition, partial(self.emit_all, part, source), None, source)

    def emit_all(self, measures: Iterable[Measure], source: Source) -> None:
        for measure in measures:
            self.builder.emit(measure, source)

    def measurements(self, statement: str, source: Source) -> list[Measure]:
        match = MEASURE.fullmatch(statement)
        if match is None:
            hint = "write 'measure q[0] -> c[0];'"
            raise ProgramError(f"malformed '{_short(statement)}'", source=source, hint=hint)
        qubits, bits = self.qubits(match[1], source), self.classical(match[2], source)
        if len(qubits) != len(bits):
            sizes = counted(len(qubits), "qubit"), counted(len(bits), "bit")
            message = f"'{match[1]}' has {sizes[0]} but '{match[2]}' has {sizes[1]}"
            raise ProgramError(message, source=source)
        return [Measure(qubit, bit) for qubit, bit in zip(qubits, bits, strict=True)]

    def register(self, statement: str, offset: int, source: Source) -> None:
        match = REGISTER.fullmatch(statement)
        if match is None:
            hint = "write 'qreg q[3];' or 'creg c[3];'"
            raise ProgramError(f"malformed '{_short(statement)}'", source=source, hint=hint)
        kind, name, size = match[1], match[2], int(match[3])
        if size == 0:
            raise ProgramError(
                f"register '{name}' has size 0", source=self.locator.at(offset + match.start(3))
            )
        if name in self.qregs or name in self.cregs:
            place = self.locator.at(offset + match.start(2))
            raise ProgramError(f"register '{name}' is declared twice", source=place)
        self.builder.check_width(size, f"register '{name}'", source)
        if kind == "q":
            first = len(self.qubit_names)
            self.qregs[name] = tuple(range(first, first + size))
            self.qubit_names += [f"{name}[{k}]" for k in range(size)]
        else:
            self.cregs[name] = self.builder.allocate(size)
            self.builder.variables[name] = Variable(name, self.cregs[name])

    def include(self, statement: str, source: Source) -> None:
        match = INCLUDE.fullmatch(statement)
        if match is None:
            raise ProgramError(f"malformed '{_short(statement)}'", source=source)
        if Path(match[2]).name in LIBRARIES:
            return
        if found := self.includes.read(match[2], self.file, source):
            path, text = found
            self.gates.define_all(text, path)

    def operands(self, text: str, source: Source) -> list[tuple[int, ...]]:
        """The operand tuples of a broadcast statement, qubits distinct."""
        if text in self.places:
            return self.places[text]
        columns = [self.qubits(operand, source) for operand in text.split(",")]
        whole = [
            len(column)
            for column, operand in zip(columns, text.split(","), strict=True)
            if "[" not in operand
        ]
        size = whole[0] if whole else 1
        if any(length != size for length in whole):
            raise ProgramError(f"registers of different sizes in '{_short(text)}'", source=source)
        places = list(zip(*(c if len(c) == size else c * size for c in columns), strict=True))
        for place in places:
            if len(set(place)) != len(place):
                raise ProgramError(f"the same qubit twice in '{_short(text)}'", source=source)
        self.places[text] = places
        return places

    def qubits(self, operand: str, source: Source) -> tuple[int, ...]:
        return _resolve(operand, self.qregs, "quantum", self.cregs, source)

    def classical(self, operand: str, source: Source) -> tuple[int, ...]:
        return _resolve(operand, self.cregs, "classical", self.qregs, source)


def _resolve(
    operand: str,
    registers: dict[str, tuple[int, ...]],
    kind: str,
    others: dict[str, tuple[int, ...]],
    source: Source,
) -> tuple[int, ...]:
    """The numbers that `name` or `name[k]` stands for."""
    match = OPERAND.fullmatch(operand.strip())
    if match is None:
        first, *rest = operand.split() or [""]
        hint = f"is a ';' missing after '{first}'?" if rest and OPERAND.fullmatch(first) else None
        found = f"expected a {kind} register or bit but found '{_short(operand)}'"
        raise ProgramError(found, source=source, hint=hint)
    name, index = match.groups()
    if name not in registers:
        wrong = f"'{name}' is not a {kind} register" if name in others else f"unknown register '{name}'"
        raise ProgramError(wrong, source=source)
    members = registers[name]
    if index is None:
        return members
    if int(index) >= len(members):
        message = f"index {index} is out of range: '{name}' has size {len(members)}"
        raise ProgramError(message, source=source)
    return (members[int(index)],)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:57]}..."
