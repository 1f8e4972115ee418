"""Qiskit circuits -> flat code."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import Any

from qiskit import QuantumCircuit
from qiskit import circuit as theirs
from qiskit.circuit.classical import expr, types
from qiskit.circuit.library import Initialize as QiskitInitialize

from qismc.common.process import bulk_allocation
from qismc.common.source import Source
from qismc.errors import ProgramError, UnsupportedError
from qismc.program.builder import Builder, check_turns, room_for_nesting
from qismc.program.classical import Binary, Const, Expression, Read
from qismc.program.composite import (
    angle,
    gate_operator,
    is_unitary_operation,
    kraus_operators,
    preparation_operator,
)
from qismc.program.foreign import PASSING, unreadable
from qismc.program.operators import Operator
from qismc.program.program import Program
from qismc.program.qiskit_classical import (
    convert,
    qubit_names,
    read_before_written,
    register_variables,
    width_of,
)
from qismc.program.recording import Recording, recording_of
from qismc.program.standard import standard_operator
from qismc.program.statements import Apply, Assign, AssignAt, Channel, Havoc, Initialize, Measure, Reset
from qismc.program.virtual import virtual_qubits

Bits = dict[Any, int]


def read_circuit(circuit: QuantumCircuit, name: str | None = None) -> Program:
    """The flat program of a Qiskit circuit."""
    try:
        with bulk_allocation(), room_for_nesting():
            reader = CircuitReader(circuit)
            reader.block(circuit, reader.qubits, reader.clbits, recording_of(circuit))
        return reader.builder.finish(
            name or circuit.name,
            reader.qubit_names,
            reader.quantum_registers,
            ancillas=frozenset(reader.qubits[qubit] for qubit in circuit.ancillas),
            virtual=virtual_qubits(circuit, {*reader.quantum_registers, *reader.qubit_names}),
        )
    except PASSING:
        raise
    except BaseException as error:
        raise unreadable("the circuit", error) from error


@dataclass(frozen=True)
class _Place:
    """Where an instruction stands: its block's bits, its recording and number there, its position."""

    qubits: Bits
    clbits: Bits
    recording: Recording | None
    number: int
    source: Source | None


class CircuitReader:
    """Walks a circuit; the bits of inner blocks are mapped to the outermost circuit's numbers."""

    def __init__(self, circuit: QuantumCircuit) -> None:
        self.builder = Builder()
        self.standard: dict[tuple[Any, ...], Operator] = {}
        self.composite: dict[int, tuple[Any, Operator]] = {}
        self.stored: dict[expr.Var, tuple[int, ...]] = {}
        self.qubits: Bits = {qubit: k for k, qubit in enumerate(circuit.qubits)}
        self.quantum_registers = {r.name: tuple(self.qubits[q] for q in r) for r in circuit.qregs}
        self.qubit_names = qubit_names(circuit, self.quantum_registers)
        positions = self.builder.allocate(circuit.num_clbits)
        self.clbits: Bits = dict(zip(circuit.clbits, positions, strict=True))
        self.builder.variables.update(register_variables(circuit, self.clbits))
        for variable in circuit.iter_input_vars():
            self.builder.emit(Havoc(self.declare(variable, None)))

    def declare(self, variable: expr.Var, source: Source | None) -> tuple[int, ...]:
        """The positions of a variable, fresh ones if it is new."""
        if variable not in self.stored:
            width = width_of(variable.type, source)
            is_bit = isinstance(variable.type, types.Bool)
            self.stored[variable] = self.builder.declare(variable.name, width, is_bit=is_bit).bits
        return self.stored[variable]

    def block(
        self,
        circuit: Any,
        qubits: Bits,
        clbits: Bits,
        recording: Recording | None,
        outer: Source | None = None,
    ) -> None:
        """All statements of one circuit or body; `outer` stands in for unknown positions."""
        if circuit.num_declared_vars:
            self.declare_locals(circuit, outer)
        sources: Iterable[Source | None] = recording.sources(circuit, outer) if recording else repeat(outer)
        gates: list[Apply] = []
        places: list[Source | None] = []
        standard, source = self.standard, outer
        try:
            for number, (instruction, source) in enumerate(zip(circuit.data, sources, strict=False)):
                if instruction.is_standard_gate():
                    operator = standard.get((instruction.name, *instruction.params))
                    if operator is None:
                        operator = self.standard_gate(instruction, source)
                    gates.append(Apply(operator, tuple([qubits[q] for q in instruction.qubits])))
                    places.append(source)
                else:
                    self.builder.emit_gates(gates, places)
                    gates, places = [], []
                    self.other(instruction, _Place(qubits, clbits, recording, number, source))
        except PASSING:
            raise
        except BaseException as error:  # of gates of the user's own, which may do anything
            raise unreadable("the instruction", error, source) from error
        self.builder.emit_gates(gates, places)

    def declare_locals(self, circuit: QuantumCircuit, source: Source | None) -> None:
        for variable in circuit.iter_declared_vars():
            self.declare(variable, source)
        for variable in read_before_written(circuit):
            self.builder.emit(Havoc(self.stored[variable]), source)

    def standard_gate(self, instruction: Any, source: Source | None) -> Operator:
        angles = tuple(angle(p, instruction.name, source) for p in instruction.params)
        operator = standard_operator(instruction.name, angles).without_phase()
        known = (instruction.name, *angles)
        self.standard[known] = operator
        return operator

    def composite_gate(self, operation: Any, source: Source | None) -> Operator:
        known = self.composite.get(id(operation))
        if known is None:  # the operation is kept, so that its id stays taken
            known = operation, gate_operator(operation, source).without_phase()
            self.composite[id(operation)] = known
        return known[1]

    def other(self, instruction: Any, place: _Place) -> None:
        """Everything that is not a standard gate."""
        operation, source = instruction.operation, place.source
        targets = tuple(place.qubits[q] for q in instruction.qubits)
        positions = tuple(place.clbits[c] for c in instruction.clbits)
        if isinstance(operation, theirs.Barrier):
            if operation.label:
                self.builder.mark(operation.label, source)
        elif isinstance(operation, theirs.Measure):
            self.builder.emit(Measure(targets[0], positions[0]), source)
        elif isinstance(operation, theirs.Reset):
            self.builder.emit(Reset(targets[0]), source)
        elif is_unitary_operation(operation):
            self.builder.emit(Apply(self.composite_gate(operation, source), targets), source)
        elif isinstance(operation, QiskitInitialize):
            self.builder.emit(Initialize(targets, preparation_operator(operation, source)), source)
        elif isinstance(operation, theirs.Store):
            self.store(operation, place)
        elif isinstance(operation, theirs.ControlFlowOp | theirs.BreakLoopOp | theirs.ContinueLoopOp):
            self.control_flow(operation, targets, positions, place)
        elif operation.name == "kraus":
            self.builder.emit(Channel(targets, kraus_operators(operation, source)), source)
        elif not isinstance(operation, theirs.Delay):
            self.inline(operation, targets, positions, source)

    def inline(
        self, operation: Any, targets: tuple[int, ...], positions: tuple[int, ...], source: Source | None
    ) -> None:
        """An instruction that is a list of statements, such as `circuit.to_instruction()`."""
        definition = getattr(operation, "definition", None)
        if definition is None:
            hint = "remove it, or give it a definition of gates, measurements and resets"
            raise UnsupportedError(f"instruction '{operation.name}' is opaque", source=source, hint=hint)
        qubits = dict(zip(definition.qubits, targets, strict=True))
        self.block(definition, qubits, dict(zip(definition.clbits, positions, strict=True)), None, source)

    def store(self, operation: theirs.Store, place: _Place) -> None:
        value = self.expression(operation.rvalue, place)
        target = operation.lvalue
        if isinstance(target, expr.Index):
            whole = self.positions(target.target, place)
            index = self.expression(target.index, place)
            self.builder.emit(AssignAt(whole, index, value), place.source)
        else:
            self.builder.emit(Assign(self.positions(target, place), value), place.source)

    def control_flow(
        self, operation: Any, targets: tuple[int, ...], positions: tuple[int, ...], place: _Place
    ) -> None:
        recordings = place.recording.blocks(place.number) if place.recording else ()

        def body(number: int, block: QuantumCircuit) -> None:
            recording = recordings[number] if number < len(recordings) else recording_of(block)
            qubits = dict(zip(block.qubits, targets, strict=True))
            clbits = dict(zip(block.clbits, positions, strict=True))
            self.block(block, qubits, clbits, recording, None if recording else place.source)

        source = place.source
        bodies = [partial(body, k, block) for k, block in enumerate(getattr(operation, "blocks", ()))]
        if isinstance(operation, theirs.IfElseOp):
            condition = self.condition(operation.condition, place)
            self.builder.branch(condition, bodies[0], bodies[1] if len(bodies) > 1 else None, source)
        elif isinstance(operation, theirs.WhileLoopOp):
            self.builder.loop(self.condition(operation.condition, place), bodies[0], source)
        elif isinstance(operation, theirs.ForLoopOp):
            self.for_loop(operation, partial(body, 0), source)
        elif isinstance(operation, theirs.SwitchCaseOp):
            self.switch(operation, bodies, place)
        elif isinstance(operation, theirs.BoxOp):
            bodies[0]()
        elif isinstance(operation, theirs.BreakLoopOp):
            self.builder.break_loop(source)
        elif isinstance(operation, theirs.ContinueLoopOp):
            self.builder.continue_loop(source)
        else:
            raise UnsupportedError(f"control flow '{operation.name}' is not supported", source=source)

    def for_loop(self, operation: theirs.ForLoopOp, body: Any, source: Source | None) -> None:
        indices, parameter, block = operation.params
        name = parameter.name if parameter is not None else "_"

        def turn(value: int) -> None:
            if isinstance(parameter, expr.Var):
                self.builder.emit(Assign(self.declare(parameter, source), Const(value)), source)
            bind = isinstance(parameter, theirs.Parameter) and parameter in block.parameters
            body(block.assign_parameters({parameter: value}) if bind else block)

        check_turns(len(indices), source)
        self.builder.unroll(((f"for {name} = {value}", partial(turn, value)) for value in indices), source)
        if not indices:
            self.skip_marks(block, source)

    def skip_marks(self, circuit: QuantumCircuit, source: Source | None) -> None:
        """Note the marks of a block that has no turns: formulas may name them, though no point has them."""
        for instruction in circuit.data:
            operation = instruction.operation
            if isinstance(operation, theirs.Barrier) and operation.label:
                self.builder.skip_mark(operation.label, source)
            for block in getattr(operation, "blocks", ()):
                self.skip_marks(block, source)

    def switch(self, operation: theirs.SwitchCaseOp, bodies: list[Any], place: _Place) -> None:
        target = operation.target
        if isinstance(target, expr.Expr):
            value = self.expression(target, place)
        else:
            value = Read(self.positions(target, place))
        cases = []
        for (labels, _), body in zip(operation.cases_specifier(), bodies, strict=True):
            cases.append(([None if label is theirs.CASE_DEFAULT else int(label) for label in labels], body))
        self.builder.switch(value, cases, place.source)

    def condition(self, condition: Any, place: _Place) -> Expression:
        if isinstance(condition, expr.Expr):
            return self.expression(condition, place)
        target, wanted = condition[0], int(condition[1])
        read = Read(self.positions(target, place))
        return Binary("==", read, Const(wanted))

    def expression(self, node: expr.Expr, place: _Place) -> Expression:
        return convert(node, partial(self.positions, place=place), place.source)

    def positions(self, target: Any, place: _Place) -> tuple[int, ...]:
        """Where a bit, a register or a variable lives in the store."""
        if isinstance(target, expr.Var) and not target.standalone:
            target = target.var
        if isinstance(target, theirs.Clbit):
            return (place.clbits[target],)
        if isinstance(target, theirs.ClassicalRegister):
            return tuple(place.clbits[bit] for bit in target)
        if target not in self.stored:
            raise ProgramError(f"the variable '{target.name}' is not declared here", source=place.source)
        return self.stored[target]
