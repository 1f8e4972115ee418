"""Names of an OpenQASM 3 program and what they stand for."""

from __future__ import annotations

from dataclasses import dataclass, field

from openqasm3 import ast

from qismc.common.source import Source
from qismc.errors import ProgramError, suggestion
from qismc.program.qasm3.values import CONSTANTS, Kind, Known


@dataclass(frozen=True)
class Qubits:
    """A qubit, a quantum register or an alias."""

    numbers: tuple[int, ...]


@dataclass(frozen=True)
class Storage:
    """A classical variable or register, with its positions in the store."""

    bits: tuple[int, ...]
    kind: Kind


@dataclass(frozen=True)
class Number:
    """A constant, a loop variable or a gate's parameter."""

    value: Known


@dataclass(frozen=True)
class Time:
    """A duration or a stretch: delays and boxes name it, and nothing that is checked depends on it."""


@dataclass(frozen=True)
class Gate:
    """A gate that the program defines, with the names that its body sees."""

    definition: ast.QuantumGateDefinition
    scope: Scope
    file: str


@dataclass(frozen=True)
class Subroutine:
    """A `def`; calls are replaced by its body."""

    definition: ast.SubroutineDefinition
    scope: Scope
    file: str


Symbol = Qubits | Storage | Number | Time | Gate | Subroutine


@dataclass
class Scope:
    """A nest of blocks; inner names hide outer ones."""

    outer: Scope | None = None
    names: dict[str, Symbol] = field(default_factory=dict)

    def find(self, name: str) -> Symbol | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return Number(CONSTANTS[name]) if name in CONSTANTS else None

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
