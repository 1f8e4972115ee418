"""Names of an OpenQASM 3 program: what they stand for, and whether they are read before they are written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from openqasm3 import ast

from qismc.common.source import Source
from qismc.errors import ProgramError, suggestion
from qismc.program.qasm2_angles import CONSTANTS
from qismc.program.qasm3.values import ClassicalType, Known


@dataclass(frozen=True)
class Qubits:
    """A qubit, a quantum register or an alias."""

    numbers: tuple[int, ...]


@dataclass(frozen=True)
class Storage:
    """A classical variable or register, with its positions in the store."""

    bits: tuple[int, ...]
    kind: ClassicalType


@dataclass(frozen=True)
class KnownValue:
    """A constant, a loop variable or a gate's parameter."""

    value: Known


@dataclass(frozen=True)
class Time:
    """A duration or a stretch: delays and boxes name it, and nothing that is checked depends on it."""


@dataclass(frozen=True)
class Gate:
    """A gate that the program defines, with the names that its body sees."""

    definition: ast.QuantumGateDefinition
    scope: BlockScope
    file: str


@dataclass(frozen=True)
class Subroutine:
    """A `def`; calls are replaced by its body."""

    definition: ast.SubroutineDefinition
    scope: BlockScope
    file: str


Symbol = Qubits | Storage | KnownValue | Time | Gate | Subroutine


@dataclass
class BlockScope:
    """A nest of blocks; inner names hide outer ones."""

    outer: BlockScope | None = None
    names: dict[str, Symbol] = field(default_factory=dict)

    def find(self, name: str) -> Symbol | None:
        scope: BlockScope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return KnownValue(CONSTANTS[name]) if name in CONSTANTS else None

    def lookup(self, name: str, source: Source) -> Symbol:
        symbol = self.find(name)
        if symbol is None:
            raise ProgramError(f"unknown name '{name}'", source=source, hint=suggestion(name, self.known()))
        return symbol

    def known(self) -> set[str]:
        outer = self.outer.known() if self.outer is not None else set(CONSTANTS)
        return outer | set(self.names)

    def declare(self, name: str, symbol: Symbol, source: Source) -> None:
        if name in self.names:
            raise ProgramError(f"'{name}' is declared twice", source=source)
        self.names[name] = symbol


def may_be_read_unset(name: str, statements: Sequence[Any]) -> bool:
    """Can one of these statements read the variable before another has set it?"""
    return _first_use(name, statements) == "read"


def _first_use(name: str, statements: Sequence[Any]) -> str | None:
    """ "read" if some way through the statements reads first, "set" if every way sets, else None."""
    for statement in statements:
        use = _use(name, statement) if mentions(statement, name) else None
        if use is not None:
            return use
    return None


def _use(name: str, node: Any) -> str | None:
    match node:
        case ast.BranchingStatement():
            return _choice(name, node.condition, [node.if_block, node.else_block])
        case ast.SwitchStatement():
            default = node.default.statements if node.default is not None else []
            return _choice(name, node.target, [*(block.statements for _, block in node.cases), default])
        case ast.WhileLoop():
            return _choice(name, node.while_condition, [node.block, []])
        case ast.ForInLoop():
            return _choice(name, node.set_declaration, [node.block, []])
        case ast.Box():
            return _first_use(name, node.body)
        case ast.CompoundStatement():
            return _first_use(name, node.statements)
        case ast.ClassicalAssignment():
            is_set = node.op.name == "=" and _is_whole(name, node.lvalue)
            return "set" if is_set and not mentions(node.rvalue, name) else "read"
        case ast.QuantumMeasurementStatement():
            return "set" if _is_whole(name, node.target) else "read"
    return "read"


def _choice(name: str, condition: Any, blocks: Iterable[Sequence[Any]]) -> str | None:
    """The use by a statement that takes one of several ways."""
    if mentions(condition, name):
        return "read"
    uses = {_first_use(name, block) for block in blocks}
    return "read" if "read" in uses else "set" if uses == {"set"} else None


def _is_whole(name: str, target: Any) -> bool:
    return isinstance(target, ast.Identifier) and target.name == name


def mentions(node: Any, name: str) -> bool:
    """Does an identifier of this name occur in a syntax tree?"""
    if isinstance(node, ast.Identifier):
        return bool(node.name == name)
    if isinstance(node, list | tuple):
        return any(mentions(part, name) for part in node)
    if isinstance(node, ast.QASMNode):
        return any(mentions(part, name) for part in vars(node).values())
    return False
