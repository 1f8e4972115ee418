"""Syntax trees of expressions -> values, qubits and storage."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from openqasm3 import ast

from qismc.common.source import Source
from qismc.errors import ProgramError, UnsupportedError
from qismc.program.builder import check_turns
from qismc.program.classical import MAX_TERMS, Binary, Const, Expression, Read, Unary
from qismc.program.qasm3.arithmetic import binary, call_function, cast, unary
from qismc.program.qasm3.scope import BlockScope, KnownValue, Qubits, Storage
from qismc.program.qasm3.values import (
    BOOL,
    DEFAULT_WIDTH,
    MAX_ANGLE_WIDTH,
    MAX_BITS,
    MAX_WIDTH,
    BitString,
    ClassicalType,
    Known,
    Stored,
    Value,
    as_expression,
    kind_of,
    known,
    known_integer,
)

CallHook = Callable[[ast.FunctionCall, BlockScope, Source], Value | None]


def counted_place(place: Stored, size: int) -> Expression:
    """The place in a register that a number of the running program means; negative ones are from the end."""
    if not place.kind.signed:
        return place.expression
    before = Binary("<", place.expression, Const(0))
    return Binary("+", place.expression, Binary("*", before, Const(size)))


class Evaluator:
    """Evaluates expressions; `file` is named in positions."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._depth = 0
        self.call_hook: CallHook = lambda _node, _scope, _source: None

    def source(self, node: Any) -> Source:
        if node.span is None:
            return Source(self.file, 1)
        return Source(self.file, node.span.start_line, node.span.start_column + 1)

    def value(self, node: Any, scope: BlockScope) -> Value:
        """The value of an expression; sums of many terms stand inside each other."""
        source = self.source(node)
        if self._depth == MAX_TERMS:
            message = f"an expression of more than {MAX_TERMS} terms"
            raise UnsupportedError(message, source=source, hint="add them up in several statements")
        self._depth += 1
        try:
            return self._value(node, scope, source)
        finally:
            self._depth -= 1

    def _value(self, node: Any, scope: BlockScope, source: Source) -> Value:
        match node:
            case ast.IntegerLiteral() | ast.FloatLiteral() | ast.BooleanLiteral():
                return node.value  # type: ignore[no-any-return]
            case ast.BitstringLiteral():
                return BitString(node.value, node.width)
            case ast.Identifier():
                return self._name(node, scope, source)
            case ast.UnaryExpression():
                return unary(node.op.name, self.value(node.expression, scope), source)
            case ast.BinaryExpression():
                return self._binary(node, scope, source)
            case ast.IndexExpression():
                return self._indexed(node, scope, source)
            case ast.Cast():
                return cast(self.value(node.argument, scope), self.kind(node.type, scope, source), source)
            case ast.FunctionCall():
                return self._call(node, scope, source)
        name = type(node).__name__
        raise UnsupportedError(f"the expression '{name}' is not supported", source=source)

    def _binary(self, node: ast.BinaryExpression, scope: BlockScope, source: Source) -> Value:
        left, right = self.value(node.lhs, scope), self.value(node.rhs, scope)
        return binary(node.op.name, left, right, source)

    def _call(self, node: ast.FunctionCall, scope: BlockScope, source: Source) -> Value:
        result = self.call_hook(node, scope, source)
        if result is not None:
            return result
        arguments = [self.value(argument, scope) for argument in node.arguments]
        return call_function(node.name.name, arguments, source)

    def _name(self, node: ast.Identifier, scope: BlockScope, source: Source) -> Value:
        symbol = scope.lookup(node.name, source)
        if isinstance(symbol, KnownValue):
            return symbol.value
        if isinstance(symbol, Storage):
            return Stored(Read(symbol.bits, symbol.kind.signed), symbol.kind)
        raise ProgramError(f"'{node.name}' is not a classical value", source=source)

    def _indexed(self, node: ast.IndexExpression, scope: BlockScope, source: Source) -> Value:
        value = self.value(node.collection, scope)
        index = self.single_index(node.index, source)
        if isinstance(index, ast.Expression) and not isinstance(index, ast.DiscreteSet):
            return self.bit_at(value, self.value(index, scope), source)
        if not isinstance(value, Stored) or not isinstance(value.expression, Read):
            raise UnsupportedError("a slice of this value is not supported", source=source)
        bits = tuple(
            value.expression.bits[k] for k in self.places(index, len(value.expression.bits), scope, source)
        )
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
            return BitString(int(value) >> number, 1)
        if isinstance(value.expression, Read):
            return Stored(Read((value.expression.bits[number],)), ClassicalType("bit", 1))
        return Stored(Binary("index", value.expression, Const(number)), ClassicalType("bit", 1))

    def single_index(self, index: Any, source: Source) -> Any:
        if isinstance(index, ast.DiscreteSet):
            return index
        if len(index) != 1:
            raise UnsupportedError("arrays of several dimensions are not supported", source=source)
        return index[0]

    def _in_range(self, index: int, size: int, source: Source) -> int:
        if not -size <= index < size:
            raise ProgramError(f"index {index} is out of range: the size is {size}", source=source)
        return index % size

    def integers(
        self, node: Any, scope: BlockScope, source: Source, size: int | None = None
    ) -> range | list[int]:
        """The numbers of a range `a:step:b` (b included) or of a set `{a, b, c}`."""
        if isinstance(node, ast.DiscreteSet):
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

    def turns(self, node: ast.ForInLoop, scope: BlockScope, source: Source) -> Iterator[Known]:
        """The values of a loop's variable, of its type."""
        kind = self.kind(node.type, scope, source)
        for number in self.integers(node.set_declaration, scope, source):
            yield known(cast(number, kind, source), "the value of a loop variable", source)

    def _bound(self, node: Any, scope: BlockScope, source: Source, default: int) -> int:
        return default if node is None else known_integer(self.value(node, scope), "the bound", source)

    def places(self, index: Any, size: int, scope: BlockScope, source: Source) -> list[int]:
        """The positions that an index, a range or a set selects."""
        if isinstance(index, ast.RangeDefinition | ast.DiscreteSet):
            numbers = self.integers(index, scope, source, size)
        else:
            numbers = [known_integer(self.value(index, scope), "the index", source)]
        return [self._in_range(number, size, source) for number in numbers]

    def kind(self, node: Any, scope: BlockScope, source: Source) -> ClassicalType:
        """A classical type."""
        size = getattr(node, "size", None)
        width = None if size is None else known_integer(self.value(size, scope), "the width", source)
        if width is not None and not 0 < width <= MAX_WIDTH:
            raise ProgramError(f"a type cannot have width {width}", source=self.source(size))
        match node:
            case ast.BoolType():
                return BOOL
            case ast.BitType():
                return ClassicalType("bit", width or 1)
            case ast.IntType():
                return ClassicalType("int", self._integer_width(width, source), signed=True)
            case ast.UintType():
                return ClassicalType("uint", self._integer_width(width, source))
            case ast.FloatType():
                return ClassicalType("float", 64)
            case ast.AngleType():
                return ClassicalType("angle", self._angle_width(width, source))
        name = type(node).__name__.removesuffix("Type").lower()
        raise UnsupportedError(f"the type '{name}' is not supported", source=source)

    def _integer_width(self, width: int | None, source: Source) -> int:
        if width is not None and width > MAX_BITS:
            message = f"an integer cannot have {width:,} bits, more than {MAX_BITS:,}"
            raise UnsupportedError(message, source=source, hint="use a register of bits")
        return width or DEFAULT_WIDTH

    def _angle_width(self, width: int | None, source: Source) -> int:
        """0 stands for an angle that is not rounded."""
        if width is not None and width > MAX_ANGLE_WIDTH:
            message = f"an angle cannot have {width:,} bits, more than {MAX_ANGLE_WIDTH}"
            raise UnsupportedError(message, source=source, hint="leave the width out, or use 'float'")
        return width or 0

    def qubits(self, node: Any, scope: BlockScope) -> tuple[int, ...]:
        """The qubits that an operand or an alias stands for."""
        source = self.source(node)
        match node:
            case ast.Identifier():
                symbol = scope.lookup(node.name, source)
                if not isinstance(symbol, Qubits):
                    raise ProgramError(f"'{node.name}' is not a qubit or quantum register", source=source)
                return symbol.numbers
            case ast.IndexedIdentifier():
                numbers = self.qubits(node.name, scope)
                for indices in node.indices:
                    place = self.places(self.single_index(indices, source), len(numbers), scope, source)
                    numbers = tuple(numbers[k] for k in place)
                return numbers
            case ast.IndexExpression():
                numbers = self.qubits(node.collection, scope)
                place = self.places(self.single_index(node.index, source), len(numbers), scope, source)
                return tuple(numbers[k] for k in place)
            case ast.Concatenation():
                return self.qubits(node.lhs, scope) + self.qubits(node.rhs, scope)
        raise ProgramError("expected a qubit", source=source)
