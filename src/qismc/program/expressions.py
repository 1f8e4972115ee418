"""Qiskit's classical expressions -> expressions over the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from qiskit.circuit import ClassicalRegister, Clbit
from qiskit.circuit.classical import expr, types

from qismc.common.source import Source
from qismc.errors import UnsupportedError
from qismc.program.classical import MAX_TERMS, Binary, Const, Expression, Read, Unary

Locate = Callable[[Any], tuple[int, ...]]

BINARY_OPS = {
    "BIT_AND": "&", "BIT_OR": "|", "BIT_XOR": "^", "LOGIC_AND": "and", "LOGIC_OR": "or", "EQUAL": "==",
    "NOT_EQUAL": "!=", "LESS": "<", "LESS_EQUAL": "<=", "GREATER": ">", "GREATER_EQUAL": ">=",
    "SHIFT_LEFT": "<<", "SHIFT_RIGHT": ">>", "ADD": "+", "SUB": "-", "MUL": "*", "DIV": "/",
}  # fmt: skip


def width_of(kind: types.Type, source: Source | None) -> int:
    """How many bits of the store a value of this type takes."""
    if isinstance(kind, types.Bool):
        return 1
    if isinstance(kind, types.Uint):
        return int(kind.width)
    name = type(kind).__name__.lower()
    hint = "use Bool or Uint"
    raise UnsupportedError(f"classical values of type '{name}' are not supported", source=source, hint=hint)


def convert(node: expr.Expr, locate: Locate, source: Source | None) -> Expression:
    """The expression whose value is the node's; `locate` knows where bits, registers and variables live."""
    return _Converter(locate, source).convert(node)


def variables_of(node: expr.Expr) -> Iterator[expr.Var]:
    """The standalone variables that an expression mentions."""
    return (v for v in expr.iter_vars(node) if v.standalone)


class _Converter:
    def __init__(self, locate: Locate, source: Source | None) -> None:
        self.locate = locate
        self.source = source
        self._depth = 0

    def convert(self, node: expr.Expr) -> Expression:
        if self._depth == MAX_TERMS:
            message = f"an expression of more than {MAX_TERMS} terms inside each other"
            raise UnsupportedError(message, source=self.source, hint="compute it in several statements")
        self._depth += 1
        found = self._converted(node)
        self._depth -= 1
        return found

    def _converted(self, node: expr.Expr) -> Expression:
        width = width_of(node.type, self.source)
        if isinstance(node, expr.Var):
            return Read(self.locate(node.var if isinstance(node.var, Clbit | ClassicalRegister) else node))
        if isinstance(node, expr.Value):
            return Const(int(node.value))
        if isinstance(node, expr.Cast):
            return self._cast(node, width)
        if isinstance(node, expr.Unary):
            return self._unary(node, width)
        if isinstance(node, expr.Binary):
            return self._binary(node, width)
        if isinstance(node, expr.Index):
            return Binary("index", self.convert(node.target), self.convert(node.index))
        message = f"classical expression '{type(node).__name__}' is not supported"
        raise UnsupportedError(message, source=self.source)

    def _cast(self, node: expr.Cast, width: int) -> Expression:
        operand = self.convert(node.operand)
        if isinstance(node.type, types.Bool):
            return operand if isinstance(node.operand.type, types.Bool) else Unary("bool", operand)
        return operand if width >= width_of(node.operand.type, self.source) else Unary("+", operand, width)

    def _unary(self, node: expr.Unary, width: int) -> Expression:
        operand = self.convert(node.operand)
        name = node.op.name
        if name == "LOGIC_NOT" or (name == "BIT_NOT" and isinstance(node.type, types.Bool)):
            return Unary("not", operand)
        return Unary("~" if name == "BIT_NOT" else "-", operand, width)

    def _binary(self, node: expr.Binary, width: int) -> Expression:
        operator = BINARY_OPS[node.op.name]
        wraps = width if operator in ("<<", "+", "-", "*") else None
        return Binary(operator, self.convert(node.left), self.convert(node.right), wraps)
