"""Syntax trees of expressions -> values, qubits and storage."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from qismc.common.source import Source
from qismc.errors import ProgramError, UnsupportedError
from qismc.program.builder import check_turns
from qismc.program.classical import MAX_TERMS, Binary, Const, Expression, Read, Unary
from qismc.program.qasm3 import syntax
from qismc.program.qasm3.arithmetic import binary, call_function, cast, unary
from qismc.program.qasm3.scope import BlockScope, Storage
from qismc.program.qasm3.syntax import Node
from qismc.program.qasm3.values import (
    BOOL,
    DEFAULT_WIDTH,
    MAX_ANGLE_WIDTH,
    MAX_BITS,
    MAX_WIDTH,
    ClassicalType,
    Known,
    Stored,
    Value,
    as_expression,
    bit_string,
    kind_of,
    known,
    known_integer,
)

CallHook = Callable[[syntax.Call, BlockScope], Value | None]


def counted_place(place: Stored, size: int) -> Expression:
    """The place in a register that a number of the running program means; negative ones are from the end."""
    if not place.kind.signed:
        return place.expression
    before = Binary("<", place.expression, Const(0))
    return Binary("+", place.expression, Binary("*", before, Const(size)))


def _at_most(width: int, most: int, what: str, hint: str, source: Source) -> int:
    """A width that is not too large."""
    if width > most:
        message = f"{what} cannot have {width:,} bits, more than {most:,}"
        raise UnsupportedError(message, source=source, hint=hint)
    return width


class Evaluator:
    """Evaluates expressions; `call_hook` knows the values of calls of subroutines."""

    def __init__(self, call_hook: CallHook = lambda _node, _scope: None) -> None:
        self.call_hook = call_hook
        self._depth = 0

    def value(self, node: Node, scope: BlockScope) -> Value:
        """The value of an expression; sums of many terms stand inside each other."""
        if self._depth == MAX_TERMS:
            message = f"an expression of more than {MAX_TERMS} terms"
            raise UnsupportedError(message, source=node.source, hint="add them up in several statements")
        self._depth += 1
        try:
            return self._value(node, scope)
        finally:
            self._depth -= 1

    def _value(self, node: Node, scope: BlockScope) -> Value:
        source = node.source
        match node:
            case syntax.Literal():
                return node.value
            case syntax.Name():
                return self._name(node, scope)
            case syntax.Unary():
                return unary(node.op, self.value(node.operand, scope), source)
            case syntax.Binary():
                left, right = self.value(node.left, scope), self.value(node.right, scope)
                return binary(node.op, left, right, source)
            case syntax.Index():
                return self._indexed(node, scope)
            case syntax.Cast():
                return cast(self.value(node.value, scope), self.kind(node.type, scope, source), source)
            case syntax.Call():
                return self._call(node, scope)
        text = node.text if isinstance(node, syntax.Unsupported) else type(node).__name__.lower()
        raise UnsupportedError(f"the expression '{text}' is not supported", source=source)

    def _call(self, node: syntax.Call, scope: BlockScope) -> Value:
        result = self.call_hook(node, scope)
        if result is not None:
            return result
        arguments = [self.value(argument, scope) for argument in node.arguments]
        return call_function(node.name, arguments, node.source)

    def _name(self, node: syntax.Name, scope: BlockScope) -> Value:
        symbol = scope.lookup(node.text, node.source)
        if isinstance(symbol, int | float):
            return symbol
        if isinstance(symbol, Storage):
            return symbol.value
        raise ProgramError(f"'{node.text}' is not a classical value", source=node.source)

    def _indexed(self, node: syntax.Index, scope: BlockScope) -> Value:
        source, value = node.source, self.value(node.collection, scope)
        index = self.single_index(node)
        if not isinstance(index, syntax.Range | syntax.Set):
            return self.bit_at(value, self.value(index, scope), source)
        if not isinstance(value, Stored) or not isinstance(value.expression, Read):
            raise UnsupportedError("a slice of this value is not supported", source=source)
        own = value.expression.bits
        bits = tuple(own[k] for k in self.places(index, len(own), scope, source))
        return Stored(Read(bits), ClassicalType("bit", len(bits)))

    def bit_at(self, value: Value, place: Value, source: Source) -> Value:
        """One bit of a value; negative places count from the end."""
        kind = kind_of(value)
        if kind is None:
            raise UnsupportedError("an index of this value is not supported", source=source)
        if isinstance(place, Stored):
            digits = as_expression(value, source)
            if kind.signed:  # without the signs that go on for ever to the left
                digits = Unary("+", digits, kind.width)
            expression = Binary("index", digits, counted_place(place, kind.width))
            return Stored(expression, ClassicalType("bit", 1))
        number = self._in_range(known_integer(place, "the index", source), kind.width, source)
        if not isinstance(value, Stored):
            return bit_string(int(value) >> number, 1)
        if isinstance(value.expression, Read):
            return Stored(Read((value.expression.bits[number],)), ClassicalType("bit", 1))
        return Stored(Binary("index", value.expression, Const(number)), ClassicalType("bit", 1))

    def single_index(self, node: syntax.Index) -> Node:
        """The one expression, range or set between the brackets."""
        if isinstance(node.index, syntax.Set):
            return node.index
        if len(node.index) != 1:
            raise UnsupportedError("arrays of several dimensions are not supported", source=node.source)
        return node.index[0]

    def _in_range(self, index: int, size: int, source: Source) -> int:
        if not -size <= index < size:
            raise ProgramError(f"index {index} is out of range: the size is {size}", source=source)
        return index % size

    def integers(
        self, node: syntax.Range | syntax.Set, scope: BlockScope, source: Source, size: int | None = None
    ) -> range | list[int]:
        """The numbers of a range `a:step:b` (b included) or of a set `{a, b, c}`."""
        if isinstance(node, syntax.Set):
            return [known_integer(self.value(v, scope), "an element", source) for v in node.values]
        step = self._bound(node.step, scope, source, 1)
        if step == 0:
            raise ProgramError("the step of a range is 0", source=source)
        if size is None and (node.start is None or node.end is None):
            raise ProgramError("the range has no bounds", source=source)
        last = (size or 0) - 1
        start = self._bound(node.start, scope, source, 0 if step > 0 else last)
        end = self._bound(node.end, scope, source, last if step > 0 else 0)
        if size is not None:
            start, end = (k + size if k < 0 else k for k in (start, end))
        found = range(start, end + (1 if step > 0 else -1), step)
        check_turns(len(found), source)
        return found

    def turns(self, node: syntax.For, scope: BlockScope, hint: str | None = None) -> Iterator[Known]:
        """The values of a loop's variable, of its type."""
        source, values = node.source, node.values
        if not isinstance(values, syntax.Range | syntax.Set):
            message = "'for' over this collection is not supported"
            raise UnsupportedError(message, source=source, hint=hint)
        kind = self.kind(node.type, scope, source)
        for number in self.integers(values, scope, source):
            yield known(cast(number, kind, source), "the value of a loop variable", source)

    def _bound(self, node: Node | None, scope: BlockScope, source: Source, default: int) -> int:
        return default if node is None else known_integer(self.value(node, scope), "the bound", source)

    def places(self, index: Node, size: int, scope: BlockScope, source: Source) -> list[int]:
        """The positions that an index, a range or a set selects."""
        if isinstance(index, syntax.Range | syntax.Set):
            numbers = self.integers(index, scope, source, size)
        else:
            numbers = [known_integer(self.value(index, scope), "the index", source)]
        return [self._in_range(number, size, source) for number in numbers]

    def kind(self, node: syntax.Type, scope: BlockScope, source: Source) -> ClassicalType:
        """A classical type."""
        width = 0
        if node.size is not None:
            width = known_integer(self.value(node.size, scope), "the width", source)
            if not 0 < width <= MAX_WIDTH:
                raise ProgramError(f"a type cannot have width {width}", source=node.size.source)
        match node.name:
            case "bool":
                return BOOL
            case "bit":
                return ClassicalType("bit", width or 1)
            case "int" | "uint":
                width = _at_most(width, MAX_BITS, "an integer", "use a register of bits", source)
                return ClassicalType(node.name, width or DEFAULT_WIDTH, node.name == "int")
            case "float":
                return ClassicalType("float", 64)
            case "angle":  # the width 0 stands for one that is not rounded
                hint = "leave the width out, or use 'float'"
                return ClassicalType("angle", _at_most(width, MAX_ANGLE_WIDTH, "an angle", hint, source))
        raise UnsupportedError(f"the type '{node.name}' is not supported", source=source)

    def qubits(self, node: Node, scope: BlockScope) -> tuple[int, ...]:
        """The qubits that an operand or an alias stands for."""
        source = node.source
        match node:
            case syntax.Name():
                symbol = scope.lookup(node.text, source)
                if not isinstance(symbol, tuple):
                    raise ProgramError(f"'{node.text}' is not a qubit or quantum register", source=source)
                return symbol
            case syntax.Index():
                numbers = self.qubits(node.collection, scope)
                places = self.places(self.single_index(node), len(numbers), scope, source)
                return tuple(numbers[k] for k in places)
            case syntax.Concatenation():
                return tuple(qubit for part in node.parts for qubit in self.qubits(part, scope))
        raise ProgramError("expected a qubit", source=source)
