"""Names of an OpenQASM 3 program: what they stand for, and whether they are read before they are written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from qismc.common.lazily import Frozen
from qismc.common.source import Source
from qismc.errors import ProgramError, suggestion
from qismc.program.classical import Read
from qismc.program.qasm2_angles import CONSTANTS
from qismc.program.qasm3 import syntax
from qismc.program.qasm3.syntax import Node
from qismc.program.qasm3.values import ClassicalType, Known, Stored

Qubits = tuple[int, ...]
"""What a qubit, a quantum register or an alias stands for."""


class Storage(Frozen):
    """A classical variable or register, with its positions in the store."""

    bits: tuple[int, ...]
    kind: ClassicalType

    @property
    def value(self) -> Stored:
        return Stored(Read(self.bits, self.kind.signed), self.kind)


class Time(Frozen):
    """A duration or a stretch: delays and boxes name it, and nothing that is checked depends on it."""


class OwnGate(Frozen):
    """A gate that the program defines, with the names that its body sees."""

    definition: syntax.GateDefinition
    scope: BlockScope


class Subroutine(Frozen):
    """A `def`; calls are replaced by its body."""

    definition: syntax.SubroutineDefinition
    scope: BlockScope


Symbol = Qubits | Storage | Known | Time | OwnGate | Subroutine
"""Known are constants, loop variables and the parameters of gates."""


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
        return CONSTANTS.get(name)

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


def may_be_read_unset(name: str, statements: Iterable[Node]) -> bool:
    """Can one of these statements read the variable before another has set it?"""
    return _first_use(name, statements) == "read"


def _first_use(name: str, statements: Iterable[Node]) -> str | None:
    """ "read" if some way through the statements reads first, "set" if every way sets, else None."""
    for statement in statements:
        use = _use(name, statement) if mentions(statement, name) else None
        if use is not None:
            return use
    return None


def _use(name: str, node: Node) -> str | None:
    match node:
        case syntax.If():
            return _choice(name, node.condition, [node.then, node.otherwise])
        case syntax.Switch():
            has_default = any(not case.labels for case in node.cases)
            return _choice(name, node.target, [case.body for case in node.cases] + [[]] * (not has_default))
        case syntax.While():
            return _choice(name, node.condition, [node.body, []])
        case syntax.For():
            return _choice(name, node.values, [node.body, []])
        case syntax.Block():
            return _first_use(name, node.body)
        case syntax.Assignment():
            is_set = node.op == "=" and _is_whole(name, node.target)
            return "set" if is_set and not mentions(node.value, name) else "read"
        case syntax.Measure():
            return "set" if _is_whole(name, node.target) else "read"
    return "read"


def _choice(name: str, condition: Node, blocks: Iterable[Iterable[Node]]) -> str | None:
    """The use by a statement that takes one of several ways."""
    if mentions(condition, name):
        return "read"
    uses = {_first_use(name, block) for block in blocks}
    return "read" if "read" in uses else "set" if uses == {"set"} else None


def _is_whole(name: str, target: Node | None) -> bool:
    return isinstance(target, syntax.Name) and target.text == name


def mentions(node: object, name: str) -> bool:
    """Does a syntax tree contain this name?"""
    if isinstance(node, str):
        return node == name
    if isinstance(node, list | tuple):
        return any(mentions(part, name) for part in node)
    return isinstance(node, Node) and any(mentions(part, name) for part in vars(node).values())
