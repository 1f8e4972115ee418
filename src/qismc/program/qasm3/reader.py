"""Statements of OpenQASM 3 -> flat code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from openqasm3 import ast

from qismc.common.bulk import bulk_allocation
from qismc.common.source import Source
from qismc.errors import ProgramError, UnsupportedError
from qismc.program.builder import Body, Builder
from qismc.program.includes import Includes
from qismc.program.operators import Operator
from qismc.program.products import without_phase
from qismc.program.program import Annotation, Program
from qismc.program.qasm3.arithmetic import as_label
from qismc.program.qasm3.classical import ClassicalStatements
from qismc.program.qasm3.expressions import Evaluator
from qismc.program.qasm3.gates import GateReader
from qismc.program.qasm3.parse import MARK, parse
from qismc.program.qasm3.scope import BlockScope, Gate, KnownValue, Qubits, Subroutine
from qismc.program.qasm3.values import (
    Known,
    Value,
    as_expression,
    check_operands,
    known_integer,
)
from qismc.program.standard import known_names
from qismc.program.statements import Apply, Reset

LIBRARIES = frozenset({"stdgates.inc", "qelib1.inc"})
IGNORED = (
    ast.DelayInstruction,
    ast.Pragma,
    ast.CalibrationGrammarDeclaration,
    ast.ExternDeclaration,
)  # fmt: skip


def read_qasm3(
    text: str,
    file: str,
    name: str,
    annotations: Sequence[Annotation] = (),
    includes: Includes | None = None,
) -> Program:
    """The program of an OpenQASM 3 text; `file` is named in positions and finds includes."""
    marks = [a for a in annotations if a.kind == "mark"]
    reader = Reader(file, marks, includes or Includes(file))
    with bulk_allocation():
        reader.block(parse(text, file, marks, reader.builder.warn).statements, reader.globals)
    builder = reader.builder
    return builder.finish(name, reader.qubit_names, reader.registers, annotations, Source(file, 1, 1))


class Reader:
    """One program; `globals` are its outermost names."""

    def __init__(self, file: str, marks: Sequence[Annotation], includes: Includes) -> None:
        self.builder = Builder()
        self.evaluator = Evaluator(file)
        self.classical = ClassicalStatements(self.builder, self.evaluator, self.block)
        self.gates = GateReader(self.evaluator, self.builder.warn)
        self.globals = BlockScope()
        self.marks = marks
        self.qubit_names: list[str] = []
        self.registers: dict[str, tuple[int, ...]] = {}
        self.includes = includes
        self.gates_used: set[str] = set()
        """By the gates that were defined so far."""
        self.operators: dict[Operator, Operator] = {}
        """Each operator by itself, so that equal operators are one object and are worked out once."""
        self.handlers: dict[type, Callable[[Any, BlockScope, Source], None]] = {
            ast.QubitDeclaration: self.declare_qubits,
            ast.QuantumGateDefinition: self.define_gate,
            ast.SubroutineDefinition: self.define_subroutine,
            ast.AliasStatement: self.alias,
            ast.Include: self.include,
            ast.QuantumGate: self.gate,
            ast.QuantumPhase: self.gate,
            ast.QuantumReset: self.reset,
            ast.QuantumBarrier: self.barrier,
            ast.QuantumMeasurementStatement: self.measurement,
            ast.BranchingStatement: self.branch,
            ast.WhileLoop: self.while_loop,
            ast.ForInLoop: self.for_loop,
            ast.SwitchStatement: self.switch,
            ast.BreakStatement: lambda _, __, source: self.builder.break_loop(source),
            ast.ContinueStatement: lambda _, __, source: self.builder.continue_loop(source),
            ast.EndStatement: lambda _, __, source: self.builder.end_program(source),
            ast.CompoundStatement: lambda node, scope, _: self.block(node.statements, BlockScope(scope)),
            ast.Box: lambda node, scope, _: self.block(node.body, BlockScope(scope)),
            ast.ExpressionStatement: self.expression_statement,
            **self.classical.handlers,
        }

    def block(self, statements: Sequence[Any], scope: BlockScope) -> None:
        """A list of statements in one scope."""
        for number, node in enumerate(statements):
            source = self.evaluator.source(node)
            handler = self.handlers.get(type(node))
            if handler is not None:
                self.classical.following = partial(_after, statements, number)
                handler(node, scope, source)
            elif not isinstance(node, IGNORED):
                name = type(node).__name__
                raise UnsupportedError(f"'{name}' is not supported", source=source)

    def inner(self, statements: Sequence[Any], scope: BlockScope) -> Body:
        return partial(self.block, statements, BlockScope(scope))

    def declare_qubits(self, node: ast.QubitDeclaration, scope: BlockScope, source: Source) -> None:
        name, size = node.qubit.name, 1
        if node.size is not None:
            size = known_integer(self.evaluator.value(node.size, scope), "the size", source)
            if size < 1:
                place = self.evaluator.source(node.size)
                raise ProgramError(f"register '{name}' has size {size}", source=place)
        self.builder.check_width(size, f"register '{name}'", source)
        first = len(self.qubit_names)
        numbers = tuple(range(first, first + size))
        scope.declare(name, Qubits(numbers), source)
        self.registers[name] = numbers
        self.qubit_names += [name] if node.size is None else [f"{name}[{k}]" for k in range(size)]

    def define_gate(self, node: ast.QuantumGateDefinition, scope: BlockScope, source: Source) -> None:
        """Bodies are read when they are used: no standard gate may get another meaning between."""
        name = node.name.name
        if name in self.gates_used and name in known_names():
            hint = "give it another name, or define it before gates that use it"
            raise ProgramError(f"gate '{name}' has been used before it is defined", source=source, hint=hint)
        self.gates_used |= {part.name.name for part in node.body if isinstance(part, ast.QuantumGate)}
        scope.declare(name, Gate(node, scope, self.evaluator.file), source)

    def define_subroutine(self, node: ast.SubroutineDefinition, scope: BlockScope, source: Source) -> None:
        scope.declare(node.name.name, Subroutine(node, scope, self.evaluator.file), source)

    def alias(self, node: ast.AliasStatement, scope: BlockScope, source: Source) -> None:
        scope.declare(node.target.name, Qubits(self.qubits(node.value, scope)), source)

    def include(self, node: ast.Include, scope: BlockScope, source: Source) -> None:
        if Path(node.filename).name in LIBRARIES:
            self.gates.has_library = True
            return
        file = self.evaluator.file
        if found := self.includes.read(node.filename, file, source):
            self.evaluator.file, text = found
            self.block(parse(text, self.evaluator.file, warn=self.builder.warn).statements, scope)
            self.evaluator.file = file

    def qubits(self, node: Any, scope: BlockScope) -> tuple[int, ...]:
        """The operand's qubits; hardware qubits `$3` come into being when they are named."""
        name = getattr(node, "name", None)
        if isinstance(name, str) and name.startswith("$") and self.globals.find(name) is None:
            self.globals.names[name] = Qubits((len(self.qubit_names),))
            self.qubit_names.append(name)
        return self.evaluator.qubits(node, scope)

    def gate(self, node: Any, scope: BlockScope, source: Source) -> None:
        columns = [self.qubits(operand, scope) for operand in node.qubits]
        operator = without_phase(self.gates.operator(node, scope))
        operator = self.operators.setdefault(operator, operator)
        if not columns:
            return
        size = max(map(len, columns))
        if any(len(column) not in (1, size) for column in columns):
            raise ProgramError("the registers of a gate have different sizes", source=source)
        for place in zip(*(c if len(c) == size else c * size for c in columns), strict=True):
            if len(set(place)) != len(place):
                raise ProgramError("the same qubit twice in one gate", source=source)
            self.builder.emit(Apply(operator, place), source)

    def reset(self, node: ast.QuantumReset, scope: BlockScope, source: Source) -> None:
        for qubit in self.qubits(node.qubits, scope):
            self.builder.emit(Reset(qubit), source)

    def barrier(self, node: ast.QuantumBarrier, scope: BlockScope, source: Source) -> None:  # noqa: ARG002
        for operand in node.qubits:
            self.qubits(operand, scope)

    def measurement(self, node: ast.QuantumMeasurementStatement, scope: BlockScope, source: Source) -> None:
        qubits = self.qubits(node.measure.qubit, scope)
        bits = self.classical.target_bits(node.target, scope, len(qubits), source)
        self.classical.keep_outcomes(qubits, bits, source)

    def branch(self, node: ast.BranchingStatement, scope: BlockScope, source: Source) -> None:
        condition = as_expression(self.evaluator.value(node.condition, scope), source)
        otherwise = self.inner(node.else_block, scope) if node.else_block else None
        self.builder.branch(condition, self.inner(node.if_block, scope), otherwise, source)

    def while_loop(self, node: ast.WhileLoop, scope: BlockScope, source: Source) -> None:
        condition = self.classical.without_calls(node.while_condition, scope)
        self.builder.loop(as_expression(condition, source), self.inner(node.block, scope), source)

    def for_loop(self, node: ast.ForInLoop, scope: BlockScope, source: Source) -> None:
        if not isinstance(node.set_declaration, ast.RangeDefinition | ast.DiscreteSet):
            hint = "loop over a range [a:b] or a set {a, b}"
            raise UnsupportedError("'for' over this collection is not supported", source=source, hint=hint)
        name = node.identifier.name

        def turn(value: Known) -> None:
            inner = BlockScope(scope, {name: KnownValue(value)})
            self.block(node.block, BlockScope(inner))

        values = self.evaluator.turns(node, scope, source)
        self.builder.unroll(((f"for {name} = {value}", partial(turn, value)) for value in values), source)

    def switch(self, node: ast.SwitchStatement, scope: BlockScope, source: Source) -> None:
        target = self.evaluator.value(node.target, scope)
        cases: list[tuple[list[int | None], Body]] = []
        seen: set[int] = set()
        for labels, block in node.cases:
            numbers = [self.case(label, target, scope) for label in labels]
            if repeated := [number for number in numbers if number in seen]:
                raise ProgramError(f"case {repeated[0]} occurs twice", source=self.evaluator.source(block))
            seen.update(numbers)
            cases.append(([*numbers], self.inner(block.statements, scope)))
        if node.default is not None:
            cases.append(([None], self.inner(node.default.statements, scope)))
        self.builder.switch(as_expression(target, source), cases, source)

    def case(self, label: Any, target: Value, scope: BlockScope) -> int:
        """A number with which the target of a `switch` is compared."""
        source = self.evaluator.source(label)
        value = self.evaluator.value(label, scope)
        check_operands("case", target, value, source)
        return as_label(target, value, source)

    def expression_statement(self, node: ast.ExpressionStatement, scope: BlockScope, source: Source) -> None:
        """A mark or a call of a subroutine."""
        expression = node.expression
        if isinstance(expression, ast.Identifier) and expression.name.startswith(MARK):
            mark = self.marks[int(expression.name.removeprefix(MARK))]
            self.builder.mark(mark.text, mark.source)
        else:
            self.classical.call_statement(expression, scope, source)


def _after(statements: Sequence[Any], number: int) -> Sequence[Any]:
    return statements[number + 1 :]
