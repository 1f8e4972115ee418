"""The syntax tree of OpenQASM 3. Every node knows where it begins."""

from __future__ import annotations

from dataclasses import dataclass

from typing_extensions import dataclass_transform

from qismc.common.source import Source

Value = int | float


@dataclass_transform()
class _Record:
    """Classes made of it are dataclasses."""

    def __init_subclass__(cls) -> None:
        dataclass(cls)


class Node(_Record):
    """Any part of a program."""

    source: Source


# --- expressions ---


class Name(Node):
    text: str


class Literal(Node):
    value: Value


class Unary(Node):
    op: str
    operand: Node


class Binary(Node):
    op: str
    left: Node
    right: Node


class Index(Node):
    """`collection[index]`; the index is a set, or a list of expressions and ranges."""

    collection: Node
    index: Set | list[Node]


class Call(Node):
    name: str
    arguments: list[Node]


class Type(Node):
    """A type by its first word, or `qubit`; arrays and complex numbers keep none of their parts."""

    name: str
    size: Node | None = None


class Cast(Node):
    type: Type
    value: Node


class Set(Node):
    values: list[Node]


class Range(Node):
    """`start:step:end`, the end included."""

    start: Node | None
    end: Node | None
    step: Node | None


class Concatenation(Node):
    parts: list[Node]


class Measure(Node):
    """A measurement: an expression, or a statement that may say where the outcomes go."""

    qubit: Node
    target: Node | None


class Unsupported(Node):
    """What has no meaning here: durations, imaginary numbers, arrays, calibrations."""

    text: str


# --- statements ---


class Include(Node):
    file: str


class Declaration(Node):
    """Of a variable or of qubits, also as a parameter; `word` is `const`, `input`, `output` or empty."""

    word: str
    type: Type
    name: str
    value: Node | None


class Alias(Node):
    name: str
    value: Node


class GateDefinition(Node):
    name: str
    parameters: list[str]
    qubits: list[str]
    body: list[Node]


class SubroutineDefinition(Node):
    name: str
    parameters: list[Declaration]
    result: Type | None
    body: list[Node]


Modifier = tuple[str, Node | None]
"""A word such as `ctrl`, and its argument."""


class GateCall(Node):
    """A gate, or a phase: `gphase`."""

    modifiers: list[Modifier]
    name: str
    arguments: list[Node]
    qubits: list[Node]


class Reset(Node):
    qubits: Node


class Barrier(Node):
    qubits: list[Node]


class Assignment(Node):
    target: Node
    op: str
    value: Node


class If(Node):
    condition: Node
    then: list[Node]
    otherwise: list[Node]


class While(Node):
    condition: Node
    body: list[Node]


class For(Node):
    type: Type
    name: str
    values: Node
    body: list[Node]


class Case(Node):
    """A block of a `switch`; the default has no labels."""

    labels: list[Node]
    body: list[Node]


class Switch(Node):
    target: Node
    cases: list[Case]


class Block(Node):
    """Statements in braces, with `box` or without."""

    body: list[Node]


class Return(Node):
    value: Node | None


class Word(Node):
    """`break`, `continue` or `end`."""

    word: str


class ExpressionStatement(Node):
    expression: Node


class Mark(Node):
    """A line `//@ mark name`."""

    name: str
