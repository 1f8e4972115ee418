"""Gate calls of OpenQASM 3 -> operators: modifiers, definitions of the program, known names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from qismc.common.source import Source
from qismc.errors import ProgramError, UnsupportedError, suggestion
from qismc.program.gates import Base
from qismc.program.operators import Factor, Factors, Operator, check_size, compose, controlled, inverse, power
from qismc.program.qasm3 import syntax
from qismc.program.qasm3.expressions import Evaluator
from qismc.program.qasm3.scope import BlockScope, OwnGate
from qismc.program.qasm3.syntax import Node
from qismc.program.qasm3.values import known_angle, known_integer
from qismc.program.standard import check_signature, known_names, named_gate, signature

MAX_DEPTH = 100
"""Maximum nesting of gate definitions."""
Part = tuple[Operator, list[int]]
BUILT_IN = frozenset({"U", "CX", "gphase"})
PHASE_DIFFERS = frozenset({"U", "u2", "u3"})


class GateReader:
    """Operators of gate statements; definitions are expanded once per list of angles."""

    def __init__(self, evaluator: Evaluator, warn: Callable[[str, Source], None]) -> None:
        self.evaluator = evaluator
        self.warn = warn
        self.has_library = False
        self.open: list[str] = []  # definitions that are being expanded
        self.expanded: dict[tuple[int, tuple[float, ...]], tuple[OwnGate, Factors]] = {}

    def operator(self, node: syntax.GateCall, scope: BlockScope) -> Operator:
        """The operator of a gate or phase statement, its qubits in the order of the operands."""
        name, source = node.name, node.source
        modifiers = [self.modifier(modifier, scope, source) for modifier in node.modifiers]
        controls = sum(count for kind, count in modifiers if kind in ("ctrl", "negctrl"))
        width = len(node.qubits) - int(controls)
        angles = self.angles(node, scope)
        if name == "gphase":
            factors: Factors = (Factor(Base("phase", angles), ()),)
            if width != 0:
                raise ProgramError(f"gphase takes {controls} qubits here", source=source)
        else:
            factors = self.base(node, angles, width, scope)
        if controls and name in PHASE_DIFFERS:
            self.warn(
                f"a controlled '{name}' is read as in Qiskit; the OpenQASM 3 standard adds a phase", source
            )
        for kind, argument in reversed(modifiers):
            if kind == "inv":
                factors = inverse(factors)
            elif kind == "pow":
                factors = power(factors, width, argument, f"pow({argument:g}) @ {name}", source)
            else:
                factors = controlled(factors, [int(kind == "ctrl")] * int(argument))
                width += int(argument)
        text = "".join(_modifier_text(kind, argument) for kind, argument in modifiers)
        return Operator(text + name, width, factors, angles)

    def modifier(self, modifier: syntax.Modifier, scope: BlockScope, source: Source) -> tuple[str, float]:
        name, argument = modifier
        if argument is None:
            return name, 1
        value = self.evaluator.value(argument, scope)
        if name == "pow":
            return name, known_angle(value, "the power", source)
        count = known_integer(value, "the number of controls", source)
        if count < 1:
            raise ProgramError(f"'{name}' needs at least one control, not {count}", source=source)
        return name, count

    def angles(self, node: syntax.GateCall, scope: BlockScope) -> tuple[float, ...]:
        what, value = f"an angle of gate '{node.name}'", self.evaluator.value
        return tuple(known_angle(value(part, scope), what, part.source) for part in node.arguments)

    def base(
        self, node: syntax.GateCall, angles: tuple[float, ...], width: int, scope: BlockScope
    ) -> Factors:
        """The gate without its modifiers."""
        name, source = node.name, node.source
        symbol = scope.find(name)
        if isinstance(symbol, OwnGate):
            definition = symbol.definition
            expected = len(definition.parameters), len(definition.qubits)
            check_signature(name, expected, len(angles), width, source)
            return self.expand(symbol, angles, source)
        known = signature(name, width)
        if known is None:
            gates = {n for n in scope.known() if isinstance(scope.find(n), OwnGate)}
            hint = suggestion(name, gates | known_names())
            raise ProgramError(f"unknown gate '{name}'", source=source, hint=hint)
        check_signature(name, known, len(angles), width, source)
        if not self.has_library and name not in BUILT_IN:
            self.has_library = True  # told once
            self.warn(
                f"gate '{name}' is used without 'include \"stdgates.inc\";', which other tools need", source
            )
        return named_gate(name, angles, width).factors

    def expand(self, gate: OwnGate, angles: tuple[float, ...], source: Source) -> Factors:
        name = gate.definition.name
        if name in self.open:
            raise ProgramError(f"gate '{name}' is defined by itself", source=source)
        if len(self.open) > MAX_DEPTH:
            message = f"gate '{name}' is nested more than {MAX_DEPTH} deep"
            raise ProgramError(message, source=source)
        key = (id(gate.definition), angles)
        if key not in self.expanded:
            self.open.append(name)
            self.expanded[key] = gate, self.body(gate, angles)
            self.open.pop()
        return self.expanded[key][1]

    def body(self, gate: OwnGate, angles: tuple[float, ...]) -> Factors:
        definition, scope = gate.definition, BlockScope(gate.scope)
        for parameter, angle in zip(definition.parameters, angles, strict=True):
            scope.declare(parameter, angle, definition.source)
        for number, qubit in enumerate(definition.qubits):
            scope.declare(qubit, (number,), definition.source)
        parts: list[Part] = []
        for part in self.steps(definition.body, scope):
            check_size(len(parts), definition.name, definition.source)
            parts.append(part)
        return compose(parts, definition.name, definition.source)

    def steps(self, statements: Iterable[Node], scope: BlockScope) -> Iterator[Part]:
        """The gates of a body; its loops run over constants."""
        for node in statements:
            if isinstance(node, syntax.For):
                for value in self.evaluator.turns(node, scope):
                    yield from self.steps(node.body, BlockScope(scope, {node.name: value}))
            elif not isinstance(node, syntax.Barrier):
                yield self.step(node, scope)

    def step(self, node: Node, scope: BlockScope) -> Part:
        source = node.source
        if not isinstance(node, syntax.GateCall):
            name = type(node).__name__
            raise UnsupportedError(f"a gate definition cannot contain '{name}'", source=source)
        qubits = [number for operand in node.qubits for number in self.evaluator.qubits(operand, scope)]
        if len(set(qubits)) != len(qubits):
            raise ProgramError("the same qubit twice in one gate", source=source)
        return self.operator(node, scope), qubits


def _modifier_text(kind: str, argument: float) -> str:
    shown = kind == "pow" or (kind != "inv" and argument != 1)
    return f"{kind}({argument:g}) @ " if shown else f"{kind} @ "
