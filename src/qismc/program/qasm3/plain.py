"""A quick parser for the plain part of OpenQASM 3: declarations, gates, measurements, branches, loops.

It makes the trees of the full parser, which takes a millisecond per statement, or gives up: whatever it does
not know, errors included, is the full parser's business.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from openqasm3 import ast

from qismc.program.qasm3.plain_control import ControlStatements
from qismc.program.qasm3.plain_expressions import TYPES, Cursor, Expressions, NotPlain

ASSIGNMENTS = frozenset(operator.name for operator in ast.AssignmentOperator)
MODIFIERS = frozenset({"ctrl", "negctrl", "inv", "pow"})
IN_BOXES = (ast.QuantumGate, ast.QuantumPhase, ast.QuantumBarrier, ast.QuantumReset, ast.DelayInstruction)
IN_GATES = (ast.QuantumGate, ast.QuantumPhase, ast.QuantumBarrier, ast.ForInLoop)


def parse_plain(text: str) -> ast.Program | None:
    """The tree of a text without comments, or None if the full parser must read it."""
    try:
        return Statements(Cursor(text)).program()
    except (NotPlain, ValueError):  # ValueError: a number of thousands of digits
        return None


class Statements:
    """Reads statements; `blocks` says how many blocks are open."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self.expressions = Expressions(cursor)
        self.blocks = 0
        self.control = ControlStatements(cursor, self.expressions, self.block)
        self.in_subroutine = False
        self.readers: dict[str, Callable[[], Any]] = {
            "include": self.include,
            "qubit": self.qubits,
            "qreg": self.old_register,
            "creg": self.old_register,
            "const": self.constant,
            "input": self.port,
            "output": self.port,
            "let": self.alias,
            "def": self.subroutine,
            "return": self.returned,
            "delay": self.delay,
            "box": self.box,
            "gate": self.gate,
            "gphase": self.call,
            "measure": self.measure,
            "reset": self.reset,
            "barrier": self.barrier,
            "{": lambda: ast.CompoundStatement(self.block()),
            **dict.fromkeys(TYPES, self.variable),
            **dict.fromkeys(MODIFIERS, self.call),
            **self.control.readers,
        }

    def program(self) -> ast.Program:
        cursor, version, found = self.cursor, None, []
        if cursor.accept("OPENQASM"):
            if cursor.kind not in ("integer", "float"):
                raise NotPlain
            version = cursor.advance()
            cursor.expect(";")
        while cursor.kind != "end":
            found.append(self.statement())
        if not found:
            raise NotPlain
        return ast.Program(found, version)

    def statement(self) -> Any:
        cursor = self.cursor
        span = cursor.span()
        read = self.readers.get(cursor.word)
        node = read() if read is not None else self.named()
        node.span = span
        return node

    def block(self) -> list[Any]:
        """The statements between braces, or a single one."""
        cursor = self.cursor
        self.blocks += 1
        cursor.descend()
        if cursor.accept("{"):
            found = []
            while not cursor.accept("}"):
                found.append(self.statement())
        else:
            found = [self.statement()]
        cursor.ascend()
        self.blocks -= 1
        return found

    def end(self, node: Any) -> Any:
        self.cursor.expect(";")
        return node

    def outermost(self) -> None:
        """Some declarations belong outside of all blocks."""
        if self.blocks:
            raise NotPlain

    # --- declarations ---

    def include(self) -> Any:
        self.outermost()
        self.cursor.advance()
        if self.cursor.kind != "string":
            raise NotPlain
        return self.end(ast.Include(self.cursor.advance()[1:-1]))

    def qubits(self) -> Any:
        self.outermost()
        self.cursor.advance()
        size = self.expressions.size()
        return self.end(ast.QubitDeclaration(self.cursor.identifier(), size))

    def old_register(self) -> Any:
        span, word = self.cursor.span(), self.cursor.advance()
        if word == "qreg":
            self.outermost()
        name = self.cursor.identifier()
        size = self.expressions.size()
        if word == "qreg":
            return self.end(ast.QubitDeclaration(name, size))
        kind = ast.BitType(size)
        kind.span = span
        return self.end(ast.ClassicalDeclaration(kind, name, None))

    def variable(self) -> Any:
        kind = self.expressions.type()
        name = self.cursor.identifier()
        value = self.value() if self.cursor.accept("=") else None
        return self.end(ast.ClassicalDeclaration(kind, name, value))

    def value(self) -> Any:
        """What is assigned: an expression or a measurement."""
        return self.measurement() if self.cursor.word == "measure" else self.expressions.expression()

    def constant(self) -> Any:
        self.cursor.advance()
        kind = self.expressions.type()
        name = self.cursor.identifier()
        self.cursor.expect("=")
        return self.end(ast.ConstantDeclaration(kind, name, self.expressions.expression()))

    def port(self) -> Any:
        self.outermost()
        word = self.cursor.advance()
        kind = self.expressions.type()
        return self.end(ast.IODeclaration(ast.IOKeyword[word], kind, self.cursor.identifier()))

    def alias(self) -> Any:
        self.cursor.advance()
        name = self.cursor.identifier()
        self.cursor.expect("=")
        value = self.expressions.expression()
        while self.cursor.accept("++"):
            span, value = value.span, ast.Concatenation(value, self.expressions.expression())
            value.span = span
        return self.end(ast.AliasStatement(name, value))

    def gate(self) -> Any:
        self.outermost()
        cursor = self.cursor
        cursor.advance()
        name, parameters = cursor.identifier(), []
        if cursor.accept("("):
            parameters = [] if cursor.word == ")" else self.names()
            cursor.expect(")")
        qubits = self.names()
        if cursor.word != "{":
            raise NotPlain
        body = self.block()
        if not all(_fits_in_gate(statement) for statement in body):
            raise NotPlain
        return ast.QuantumGateDefinition(name, parameters, qubits, body)

    def subroutine(self) -> Any:
        self.outermost()
        cursor, arguments, result = self.cursor, [], None
        cursor.advance()
        name = cursor.identifier()
        cursor.expect("(")
        while not cursor.accept(")"):
            arguments.append(self.argument())
            if cursor.word != ")":
                cursor.expect(",")
                if cursor.word == ")":
                    raise NotPlain
        if cursor.accept("->"):
            result = self.expressions.type()
        if cursor.word != "{":
            raise NotPlain
        self.in_subroutine = True
        body = self.block()
        self.in_subroutine = False
        return ast.SubroutineDefinition(name, arguments, body, result)

    def argument(self) -> Any:
        span = self.cursor.span()
        if self.cursor.accept("qubit"):
            size = self.expressions.size()
            node = ast.QuantumArgument(self.cursor.identifier(), size)
        else:
            kind = self.expressions.type()
            node = ast.ClassicalArgument(kind, self.cursor.identifier())
        node.span = span
        return node

    def returned(self) -> Any:
        if not self.in_subroutine:
            raise NotPlain
        self.cursor.advance()
        return self.end(ast.ReturnStatement(None if self.cursor.word == ";" else self.value()))

    def names(self) -> list[Any]:
        found = [self.cursor.identifier()]
        while self.cursor.accept(","):
            found.append(self.cursor.identifier())
        return found

    # --- quantum statements ---

    def call(self) -> Any:
        """A gate or a phase, with its modifiers."""
        cursor, modifiers = self.cursor, []
        while cursor.word in MODIFIERS:
            modifiers.append(self.modifier())
        phase, called = cursor.word == "gphase", cursor.following == "("
        name: Any = cursor.advance() if phase else cursor.identifier()
        arguments = self.expressions.arguments() if cursor.accept("(") else []
        if called and not (modifiers or phase) and cursor.word == ";":
            function = ast.FunctionCall(name, arguments)
            function.span = name.span
            return self.end(ast.ExpressionStatement(function))
        qubits = [] if phase and cursor.word == ";" else self.operands()
        if not phase:
            return self.end(ast.QuantumGate(modifiers, name, arguments, qubits))
        if len(arguments) != 1:
            raise NotPlain
        return self.end(ast.QuantumPhase(modifiers, arguments[0], qubits))

    def modifier(self) -> Any:
        cursor, span = self.cursor, self.cursor.span()
        word, argument = cursor.advance(), None
        if cursor.accept("("):
            argument = self.expressions.expression()
            cursor.expect(")")
        if (argument is None) if word == "pow" else (argument is not None and word == "inv"):
            raise NotPlain
        cursor.expect("@")
        node = ast.QuantumGateModifier(ast.GateModifierName[word], argument)
        node.span = span
        return node

    def operands(self) -> list[Any]:
        found = [self.expressions.qubit()]
        while self.cursor.accept(","):
            found.append(self.expressions.qubit())
        return found

    def measurement(self) -> Any:
        span = self.cursor.span()
        self.cursor.expect("measure")
        node = ast.QuantumMeasurement(self.expressions.qubit())
        node.span = span
        return node

    def measure(self) -> Any:
        measurement = self.measurement()
        target = self.expressions.place() if self.cursor.accept("->") else None
        return self.end(ast.QuantumMeasurementStatement(measurement, target))

    def reset(self) -> Any:
        self.cursor.advance()
        return self.end(ast.QuantumReset(self.expressions.qubit()))

    def barrier(self) -> Any:
        self.cursor.advance()
        return self.end(ast.QuantumBarrier([] if self.cursor.word == ";" else self.operands()))

    def delay(self) -> Any:
        self.cursor.advance()
        length = self.expressions.size()
        if length is None:
            raise NotPlain
        return self.end(ast.DelayInstruction(length, self.operands()))

    def box(self) -> Any:
        self.cursor.advance()
        length = self.expressions.size()
        if self.cursor.word != "{":
            raise NotPlain
        body = self.block()
        if not all(isinstance(statement, IN_BOXES) for statement in body):
            raise NotPlain
        return ast.Box(length, body)

    def named(self) -> Any:
        """What begins with a name: an assignment, a gate, a call, or a name alone (a mark)."""
        following = self.cursor.following
        if following == ";":
            return self.end(ast.ExpressionStatement(self.cursor.identifier()))
        if following != "[" and following not in ASSIGNMENTS:
            return self.call()
        target, symbol = self.expressions.place(), self.cursor.advance()
        if symbol not in ASSIGNMENTS:
            raise NotPlain
        value = self.value() if symbol == "=" else self.expressions.expression()
        if isinstance(value, ast.QuantumMeasurement):
            return self.end(ast.QuantumMeasurementStatement(value, target))
        return self.end(ast.ClassicalAssignment(target, ast.AssignmentOperator[symbol], value))


def _fits_in_gate(statement: Any) -> bool:
    inner = statement.block if isinstance(statement, ast.ForInLoop) else []
    return isinstance(statement, IN_GATES) and all(_fits_in_gate(part) for part in inner)
