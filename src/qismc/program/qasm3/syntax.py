"""The syntax tree of OpenQASM 3. Every node knows where it begins."""

from __future__ import annotations

from dataclasses import dataclass

from qismc.common.source import Source

Value = int | float


@dataclass
class Node:
    """Any part of a program."""

    source: Source


# --- expressions ---


@dataclass
class Name(Node):
    text: str


@dataclass
class Literal(Node):
    value: Value


@dataclass
class Unary(Node):
    op: str
    operand: Node


@dataclass
class Binary(Node):
    op: str
    left: Node
    right: Node


@dataclass
class Index(Node):
    """`collection[index]`; the index is a set, or a list of expressions and ranges."""

    collection: Node
    index: Set | list[Node]


@dataclass
class Call(Node):
    name: str
    arguments: list[Node]


@dataclass
class Type(Node):
    """A type by its first word, or `qubit`; arrays and complex numbers keep none of their parts."""

    name: str
    size: Node | None = None


@dataclass
class Cast(Node):
    type: Type
    value: Node


@dataclass
class Set(Node):
    values: list[Node]


@dataclass
class Range(Node):
    """`start:step:end`, the end included."""

    start: Node | None
    end: Node | None
    step: Node | None


@dataclass
class Concatenation(Node):
    parts: list[Node]


@dataclass
class Measure(Node):
    """A measurement: an expression, or a statement that may say where the outcomes go."""

    qubit: Node
    target: Node | None


@dataclass
class Unsupported(Node):
    """What has no meaning here: durations, imaginary numbers, arrays, calibrations."""

    text: str


# --- statements ---


@dataclass
class Include(Node):
    file: str


@dataclass
class Declaration(Node):
    """Of a variable or of qubits, also as a parameter; `word` is `const`, `input`, `output` or empty."""

    word: str
    type: Type
    name: str
    value: Node | None


@dataclass
class Alias(Node):
    name: str
    value: Node


@dataclass
class GateDefinition(Node):
    name: str
    parameters: list[str]
    qubits: list[str]
    body: list[Node]


@dataclass
class SubroutineDefinition(Node):
    name: str
    parameters: list[Declaration]
    result: Type | None
    body: list[Node]


Modifier = tuple[str, Node | None]
"""A word such as `ctrl`, and its argument."""


@dataclass
class GateCall(Node):
    """A gate, or a phase: `gphase`."""

    modifiers: list[Modifier]
    name: str
    arguments: list[Node]
    qubits: list[Node]


@dataclass
class Reset(Node):
    qubits: Node


@dataclass
class Barrier(Node):
    qubits: list[Node]


@dataclass
class Assignment(Node):
    target: Node
    op: str
    value: Node


@dataclass
class If(Node):
    condition: Node
    then: list[Node]
    otherwise: list[Node]


@dataclass
class While(Node):
    condition: Node
    body: list[Node]


@dataclass
class For(Node):
    type: Type
    name: str
    values: Node
    body: list[Node]


@dataclass
class Case(Node):
    """A block of a `switch`; the default has no labels."""

    labels: list[Node]
    body: list[Node]


@dataclass
class Switch(Node):
    target: Node
    cases: list[Case]


@dataclass
class Block(Node):
    """Statements in braces, with `box` or without."""

    body: list[Node]


@dataclass
class Return(Node):
    value: Node | None


@dataclass
class Word(Node):
    """`break`, `continue` or `end`."""

    word: str


@dataclass
class ExpressionStatement(Node):
    expression: Node


@dataclass
class Mark(Node):
    """A line `//@ mark name`."""

    name: str
