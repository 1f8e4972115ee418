"""Gate calls of OpenQASM 3 -> operators: modifiers, definitions of the program, known names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from openqasm3 import ast

from qismc.common.source import Source
from qismc.errors import ProgramError, UnsupportedError, suggestion
from qismc.program.operators import Base, Factor, Operator
from qismc.program.products import Factors, check_size, compose, controlled, inverse, power
from qismc.program.qasm3.expressions import Evaluator
from qismc.program.qasm3.scope import BlockScope, Gate, KnownValue, Qubits
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
        self.expanded: dict[tuple[int, tuple[float, ...]], tuple[Gate, Factors]] = {}

    def operator(self, node: Any, scope: BlockScope, depth: int = 0) -> Operator:
        """The operator of a gate or phase statement, its qubits in the order of the operands."""
        source = self.evaluator.source(node)
        modifiers = [self.modifier(m, scope, source) for m in node.modifiers]
        controls = sum(count for name, count in modifiers if name in ("ctrl", "negctrl"))
        width = len(node.qubits) - int(controls)
        if isinstance(node, ast.QuantumPhase):
            name, angles = "gphase", self.angles([node.argument], "gphase", scope)
            factors: Factors = (Factor(Base("phase", angles), ()),)
            if width != 0:
                raise ProgramError(f"gphase takes {controls} qubits here", source=source)
        else:
            name = node.name.name
            angles = self.angles(node.arguments, name, scope)
            factors = self.base(node, angles, width, scope, depth)
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

    def modifier(self, node: ast.QuantumGateModifier, scope: BlockScope, source: Source) -> tuple[str, float]:
        name = node.modifier.name
        if node.argument is None:
            return name, 1
        value = self.evaluator.value(node.argument, scope)
        if name == "pow":
            return name, known_angle(value, "the power", source)
        count = known_integer(value, "the number of controls", source)
        if count < 1:
            raise ProgramError(f"'{name}' needs at least one control, not {count}", source=source)
        return name, count

    def angles(self, nodes: Iterable[Any], name: str, scope: BlockScope) -> tuple[float, ...]:
        what = f"an angle of gate '{name}'"
        return tuple(
            known_angle(self.evaluator.value(node, scope), what, self.evaluator.source(node))
            for node in nodes
        )

    def base(
        self, node: ast.QuantumGate, angles: tuple[float, ...], width: int, scope: BlockScope, depth: int
    ) -> Factors:
        """The gate without its modifiers."""
        name, source = node.name.name, self.evaluator.source(node)
        symbol = scope.find(name)
        if isinstance(symbol, Gate):
            definition = symbol.definition
            check_signature(
                name, (len(definition.arguments), len(definition.qubits)), len(angles), width, source
            )
            return self.expand(symbol, angles, source, depth)
        expected = signature(name, width)
        if expected is None:
            gates = {n for n in scope.known() if isinstance(scope.find(n), Gate)}
            raise ProgramError(
                f"unknown gate '{name}'", source=source, hint=suggestion(name, gates | known_names())
            )
        check_signature(name, expected, len(angles), width, source)
        if not self.has_library and name not in BUILT_IN:
            self.has_library = True  # told once
            self.warn(
                f"gate '{name}' is used without 'include \"stdgates.inc\";', which other tools need", source
            )
        return named_gate(name, angles, width).factors

    def expand(self, gate: Gate, angles: tuple[float, ...], source: Source, depth: int) -> Factors:
        name = gate.definition.name.name
        if name in self.open:
            raise ProgramError(f"gate '{name}' is defined by itself", source=source)
        if depth > MAX_DEPTH:
            message = f"gate '{name}' is nested more than {MAX_DEPTH} deep"
            raise ProgramError(message, source=source)
        key = (id(gate.definition), angles)
        if key not in self.expanded:
            self.open.append(name)
            self.expanded[key] = gate, self.body(gate, angles, depth)
            self.open.pop()
        return self.expanded[key][1]

    def body(self, gate: Gate, angles: tuple[float, ...], depth: int) -> Factors:
        definition, file = gate.definition, self.evaluator.file
        scope = BlockScope(gate.scope)
        for parameter, angle in zip(definition.arguments, angles, strict=True):
            scope.declare(parameter.name, KnownValue(angle), self.evaluator.source(definition))
        for number, qubit in enumerate(definition.qubits):
            scope.declare(qubit.name, Qubits((number,)), self.evaluator.source(definition))
        self.evaluator.file = gate.file
        parts: list[Part] = []
        for part in self.steps(definition.body, scope, depth):
            check_size(len(parts), definition.name.name, self.evaluator.source(definition))
            parts.append(part)
        source = self.evaluator.source(definition)
        self.evaluator.file = file
        return compose(parts, definition.name.name, source)

    def steps(self, statements: Iterable[Any], scope: BlockScope, depth: int) -> Iterator[Part]:
        """The gates of a body; its loops run over constants."""
        for node in statements:
            if isinstance(node, ast.ForInLoop):
                yield from self.turns(node, scope, depth)
            elif not isinstance(node, ast.QuantumBarrier | ast.DelayInstruction):
                yield self.step(node, scope, depth)

    def turns(self, node: ast.ForInLoop, scope: BlockScope, depth: int) -> Iterator[Part]:
        source = self.evaluator.source(node)
        if not isinstance(node.set_declaration, ast.RangeDefinition | ast.DiscreteSet):
            raise UnsupportedError("'for' over this collection is not supported", source=source)
        for value in self.evaluator.turns(node, scope, source):
            inner = BlockScope(scope, {node.identifier.name: KnownValue(value)})
            yield from self.steps(node.block, inner, depth)

    def step(self, node: Any, scope: BlockScope, depth: int) -> Part:
        source = self.evaluator.source(node)
        if not isinstance(node, ast.QuantumGate | ast.QuantumPhase):
            name = type(node).__name__
            raise UnsupportedError(f"a gate definition cannot contain '{name}'", source=source)
        qubits = [number for operand in node.qubits for number in self.evaluator.qubits(operand, scope)]
        if len(set(qubits)) != len(qubits):
            raise ProgramError("the same qubit twice in one gate", source=source)
        return self.operator(node, scope, depth + 1), qubits


def _modifier_text(kind: str, argument: float) -> str:
    shown = kind == "pow" or (kind != "inv" and argument != 1)
    return f"{kind}({argument:g}) @ " if shown else f"{kind} @ "
