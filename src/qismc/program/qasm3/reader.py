"""Statements of OpenQASM 3 -> flat code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from qismc.common.process import bulk_allocation
from qismc.common.source import Source
from qismc.errors import ProgramError, UnsupportedError
from qismc.program.builder import Body, Builder
from qismc.program.includes import Includes
from qismc.program.operators import Operator
from qismc.program.program import Annotation, Program
from qismc.program.qasm3 import syntax
from qismc.program.qasm3.arithmetic import as_label
from qismc.program.qasm3.classical import ClassicalStatements
from qismc.program.qasm3.expressions import Evaluator
from qismc.program.qasm3.gates import GateReader
from qismc.program.qasm3.parser import parse
from qismc.program.qasm3.scope import BlockScope, OwnGate, Subroutine
from qismc.program.qasm3.syntax import Node
from qismc.program.qasm3.values import Known, Value, as_expression, check_operands, known_integer
from qismc.program.standard import known_names
from qismc.program.statements import Apply, Reset

LIBRARIES = frozenset({"stdgates.inc", "qelib1.inc"})


def read_qasm3(
    text: str, file: str, name: str, annotations: Sequence[Annotation] = (), includes: Includes | None = None
) -> Program:
    """The program of an OpenQASM 3 text; `file` is named in positions and finds includes."""
    marks = [a for a in annotations if a.kind == "mark"]
    reader = Reader(includes or Includes(file))
    builder = reader.builder
    with bulk_allocation():
        reader.block(parse(text, file, builder.warn, marks), reader.globals)
    return builder.finish(name, reader.qubit_names, reader.registers, annotations, Source(file, 1, 1))


class Reader:
    """One program; `globals` are its outermost names."""

    def __init__(self, includes: Includes) -> None:
        self.builder = Builder()
        self.evaluator = Evaluator()
        self.classical = ClassicalStatements(self.builder, self.evaluator, self.block)
        self.evaluator.call_hook = self.classical.call_value
        self.gates = GateReader(self.evaluator, self.builder.warn)
        self.globals = BlockScope()
        self.qubit_names: list[str] = []
        self.registers: dict[str, tuple[int, ...]] = {}
        self.includes = includes
        self.gates_used: set[str] = set()
        """By the gates that were defined so far."""
        self.operators: dict[Operator, Operator] = {}
        """Each operator by itself, so that equal operators are one object and are worked out once."""
        self.handlers: dict[type, Callable[[Any, BlockScope], None]] = {
            syntax.GateDefinition: self.define_gate,
            syntax.SubroutineDefinition: self.define_subroutine,
            syntax.Alias: self.alias,
            syntax.Include: self.include,
            syntax.GateCall: self.gate,
            syntax.Reset: self.reset,
            syntax.Barrier: self.barrier,
            syntax.Measure: self.measurement,
            syntax.If: self.branch,
            syntax.While: self.while_loop,
            syntax.For: self.for_loop,
            syntax.Switch: self.switch,
            syntax.Word: self.jump,
            syntax.Block: lambda node, scope: self.block(node.body, BlockScope(scope)),
            syntax.Mark: lambda node, _: self.builder.mark(node.name, node.source),
            syntax.Unsupported: _refuse,
            syntax.Assignment: self.classical.assign,
            syntax.Return: self.classical.return_statement,
            syntax.ExpressionStatement: self.classical.call_statement,
        }

    def block(self, statements: Sequence[Node], scope: BlockScope) -> None:
        """A list of statements in one scope."""
        for number, node in enumerate(statements, 1):
            if not isinstance(node, syntax.Declaration):
                self.handlers[type(node)](node, scope)
            elif node.type.name == "qubit":
                self.declare_qubits(node, scope)
            else:
                self.classical.declare(node, scope, islice(statements, number, None))

    def inner(self, statements: Sequence[Node], scope: BlockScope) -> Body:
        return partial(self.block, statements, BlockScope(scope))

    def declare_qubits(self, node: syntax.Declaration, scope: BlockScope) -> None:
        name, size, source, written = node.name, 1, node.source, node.type.size
        if written is not None:
            size = known_integer(self.evaluator.value(written, scope), "the size", source)
            if size < 1:
                raise ProgramError(f"register '{name}' has size {size}", source=written.source)
        self.builder.check_width(size, f"register '{name}'", source)
        first = len(self.qubit_names)
        numbers = tuple(range(first, first + size))
        scope.declare(name, numbers, source)
        self.registers[name] = numbers
        self.qubit_names += [name] if written is None else [f"{name}[{k}]" for k in range(size)]

    def define_gate(self, node: syntax.GateDefinition, scope: BlockScope) -> None:
        """Bodies are read when they are used: no standard gate may get another meaning between."""
        name = node.name
        if name in self.gates_used and name in known_names():
            message = f"gate '{name}' has been used before it is defined"
            hint = "give it another name, or define it before gates that use it"
            raise ProgramError(message, source=node.source, hint=hint)
        self.gates_used |= {part.name for part in node.body if isinstance(part, syntax.GateCall)}
        scope.declare(name, OwnGate(node, scope), node.source)

    def define_subroutine(self, node: syntax.SubroutineDefinition, scope: BlockScope) -> None:
        scope.declare(node.name, Subroutine(node, scope), node.source)

    def alias(self, node: syntax.Alias, scope: BlockScope) -> None:
        scope.declare(node.name, self.qubits(node.value, scope), node.source)

    def include(self, node: syntax.Include, scope: BlockScope) -> None:
        if Path(node.file).name in LIBRARIES:
            self.gates.has_library = True
        elif found := self.includes.read(node.file, node.source.file, node.source):
            path, text = found
            self.block(parse(text, path, self.builder.warn), scope)

    def qubits(self, node: Node, scope: BlockScope) -> tuple[int, ...]:
        """The operand's qubits; hardware qubits `$3` come into being when they are named."""
        name = node.text if isinstance(node, syntax.Name) else ""
        if name.startswith("$") and self.globals.find(name) is None:
            self.globals.names[name] = (len(self.qubit_names),)
            self.qubit_names.append(name)
        return self.evaluator.qubits(node, scope)

    def gate(self, node: syntax.GateCall, scope: BlockScope) -> None:
        columns = [self.qubits(operand, scope) for operand in node.qubits]
        operator = self.gates.operator(node, scope).without_phase()
        operator = self.operators.setdefault(operator, operator)
        if not columns:
            return
        size = max(map(len, columns))
        if any(len(column) not in (1, size) for column in columns):
            raise ProgramError("the registers of a gate have different sizes", source=node.source)
        for place in zip(*(c if len(c) == size else c * size for c in columns), strict=True):
            if len(set(place)) != len(place):
                raise ProgramError("the same qubit twice in one gate", source=node.source)
            self.builder.emit(Apply(operator, place), node.source)

    def reset(self, node: syntax.Reset, scope: BlockScope) -> None:
        for qubit in self.qubits(node.qubits, scope):
            self.builder.emit(Reset(qubit), node.source)

    def barrier(self, node: syntax.Barrier, scope: BlockScope) -> None:
        for operand in node.qubits:
            self.qubits(operand, scope)

    def measurement(self, node: syntax.Measure, scope: BlockScope) -> None:
        qubits = self.qubits(node.qubit, scope)
        bits = self.classical.target_bits(node.target, scope, len(qubits), node.source)
        self.classical.keep_outcomes(qubits, bits, node.source)

    def branch(self, node: syntax.If, scope: BlockScope) -> None:
        condition = as_expression(self.evaluator.value(node.condition, scope), node.source)
        otherwise = self.inner(node.otherwise, scope) if node.otherwise else None
        self.builder.branch(condition, self.inner(node.then, scope), otherwise, node.source)

    def while_loop(self, node: syntax.While, scope: BlockScope) -> None:
        condition = as_expression(self.classical.without_calls(node.condition, scope), node.source)
        self.builder.loop(condition, self.inner(node.body, scope), node.source)

    def for_loop(self, node: syntax.For, scope: BlockScope) -> None:
        name = node.name

        def turn(value: Known) -> None:
            inner = BlockScope(scope, {name: value})
            self.block(node.body, BlockScope(inner))

        values = self.evaluator.turns(node, scope, "loop over a range [a:b] or a set {a, b}")
        turns = ((f"for {name} = {value}", partial(turn, value)) for value in values)
        self.builder.unroll(turns, node.source)

    def switch(self, node: syntax.Switch, scope: BlockScope) -> None:
        target = self.evaluator.value(node.target, scope)
        cases: list[tuple[Iterable[int | None], Body]] = []
        seen: set[int] = set()
        for case in node.cases:
            numbers = [self.case(label, target, scope) for label in case.labels]
            if repeated := [number for number in numbers if number in seen]:
                raise ProgramError(f"case {repeated[0]} occurs twice", source=case.source)
            seen.update(numbers)
            cases.append((numbers or [None], self.inner(case.body, scope)))
        self.builder.switch(as_expression(target, node.source), cases, node.source)

    def case(self, label: Node, target: Value, scope: BlockScope) -> int:
        """A number with which the target of a `switch` is compared."""
        value = self.evaluator.value(label, scope)
        check_operands("case", target, value, label.source)
        return as_label(target, value, label.source)

    def jump(self, node: syntax.Word, scope: BlockScope) -> None:  # noqa: ARG002
        builder = self.builder
        jumps = {"break": builder.break_loop, "continue": builder.continue_loop, "end": builder.end_program}
        jumps[node.word](node.source)


def _refuse(node: syntax.Unsupported, scope: BlockScope) -> None:  # noqa: ARG001
    raise UnsupportedError(f"'{node.text}' is not supported", source=node.source)
