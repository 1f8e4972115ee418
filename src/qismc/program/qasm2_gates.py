"""Gates of an OpenQASM 2 file: its own definitions first, then the known names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from qismc.common.source import Source
from qismc.common.wording import counted
from qismc.errors import ProgramError, UnsupportedError, suggestion
from qismc.program.operators import Operator, compose
from qismc.program.qasm2_angles import AngleError, AngleExpression, evaluate, literal_angles, parse_angles
from qismc.program.qasm_text import Locator, blank_comments, check_text
from qismc.program.standard import check_signature, known_names, named_gate, signature

INVOCATION = re.compile(r"([A-Za-z_]\w*)\s*(\(.*\))?\s*([^()]*)", re.DOTALL)
HEADER = re.compile(r"(?:gate|opaque)\s+([A-Za-z_]\w*)\s*(?:\(([^()]*)\))?\s*([^()]*)", re.DOTALL)
NAME = re.compile(r"[^\W\d]\w*")
STATEMENT = re.compile(r"\s*([^;{}]*[^;{}\s])?\s*([;{}]|\Z)")


class Invocation(NamedTuple):
    """`name(angles) operands` as it stands in the text."""

    name: str
    angles: str
    operands: str


@dataclass(frozen=True)
class BodyGate:
    """One gate of a definition's body: its angles are expressions over the definition's parameters."""

    name: str
    angles: tuple[AngleExpression, ...]
    operands: tuple[int, ...]
    definition: Definition | None  # as of this point of the file: names may be redefined later
    source: Source = field(compare=False)


@dataclass(frozen=True, eq=False)
class Definition:
    """A gate that the file defines."""

    parameters: tuple[str, ...]
    width: int
    steps: tuple[BodyGate, ...]


def parse_invocation(statement: str, source: Source) -> Invocation:
    """Split a gate statement into name, angles and operands."""
    match = INVOCATION.fullmatch(statement)
    if match is None or not match[3].strip():
        text = " ".join(statement.split())[:60]
        hint = "expected 'gate(angles) q[0], q[1];'"
        raise ProgramError(f"malformed statement '{text}'", source=source, hint=hint)
    return Invocation(match[1], match[2][1:-1] if match[2] else "", match[3])


class GateTable:
    """Names to operators; a file may reuse a name for another number of qubits."""

    def __init__(self) -> None:
        self.definitions: dict[tuple[str, int], Definition] = {}
        self.opaque: dict[str, Source] = {}
        self.checked: set[tuple[str, int, int]] = set()
        self.built: dict[tuple[Definition, tuple[float, ...]], Operator] = {}

    def operator(self, call: Invocation, width: int, source: Source) -> Operator:
        """The operator of a gate statement on `width` qubits."""
        angles = literal_angles(call.angles)
        if angles is None:
            angles = _values(call.name, _parsed(call, source), {}, source)
        self.check(call.name, len(angles), width, source)
        definition = self.definitions.get((call.name, width))
        if definition is None:
            return named_gate(call.name, angles, width)
        return self.build(definition, call.name, angles, source).without_phase()

    def build(self, definition: Definition, name: str, angles: tuple[float, ...], source: Source) -> Operator:
        key = (definition, angles)
        if key not in self.built:
            self.built[key] = self.expand(definition, name, angles, source)
        return self.built[key]

    def expand(
        self, definition: Definition, name: str, angles: tuple[float, ...], source: Source
    ) -> Operator:
        values = dict(zip(definition.parameters, angles, strict=True))
        parts = []
        for step in definition.steps:
            inner = _values(step.name, step.angles, values, step.source)
            if step.definition is None:
                operator = named_gate(step.name, inner, len(step.operands))
            else:
                operator = self.build(step.definition, step.name, inner, step.source)
            parts.append((operator, step.operands))
        return Operator(name, definition.width, compose(parts, name, source), angles)

    def check(self, name: str, angles: int, width: int, source: Source) -> None:
        """The gate exists and takes so many angles and qubits."""
        if (name, angles, width) in self.checked:
            return
        definition = self.definitions.get((name, width))
        expected = (len(definition.parameters), width) if definition else signature(name, width)
        own = [w for n, w in self.definitions if n == name]
        if expected is None and own:
            expected = (len(self.definitions[name, own[0]].parameters), own[0])
        if expected is None:
            raise self.unknown(name, source)
        check_signature(name, expected, angles, width, source)
        self.checked.add((name, angles, width))

    def unknown(self, name: str, source: Source) -> ProgramError:
        """The error for a gate that has no matrix."""
        if name in self.opaque:
            message = f"gate '{name}' is opaque (declared in line {self.opaque[name].line})"
            return UnsupportedError(message, source=source, hint="give it a definition")
        known = known_names() | {n for n, _ in self.definitions}
        return ProgramError(f"unknown gate '{name}'", source=source, hint=suggestion(name, known))

    def declare_opaque(self, statement: str, source: Source) -> None:
        match = HEADER.fullmatch(statement)
        if match is None:
            raise ProgramError(f"malformed '{statement}'", source=source)
        self.opaque[match[1]] = source

    def define_all(self, text: str, file: str) -> None:
        """The gate definitions of an included file."""
        check_text(text, file)
        locator, text, resume = Locator(text, file), blank_comments(text), 0
        for match in STATEMENT.finditer(text):
            if match[1] is None or match.start() < resume:
                continue
            if match[1].startswith("gate"):
                resume = self.define(text, match, locator)
            elif match[1].startswith("opaque"):
                self.declare_opaque(match[1], locator.at(match.start(1)))
            else:
                message = f"an included file may only define gates, not '{match[1][:40]}'"
                raise UnsupportedError(message, source=locator.at(match.start(1)))

    def define(self, text: str, head: re.Match[str], locator: Locator) -> int:
        """Read the definition that starts with `head`; the offset after it."""
        source = locator.at(head.start(1))
        match = HEADER.fullmatch(head[1])
        if match is None or head[2] != "{":
            hint = "write 'gate name(angles) a, b { ... }'"
            raise ProgramError("malformed gate definition", source=source, hint=hint)
        name, parameters, arguments = match[1], _names(match[2], source), _names(match[3], source)
        closing = text.find("}", head.end())
        if closing < 0:
            raise ProgramError(f"the body of gate '{name}' has no closing brace", source=source)
        body = _Body(self, name, parameters, arguments)
        definition = Definition(parameters, len(arguments), body.read(text, head.end(), closing, locator))
        before = self.definitions.get((name, len(arguments)))
        if before is not None and (before.parameters, before.steps) != (parameters, definition.steps):
            message = f"gate '{name}' on {counted(len(arguments), 'qubit')} is defined twice"
            raise ProgramError(message, source=source)
        self.definitions[name, len(arguments)] = definition
        self.checked.clear()
        return closing + 1


class _Body:
    """The steps between the braces of a definition."""

    def __init__(
        self, gates: GateTable, name: str, parameters: tuple[str, ...], arguments: tuple[str, ...]
    ) -> None:
        self.gates, self.name, self.parameters = gates, name, parameters
        self.places = {argument: k for k, argument in enumerate(arguments)}

    def read(self, text: str, start: int, end: int, locator: Locator) -> tuple[BodyGate, ...]:
        steps = []
        for match in STATEMENT.finditer(text, start, end):
            if match[1] is None:
                continue
            source = locator.at(match.start(1))
            if match[2] != ";":
                raise ProgramError(f"expected ';' in the body of gate '{self.name}'", source=source)
            call = parse_invocation(match[1], source)
            if call.name != "barrier":
                steps.append(self.step(call, source))
        return tuple(steps)

    def step(self, call: Invocation, source: Source) -> BodyGate:
        if call.name in ("measure", "reset", "if"):
            raise ProgramError(f"'{call.name}' cannot stand in a gate definition", source=source)
        operands = tuple(self.operand(text, source) for text in call.operands.split(","))
        if len(set(operands)) != len(operands):
            raise ProgramError(f"the same qubit twice in '{call.operands.strip()}'", source=source)
        angles = _parsed(call, source)
        self.check_names(call.name, angles, source)
        definition = self.gates.definitions.get((call.name, len(operands)))
        if call.name == self.name and definition is None and signature(call.name, len(operands)) is None:
            raise ProgramError(f"gate '{self.name}' is defined by itself", source=source)
        self.gates.check(call.name, len(angles), len(operands), source)
        return BodyGate(call.name, angles, operands, definition, source)

    def check_names(self, gate: str, angles: tuple[AngleExpression, ...], source: Source) -> None:
        """Unknown names are found in the definition, whether it is used or not."""
        for name in (name for angle in angles for name in angle.names if name not in self.parameters):
            message = f"gate '{gate}': unknown name '{name}' in an angle"
            raise ProgramError(message, source=source, hint=suggestion(name, self.parameters))

    def operand(self, text: str, source: Source) -> int:
        name = text.strip()
        if name not in self.places:
            message = f"'{name}' is not a qubit of gate '{self.name}'"
            raise ProgramError(message, source=source, hint=suggestion(name, self.places))
        return self.places[name]


def _parsed(call: Invocation, source: Source) -> tuple[AngleExpression, ...]:
    try:
        return parse_angles(call.angles)
    except AngleError as error:
        raise ProgramError(f"gate '{call.name}': {error}", source=source) from None


def _values(
    gate: str, angles: Iterable[AngleExpression], names: Mapping[str, float], source: Source
) -> tuple[float, ...]:
    try:
        return tuple([evaluate(angle, names) for angle in angles])
    except AngleError as error:
        raise ProgramError(f"gate '{gate}': {error}", source=source) from None


def _names(text: str | None, source: Source) -> tuple[str, ...]:
    """A comma-separated list of distinct names."""
    names = tuple(part.strip() for part in text.split(",")) if text and text.strip() else ()
    for name in names:
        if NAME.fullmatch(name) is None or names.count(name) > 1:
            raise ProgramError(f"malformed or repeated name '{name}' in a gate definition", source=source)
    return names
