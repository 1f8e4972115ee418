"""Declarations, assignments and subroutines of OpenQASM 3."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from openqasm3 import ast

from qismc.common.source import Source
from qismc.common.wording import counted
from qismc.errors import ProgramError, UnsupportedError
from qismc.program.builder import Builder
from qismc.program.classical import Binary, Const, Expression, Read, narrowed
from qismc.program.qasm3.arithmetic import binary, cast
from qismc.program.qasm3.expressions import Evaluator, counted_place
from qismc.program.qasm3.scope import (
    BlockScope,
    KnownValue,
    Qubits,
    Storage,
    Subroutine,
    Time,
    may_be_read_unset,
)
from qismc.program.qasm3.values import (
    DEFAULT_WIDTH,
    ClassicalType,
    Stored,
    Value,
    as_expression,
    check_assigned,
    kind_of,
    known,
)
from qismc.program.statements import Assign, AssignAt, Havoc, Measure

MAX_CALLS = 50
"""Maximum nesting of calls of subroutines: each is replaced by the body."""
MOST_CALLS = 1_000_000
"""Maximum number of calls of subroutines in a program."""
NUMERIC = ("float", "angle")
TIMES = (ast.DurationType, ast.StretchType)


@dataclass
class _Call:
    """A call in progress: where its result goes, and the returns that wait for its end."""

    result: Storage | None
    returns: list[int] = field(default_factory=list)


class ClassicalStatements:
    """The classical part of a reader; `block` reads a list of statements."""

    def __init__(
        self, builder: Builder, evaluator: Evaluator, block: Callable[[Sequence[Any], BlockScope], None]
    ) -> None:
        self.builder = builder
        self.evaluator = evaluator
        self.block = block
        self.following: Callable[[], Sequence[Any]] = tuple  # the statements after the present one
        self.places: dict[tuple[int, str, ClassicalType], tuple[Any, Storage]] = {}
        self.calls: list[_Call] = []
        self.made = 0
        self.allow_calls = True
        evaluator.call_hook = self.call_value
        self.handlers: dict[type, Callable[[Any, BlockScope, Source], None]] = {
            ast.ConstantDeclaration: self.declare_constant,
            ast.ClassicalDeclaration: self.declare,
            ast.IODeclaration: self.declare_port,
            ast.ClassicalAssignment: self.assign,
            ast.ReturnStatement: self.return_statement,
        }

    def declare_constant(self, node: ast.ConstantDeclaration, scope: BlockScope, source: Source) -> None:
        if isinstance(node.type, TIMES):
            scope.declare(node.identifier.name, Time(), source)
            return
        kind = self.evaluator.kind(node.type, scope, source)
        value = self.evaluator.value(node.init_expression, scope)
        check_assigned(value, kind, source)
        constant = known(cast(value, kind, source), f"the constant '{node.identifier.name}'", source)
        scope.declare(node.identifier.name, KnownValue(constant), source)

    def declare(self, node: ast.ClassicalDeclaration, scope: BlockScope, source: Source) -> None:
        name = node.identifier.name
        if isinstance(node.type, TIMES):
            scope.declare(name, Time(), source)
            return
        kind = self.evaluator.kind(node.type, scope, source)
        if kind.name in NUMERIC:
            self.declare_number(node, kind, scope, source)
            return
        initial = node.init_expression
        if isinstance(initial, ast.QuantumMeasurement) or initial is None:
            storage = self.storage(node, name, kind)
            scope.declare(name, storage, source)
            if initial is not None:
                self.measure(initial, storage.bits, scope, source)
            elif kind.name == "bit":
                self.clear(storage, scope, source)
            elif may_be_read_unset(name, self.following()):
                self.builder.emit(Havoc(storage.bits), source)
            return
        value = self.evaluator.value(initial, scope)
        storage = self.storage(node, name, kind)
        scope.declare(name, storage, source)
        self.builder.emit(Assign(storage.bits, self.fitting(value, kind, source)), source)

    def clear(self, storage: Storage, scope: BlockScope, source: Source) -> None:
        """Bits begin as 0; those of an inner block do so each time it is entered."""
        if scope.outer is not None:
            self.builder.emit(Assign(storage.bits, Const(0)), source)

    def declare_number(
        self, node: ast.ClassicalDeclaration, kind: ClassicalType, scope: BlockScope, source: Source
    ) -> None:
        """Real numbers never reach the store: they must be known."""
        name = node.identifier.name
        if node.init_expression is None:
            hint = "give it a value, best as 'const'"
            raise UnsupportedError(f"'{kind.name} {name}' without a value", source=source, hint=hint)
        value = self.evaluator.value(node.init_expression, scope)
        scope.declare(name, KnownValue(known(cast(value, kind, source), f"'{name}'", source)), source)

    def declare_port(self, node: ast.IODeclaration, scope: BlockScope, source: Source) -> None:
        name = node.identifier.name
        kind = self.evaluator.kind(node.type, scope, source)
        if kind.name in NUMERIC:
            hint = "replace it by a constant"
            raise UnsupportedError(f"'{kind.name} {name}' is not known", source=source, hint=hint)
        storage = self.storage(node, name, kind)
        scope.declare(name, storage, source)
        if node.io_identifier.name == "input":
            self.builder.emit(Havoc(storage.bits), source)

    def storage(self, node: Any, name: str, kind: ClassicalType) -> Storage:
        """The positions of a declaration: the same ones in every turn of an unrolled loop."""
        key = (id(node), name, kind)
        if key not in self.places:
            is_bit = kind.name == "bool" or (kind.name == "bit" and node.type.size is None)
            variable = self.builder.declare(name, kind.width, signed=kind.signed, is_bit=is_bit)
            self.places[key] = node, Storage(variable.bits, kind)
        return self.places[key][1]

    def fitting(self, value: Value, kind: ClassicalType, source: Source) -> Expression:
        """The value as it is written to a place of this type."""
        check_assigned(value, kind, source)
        self.warn_of_lost_carry(value, kind, source)
        if kind.name == "bool" and not (isinstance(value, Stored) and value.kind.is_boolean):
            return as_expression(cast(value, kind, source), source)
        return narrowed(as_expression(value, source), kind.width)

    def warn_of_lost_carry(self, value: Value, kind: ClassicalType, source: Source) -> None:
        """Sums wrap around at the width of what is added, however wide the place for them is."""
        if not isinstance(value, Stored) or not isinstance(value.expression, Binary):
            return
        width = value.kind.width
        if value.expression.op in ("+", "-", "*") and width < min(kind.width, DEFAULT_WIDTH):
            how = f"wraps around at {counted(width, 'bit')} before it is assigned to {kind.width}"
            hint = f"cast an operand, for example 'uint[{kind.width}](...)'"
            self.builder.warn(f"'{value.expression.op}' {how} ({hint})", source)

    def assign(self, node: ast.ClassicalAssignment, scope: BlockScope, source: Source) -> None:
        name, index = self.lvalue(node.lvalue)
        symbol = scope.lookup(name, source)
        if not isinstance(symbol, Storage):
            hint = "only bit, bool, int and uint variables can be assigned"
            raise UnsupportedError(f"assignment to '{name}'", source=source, hint=hint)
        value = self.evaluator.value(node.rvalue, scope)
        place = None if index is None else self.single_place(index, scope)
        if node.op.name != "=":
            old = self.old_value(node.lvalue, symbol, place, scope, source)
            value = binary(node.op.name[:-1], old, value, source)
        if isinstance(place, Stored):
            lowest = self.lowest(value, source)
            self.builder.emit(AssignAt(symbol.bits, counted_place(place, len(symbol.bits)), lowest), source)
            return
        bits = self.target_bits(node.lvalue, scope, 0, source)
        kind = symbol.kind if index is None else ClassicalType("bit", len(bits))
        self.builder.emit(Assign(bits, self.fitting(value, kind, source)), source)

    def lowest(self, value: Value, source: Source) -> Expression:
        """The lowest digit of a value, as it is written to one bit."""
        fitting, kind = self.fitting(value, ClassicalType("bit", 1), source), kind_of(value)
        is_digit = kind is not None and kind.is_boolean
        return fitting if is_digit else Binary("&", fitting, Const(1))

    def old_value(
        self, node: Any, symbol: Storage, place: Value | None, scope: BlockScope, source: Source
    ) -> Value:
        """What stands at the target of an assignment; a single place of it was evaluated once."""
        if place is None:
            return self.evaluator.value(_as_expression_node(node), scope)
        return self.evaluator.bit_at(Stored(Read(symbol.bits), symbol.kind), place, source)

    def lvalue(self, node: Any) -> tuple[str, Any]:
        """The name and the index, if any, of an assignment's target."""
        if isinstance(node, ast.Identifier):
            return node.name, None
        source = self.evaluator.source(node)
        if len(node.indices) != 1:
            raise UnsupportedError("an index of an index is not supported here", source=source)
        return node.name.name, self.evaluator.single_index(node.indices[0], source)

    def single_place(self, index: Any, scope: BlockScope) -> Value | None:
        """The index, if it is one number and no range or set."""
        if isinstance(index, ast.RangeDefinition | ast.DiscreteSet):
            return None
        return self.evaluator.value(index, scope)

    def target_bits(self, node: Any, scope: BlockScope, width: int, source: Source) -> tuple[int, ...]:
        """The positions of a target; a result that is not kept gets hidden ones."""
        if node is None:
            return self.builder.declare("_discarded", width, hidden=True).bits
        name, index = self.lvalue(node)
        symbol = scope.lookup(name, source)
        if not isinstance(symbol, Storage):
            raise ProgramError(f"'{name}' is not a classical register", source=source)
        if index is None:
            return symbol.bits
        return tuple(symbol.bits[k] for k in self.evaluator.places(index, len(symbol.bits), scope, source))

    def measure(
        self, node: ast.QuantumMeasurement, bits: Sequence[int], scope: BlockScope, source: Source
    ) -> None:
        self.keep_outcomes(self.evaluator.qubits(node.qubit, scope), bits, source)

    def keep_outcomes(self, qubits: Sequence[int], bits: Sequence[int], source: Source) -> None:
        """Measure qubits into bits, one by one."""
        if len(qubits) != len(bits):
            sizes = counted(len(qubits), "qubit"), counted(len(bits), "bit")
            raise ProgramError(f"a measurement of {sizes[0]} into {sizes[1]}", source=source)
        for qubit, bit in zip(qubits, bits, strict=True):
            self.builder.emit(Measure(qubit, bit), source)

    def without_calls(self, node: Any, scope: BlockScope) -> Value:
        """A condition that is evaluated again and again cannot contain the body of a subroutine."""
        self.allow_calls = False
        value = self.evaluator.value(node, scope)
        self.allow_calls = True
        return value

    def call_statement(self, node: Any, scope: BlockScope, source: Source) -> None:
        if not isinstance(node, ast.FunctionCall):
            raise UnsupportedError("this expression has no effect", source=source, hint="remove it")
        self.call(node, scope, source)

    def call_value(self, node: ast.FunctionCall, scope: BlockScope, source: Source) -> Value | None:
        """The result of a subroutine inside an expression; None if the name is no subroutine."""
        if not isinstance(scope.find(node.name.name), Subroutine):
            return None
        if not self.allow_calls:
            hint = "store its result in a variable, in front of the loop and at the end of its body"
            raise UnsupportedError("a subroutine in a loop condition", source=source, hint=hint)
        result = self.call(node, scope, source)
        if result is None:
            raise ProgramError(f"subroutine '{node.name.name}' returns nothing", source=source)
        return Stored(Read(result.bits, result.kind.signed), result.kind)

    def call(self, node: ast.FunctionCall, scope: BlockScope, source: Source) -> Storage | None:
        """Replace a call by the subroutine's body."""
        name = node.name.name
        subroutine = scope.lookup(name, source)
        if not isinstance(subroutine, Subroutine):
            raise ProgramError(f"'{name}' is not a subroutine", source=source)
        self.made += 1
        if len(self.calls) >= MAX_CALLS:
            hint = "recursive subroutines are not supported"
            raise UnsupportedError(f"calls of '{name}' are nested too deeply", source=source, hint=hint)
        if self.made > MOST_CALLS:
            message = f"more than {MOST_CALLS:,} calls of subroutines"
            raise UnsupportedError(message, source=source, hint="each is replaced by the subroutine's body")
        definition = subroutine.definition
        inner = self.bind(node, subroutine, scope, source)
        kind = None
        if definition.return_type is not None:
            kind = self.evaluator.kind(definition.return_type, subroutine.scope, source)
        call = _Call(self.temporary(node, f"{name}_result", kind) if kind else None)
        self.calls.append(call)
        file, self.evaluator.file = self.evaluator.file, subroutine.file
        self.block(definition.body, inner)
        self.evaluator.file = file
        self.builder.land(self.calls.pop().returns)
        return call.result

    def temporary(self, node: Any, name: str, kind: ClassicalType) -> Storage:
        """Hidden positions that belong to one call in the text."""
        key = (id(node), name, kind)
        if key not in self.places:
            variable = self.builder.declare(name, kind.width, signed=kind.signed, hidden=True)
            self.places[key] = node, Storage(variable.bits, kind)
        return self.places[key][1]

    def bind(
        self, node: ast.FunctionCall, subroutine: Subroutine, scope: BlockScope, source: Source
    ) -> BlockScope:
        """The arguments in a new scope: qubits by reference, classical values by copy."""
        definition = subroutine.definition
        if len(node.arguments) != len(definition.arguments):
            message = f"subroutine '{node.name.name}' takes {len(definition.arguments)} arguments"
            raise ProgramError(f"{message}, not {len(node.arguments)}", source=source)
        inner = BlockScope(subroutine.scope)
        for parameter, argument in zip(definition.arguments, node.arguments, strict=True):
            name = parameter.name.name
            if isinstance(parameter, ast.QuantumArgument):
                inner.declare(name, Qubits(self.evaluator.qubits(argument, scope)), source)
                continue
            kind = self.evaluator.kind(parameter.type, subroutine.scope, source)
            value = self.evaluator.value(argument, scope)
            check_assigned(value, kind, source)
            if not isinstance(value, Stored):
                inner.declare(name, KnownValue(known(cast(value, kind, source), name, source)), source)
                continue
            storage = self.temporary(node, name, kind)
            self.builder.emit(Assign(storage.bits, self.fitting(value, kind, source)), source)
            inner.declare(name, storage, source)
        return BlockScope(inner)

    def return_statement(self, node: ast.ReturnStatement, scope: BlockScope, source: Source) -> None:
        if not self.calls:
            raise ProgramError("'return' outside of a subroutine", source=source)
        call = self.calls[-1]
        if node.expression is not None:
            if call.result is None:
                raise ProgramError("the subroutine has no return type", source=source)
            if isinstance(node.expression, ast.QuantumMeasurement):
                self.measure(node.expression, call.result.bits, scope, source)
            else:
                value = self.evaluator.value(node.expression, scope)
                fitting = self.fitting(value, call.result.kind, source)
                self.builder.emit(Assign(call.result.bits, fitting), source)
        call.returns.append(self.builder.depart("return", source))


def _as_expression_node(node: Any) -> Any:
    """The target of an assignment as an expression that reads it."""
    if isinstance(node, ast.Identifier):
        return node
    read = ast.IndexExpression(collection=node.name, index=node.indices[0])
    read.span = node.span
    return read
