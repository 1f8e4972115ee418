"""The classical side of a Qiskit circuit: expressions, names and storage of bits and variables."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from functools import partial
from typing import Any

from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister, Clbit, ControlFlowOp, Store
from qiskit.circuit.classical import expr, types

from qismc.common.source import Source
from qismc.errors import UnsupportedError
from qismc.program.classical import MAX_TERMS, Binary, Const, Expression, Read, Unary, Variable

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


def convert(node: expr.Expr, locate: Locate, source: Source | None, depth: int = 0) -> Expression:
    """The expression whose value is the node's; `locate` knows where bits, registers and variables live."""
    if depth == MAX_TERMS:
        message = f"an expression of more than {MAX_TERMS} terms inside each other"
        raise UnsupportedError(message, source=source, hint="compute it in several statements")
    inner = partial(convert, locate=locate, source=source, depth=depth + 1)
    width = width_of(node.type, source)
    if isinstance(node, expr.Var):
        return Read(locate(node.var if isinstance(node.var, Clbit | ClassicalRegister) else node))
    if isinstance(node, expr.Value):
        return Const(int(node.value))
    if isinstance(node, expr.Cast):
        return _cast(node, inner(node.operand), width, source)
    if isinstance(node, expr.Unary):
        return _unary(node, inner(node.operand), width)
    if isinstance(node, expr.Binary):
        operator = BINARY_OPS[node.op.name]
        wraps = width if operator in ("<<", "+", "-", "*") else None
        return Binary(operator, inner(node.left), inner(node.right), wraps)
    if isinstance(node, expr.Index):
        return Binary("index", inner(node.target), inner(node.index))
    message = f"classical expression '{type(node).__name__}' is not supported"
    raise UnsupportedError(message, source=source)


def _cast(node: expr.Cast, operand: Expression, width: int, source: Source | None) -> Expression:
    if isinstance(node.type, types.Bool):
        return operand if isinstance(node.operand.type, types.Bool) else Unary("bool", operand)
    return operand if width >= width_of(node.operand.type, source) else Unary("+", operand, width)


def _unary(node: expr.Unary, operand: Expression, width: int) -> Expression:
    name = node.op.name
    if name == "LOGIC_NOT" or (name == "BIT_NOT" and isinstance(node.type, types.Bool)):
        return Unary("not", operand)
    return Unary("~" if name == "BIT_NOT" else "-", operand, width)


def variables_of(node: expr.Expr) -> Iterator[expr.Var]:
    """The standalone variables that an expression mentions."""
    return (v for v in expr.iter_vars(node) if v.standalone)


def qubit_names(circuit: QuantumCircuit, registers: dict[str, tuple[int, ...]]) -> list[str]:
    """`q[0]` by the first register that holds the qubit, `qubit7` for a loose one."""
    names: dict[int, str] = {}
    for register, members in reversed(registers.items()):
        for place, qubit in enumerate(members):
            names[qubit] = f"{register}[{place}]"
    return [names.get(k) or _free(f"qubit{k}", registers) for k in range(circuit.num_qubits)]


def register_variables(circuit: QuantumCircuit, positions: dict[Any, int]) -> dict[str, Variable]:
    """Registers in order, then the bits that stand in no register."""
    variables = {r.name: Variable(r.name, tuple(positions[bit] for bit in r)) for r in circuit.cregs}
    covered = {position for variable in variables.values() for position in variable.bits}
    for position in positions.values():
        if position not in covered:
            name = _free(f"clbit{position}", variables)
            variables[name] = Variable(name, (position,), is_bit=True)
    return variables


def _free(name: str, taken: Container[str]) -> str:
    """The name, or a variant that no register has."""
    while name in taken:
        name += "_"
    return name


def read_before_written(circuit: QuantumCircuit) -> list[expr.Var]:
    """The circuit's own variables that some statement mentions before a store has set them."""
    unset = set(circuit.iter_declared_vars())
    found = []
    for instruction in circuit.data:
        if instruction.is_standard_gate():
            continue
        operation = instruction.operation
        for variable in _mentioned(operation):
            if variable in unset:
                unset.discard(variable)
                found.append(variable)
        if isinstance(operation, Store) and isinstance(operation.lvalue, expr.Var):
            unset.discard(operation.lvalue)
    return found


def _mentioned(operation: Any) -> Iterator[expr.Var]:
    if isinstance(operation, Store):
        yield from variables_of(operation.rvalue)
        if not isinstance(operation.lvalue, expr.Var):
            yield from variables_of(operation.lvalue)
    elif isinstance(operation, ControlFlowOp):
        for part in (getattr(operation, "condition", None), getattr(operation, "target", None)):
            if isinstance(part, expr.Expr):
                yield from variables_of(part)
        for block in operation.blocks:
            yield from block.iter_captured_vars()
