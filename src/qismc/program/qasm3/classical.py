"""Declarations, assignments and subroutines of OpenQASM 3."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from qismc.common.source import Source
from qismc.common.wording import counted
from qismc.errors import ProgramError, UnsupportedError
from qismc.program.builder import Builder
from qismc.program.classical import Binary, Const, Expression, Read, narrowed
from qismc.program.qasm3 import syntax
from qismc.program.qasm3.arithmetic import binary, cast
from qismc.program.qasm3.expressions import Evaluator, counted_place
from qismc.program.qasm3.scope import BlockScope, Storage, Subroutine, Time, may_be_read_unset
from qismc.program.qasm3.syntax import Node
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
TIMES = ("duration", "stretch")


@dataclass
class _Call:
    """A call in progress: where its result goes, and the returns that wait for its end."""

    result: Storage | None
    returns: list[int] = field(default_factory=list)


class ClassicalStatements:
    """The classical part of a reader; `block` reads a list of statements."""

    def __init__(
        self, builder: Builder, evaluator: Evaluator, block: Callable[[Sequence[Node], BlockScope], None]
    ) -> None:
        self.builder = builder
        self.evaluator = evaluator
        self.block = block
        self.places: dict[tuple[int, str, ClassicalType], tuple[Node, Storage]] = {}
        """By the node that declares them, which is kept so that its identity stays taken."""
        self.calls: list[_Call] = []
        self.made = 0
        self.allow_calls = True

    def declare(self, node: syntax.Declaration, scope: BlockScope, following: Iterable[Node]) -> None:
        """A variable, in front of the statements that follow."""
        if node.type.name in TIMES and node.word in ("", "const"):
            scope.declare(node.name, Time(), node.source)
            return
        kind = self.evaluator.kind(node.type, scope, node.source)
        if node.word == "const" or (kind.name in NUMERIC and not node.word):
            self.declare_known(node, kind, scope)
        elif node.word:
            self.declare_port(node, kind, scope)
        else:
            self.declare_variable(node, kind, scope, following)

    def declare_known(self, node: syntax.Declaration, kind: ClassicalType, scope: BlockScope) -> None:
        """Constants, and real numbers, which never reach the store."""
        source = node.source
        if node.value is None:
            message, hint = f"'{kind.name} {node.name}' without a value", "give it a value, best as 'const'"
            raise UnsupportedError(message, source=source, hint=hint)
        value = self.evaluator.value(node.value, scope)
        check_assigned(value, kind, source)
        what = f"the constant '{node.name}'" if node.word else f"'{node.name}'"
        scope.declare(node.name, known(cast(value, kind, source), what, source), source)

    def declare_port(self, node: syntax.Declaration, kind: ClassicalType, scope: BlockScope) -> None:
        if kind.name in NUMERIC:
            message, hint = f"'{kind.name} {node.name}' is not known", "replace it by a constant"
            raise UnsupportedError(message, source=node.source, hint=hint)
        storage = self.storage(node, kind, scope)
        if node.word == "input":
            self.builder.emit(Havoc(storage.bits), node.source)

    def declare_variable(
        self, node: syntax.Declaration, kind: ClassicalType, scope: BlockScope, following: Iterable[Node]
    ) -> None:
        source, initial = node.source, node.value
        if initial is not None and not isinstance(initial, syntax.Measure):
            value = self.evaluator.value(initial, scope)
            storage = self.storage(node, kind, scope)
            self.builder.emit(Assign(storage.bits, self.fitting(value, kind, source)), source)
            return
        storage = self.storage(node, kind, scope)
        if initial is not None:
            self.keep_outcomes(self.evaluator.qubits(initial.qubit, scope), storage.bits, source)
        elif kind.name == "bit":  # they begin as 0; those of an inner block do so each time it is entered
            if scope.outer is not None:
                self.builder.emit(Assign(storage.bits, Const(0)), source)
        elif may_be_read_unset(node.name, following):
            self.builder.emit(Havoc(storage.bits), source)

    def storage(self, node: syntax.Declaration, kind: ClassicalType, scope: BlockScope) -> Storage:
        """The declared positions: the same ones in every turn of an unrolled loop."""
        is_bit = kind.name == "bool" or (kind.name == "bit" and node.type.size is None)
        storage = self.place(node, node.name, kind, is_bit=is_bit)
        scope.declare(node.name, storage, node.source)
        return storage

    def place(
        self, node: Node, name: str, kind: ClassicalType, *, is_bit: bool = False, hidden: bool = False
    ) -> Storage:
        """The positions of a name that stands at this place of the text."""
        key = (id(node), name, kind)
        if key not in self.places:
            declare, signed = self.builder.declare, kind.signed
            variable = declare(name, kind.width, signed=signed, is_bit=is_bit, hidden=hidden)
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

    def assign(self, node: syntax.Assignment, scope: BlockScope) -> None:
        source, target = node.source, node.target
        name, index = self.target(target)
        symbol = scope.lookup(name, source)
        if not isinstance(symbol, Storage):
            hint = "only bit, bool, int and uint variables can be assigned"
            raise UnsupportedError(f"assignment to '{name}'", source=source, hint=hint)
        value, place = self.evaluator.value(node.value, scope), None
        if index is not None and not isinstance(index, syntax.Range | syntax.Set):
            place = self.evaluator.value(index, scope)
        if node.op != "=":
            old = self.old_value(target, symbol, place, scope)
            value = binary(node.op[:-1], old, value, source)
        if isinstance(place, Stored):
            lowest = self.lowest(value, source)
            self.builder.emit(AssignAt(symbol.bits, counted_place(place, len(symbol.bits)), lowest), source)
            return
        bits = self.target_bits(target, scope, 0, source)
        kind = symbol.kind if index is None else ClassicalType("bit", len(bits))
        self.builder.emit(Assign(bits, self.fitting(value, kind, source)), source)

    def lowest(self, value: Value, source: Source) -> Expression:
        """The lowest digit of a value, as it is written to one bit."""
        fitting, kind = self.fitting(value, ClassicalType("bit", 1), source), kind_of(value)
        is_digit = kind is not None and kind.is_boolean
        return fitting if is_digit else Binary("&", fitting, Const(1))

    def old_value(self, target: Node, symbol: Storage, place: Value | None, scope: BlockScope) -> Value:
        """What stands at the target of an assignment; a single place of it was evaluated once."""
        if place is None:
            return self.evaluator.value(target, scope)
        return self.evaluator.bit_at(Stored(Read(symbol.bits), symbol.kind), place, target.source)

    def target(self, node: Node) -> tuple[str, Node | None]:
        """The name and the index, if any, of what is assigned."""
        if isinstance(node, syntax.Name):
            return node.text, None
        assert isinstance(node, syntax.Index)
        if not isinstance(node.collection, syntax.Name):
            raise UnsupportedError("an index of an index is not supported here", source=node.source)
        return node.collection.text, self.evaluator.single_index(node)

    def target_bits(
        self, node: Node | None, scope: BlockScope, width: int, source: Source
    ) -> tuple[int, ...]:
        """The positions of a target; a result that is not kept gets hidden ones."""
        if node is None:
            return self.builder.declare("_discarded", width, hidden=True).bits
        name, index = self.target(node)
        symbol = scope.lookup(name, source)
        if not isinstance(symbol, Storage):
            raise ProgramError(f"'{name}' is not a classical register", source=source)
        if index is None:
            return symbol.bits
        return tuple(symbol.bits[k] for k in self.evaluator.places(index, len(symbol.bits), scope, source))

    def keep_outcomes(self, qubits: Sequence[int], bits: Sequence[int], source: Source) -> None:
        """Measure qubits into bits, one by one."""
        if len(qubits) != len(bits):
            sizes = counted(len(qubits), "qubit"), counted(len(bits), "bit")
            raise ProgramError(f"a measurement of {sizes[0]} into {sizes[1]}", source=source)
        for qubit, bit in zip(qubits, bits, strict=True):
            self.builder.emit(Measure(qubit, bit), source)

    def without_calls(self, node: Node, scope: BlockScope) -> Value:
        """A condition that is evaluated again and again cannot contain the body of a subroutine."""
        self.allow_calls = False
        value = self.evaluator.value(node, scope)
        self.allow_calls = True
        return value

    def call_statement(self, node: syntax.ExpressionStatement, scope: BlockScope) -> None:
        if not isinstance(node.expression, syntax.Call):
            raise UnsupportedError("this expression has no effect", source=node.source, hint="remove it")
        self.call(node.expression, scope)

    def call_value(self, node: syntax.Call, scope: BlockScope) -> Value | None:
        """The result of a subroutine inside an expression; None if the name is no subroutine."""
        if not isinstance(scope.find(node.name), Subroutine):
            return None
        if not self.allow_calls:
            hint = "store its result in a variable, in front of the loop and at the end of its body"
            raise UnsupportedError("a subroutine in a loop condition", source=node.source, hint=hint)
        result = self.call(node, scope)
        if result is None:
            raise ProgramError(f"subroutine '{node.name}' returns nothing", source=node.source)
        return result.value

    def call(self, node: syntax.Call, scope: BlockScope) -> Storage | None:
        """Replace a call by the subroutine's body."""
        name, source = node.name, node.source
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
        inner = self.bind(node, subroutine, scope)
        result = None
        if definition.result is not None:
            kind = self.evaluator.kind(definition.result, subroutine.scope, source)
            result = self.place(node, f"{name}_result", kind, hidden=True)
        self.calls.append(_Call(result))
        self.block(definition.body, inner)
        self.builder.land(self.calls.pop().returns)
        return result

    def bind(self, node: syntax.Call, subroutine: Subroutine, scope: BlockScope) -> BlockScope:
        """The arguments in a new scope: qubits by reference, classical values by copy."""
        parameters, source = subroutine.definition.parameters, node.source
        if len(node.arguments) != len(parameters):
            message = f"subroutine '{node.name}' takes {len(parameters)} arguments"
            raise ProgramError(f"{message}, not {len(node.arguments)}", source=source)
        inner = BlockScope(subroutine.scope)
        for parameter, argument in zip(parameters, node.arguments, strict=True):
            name = parameter.name
            if parameter.type.name == "qubit":
                inner.declare(name, self.evaluator.qubits(argument, scope), source)
                continue
            kind = self.evaluator.kind(parameter.type, subroutine.scope, source)
            value = self.evaluator.value(argument, scope)
            check_assigned(value, kind, source)
            if not isinstance(value, Stored):
                inner.declare(name, known(cast(value, kind, source), name, source), source)
                continue
            storage = self.place(node, name, kind, hidden=True)
            self.builder.emit(Assign(storage.bits, self.fitting(value, kind, source)), source)
            inner.declare(name, storage, source)
        return BlockScope(inner)

    def return_statement(self, node: syntax.Return, scope: BlockScope) -> None:
        call, source = self.calls[-1], node.source
        if node.value is not None:
            if call.result is None:
                raise ProgramError("the subroutine has no return type", source=source)
            if isinstance(node.value, syntax.Measure):
                self.keep_outcomes(self.evaluator.qubits(node.value.qubit, scope), call.result.bits, source)
            else:
                value = self.evaluator.value(node.value, scope)
                fitting = self.fitting(value, call.result.kind, source)
                self.builder.emit(Assign(call.result.bits, fitting), source)
        call.returns.append(self.builder.depart("return", source))
