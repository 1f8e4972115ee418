"""Qiskit circuits -> flat code."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from qiskit import QuantumCircuit
from qiskit.circuit import (
    Barrier,
    BreakLoopOp,
    Clbit,
    ContinueLoopOp,
    ControlFlowOp,
    Delay,
    IfElseOp,
    WhileLoopOp,
)
from qiskit.circuit import (
    Measure as QiskitMeasure,
)
from qiskit.circuit import (
    Reset as QiskitReset,
)

from qismc.errors import ProgramError, UnsupportedError
from qismc.program.builder import Builder
from qismc.program.classical import Binary, Const, Expression, Read
from qismc.program.operators import Operator
from qismc.program.program import Program, Variable
from qismc.program.source import Source
from qismc.program.standard import standard_operator
from qismc.program.statements import Apply, Measure, Reset

Bits = dict[Any, int]


def read_circuit(circuit: QuantumCircuit, name: str | None = None) -> Program:
    """The flat program of a Qiskit circuit."""
    reader = CircuitReader(circuit)
    reader.block(circuit, reader.qubit_index, reader.positions)
    return reader.builder.finish(name or circuit.name, reader.qubit_names, reader.quantum_registers)


class CircuitReader:
    """Walks a circuit; bits of inner blocks are mapped to the outermost circuit's numbers."""

    def __init__(self, circuit: QuantumCircuit) -> None:
        self.builder = Builder()
        self.operators: dict[tuple[Any, ...], Operator] = {}
        self.qubit_index: Bits = {qubit: k for k, qubit in enumerate(circuit.qubits)}
        self.positions: Bits = dict(
            zip(circuit.clbits, self.builder.allocate(len(circuit.clbits)), strict=True)
        )
        self.quantum_registers = {
            register.name: tuple(self.qubit_index[q] for q in register) for register in circuit.qregs
        }
        self.qubit_names = _qubit_names(circuit, self.quantum_registers)
        self.builder.variables.update(_variables(circuit, self.positions))

    def block(self, circuit: QuantumCircuit, qubits: Bits, clbits: Bits) -> None:
        """All statements of one circuit or body."""
        builder, operators = self.builder, self.operators
        for instruction in circuit.data:
            if instruction.is_standard_gate():
                operator = operators.get((instruction.name, *instruction.params))
                if operator is None:
                    operator = self.standard(instruction, None)
                builder.emit(Apply(operator, tuple([qubits[q] for q in instruction.qubits])))
            else:
                self.general(instruction, qubits, clbits, None)

    def standard(self, instruction: Any, source: Source | None) -> Operator:
        angles = tuple(_angle(p, instruction.name, source) for p in instruction.params)
        operator = standard_operator(instruction.name, angles)
        self.operators[(instruction.name, *angles)] = operator
        return operator

    def general(self, instruction: Any, qubits: Bits, clbits: Bits, source: Source | None) -> None:
        """Everything that is not a standard gate."""
        operation = instruction.operation
        targets = [qubits[q] for q in instruction.qubits]
        positions = [clbits[c] for c in instruction.clbits]
        if isinstance(operation, Barrier):
            if operation.label:
                self.builder.mark(operation.label, source)
        elif isinstance(operation, QiskitMeasure):
            self.builder.emit(Measure(targets[0], positions[0]), source)
        elif isinstance(operation, QiskitReset):
            self.builder.emit(Reset(targets[0]), source)
        elif isinstance(operation, ControlFlowOp | BreakLoopOp | ContinueLoopOp):
            self.control_flow(operation, targets, positions, clbits, source)
        elif not isinstance(operation, Delay):
            raise UnsupportedError(f"instruction '{operation.name}' is not supported", source=source)

    def control_flow(
        self, operation: Any, targets: list[int], positions: list[int], clbits: Bits, source: Source | None
    ) -> None:
        def body(block: QuantumCircuit) -> None:
            self.block(
                block,
                dict(zip(block.qubits, targets, strict=True)),
                dict(zip(block.clbits, positions, strict=True)),
            )

        if isinstance(operation, IfElseOp):
            condition = self.condition(operation.condition, clbits, source)
            then, *otherwise = operation.blocks
            self.builder.branch(
                condition, partial(body, then), partial(body, otherwise[0]) if otherwise else None, source
            )
        elif isinstance(operation, WhileLoopOp):
            condition = self.condition(operation.condition, clbits, source)
            self.builder.loop(condition, partial(body, operation.blocks[0]), source)
        elif isinstance(operation, BreakLoopOp):
            self.builder.break_loop(source)
        elif isinstance(operation, ContinueLoopOp):
            self.builder.continue_loop(source)
        else:
            raise UnsupportedError(f"control flow '{operation.name}' is not supported", source=source)

    def condition(self, condition: Any, clbits: Bits, source: Source | None) -> Expression:
        if not isinstance(condition, tuple):
            raise UnsupportedError("classical expressions are not supported", source=source)
        target, value = condition
        bits: Iterable[Clbit] = [target] if isinstance(target, Clbit) else target
        read = Read(tuple(clbits[bit] for bit in bits))
        if int(value) >> len(read.bits):
            self.builder.warn(f"the condition on {len(read.bits)} bits never equals {int(value)}", source)
        return Binary("==", read, Const(int(value)))


def _angle(parameter: Any, gate: str, source: Source | None) -> float:
    try:
        angle = float(parameter)
    except (TypeError, ValueError):
        raise ProgramError(
            f"gate '{gate}' has the unbound parameter '{parameter}'",
            source=source,
            hint="call assign_parameters first",
        ) from None
    if angle != angle or angle in (float("inf"), float("-inf")):
        raise ProgramError(f"gate '{gate}' has the angle {angle}", source=source)
    return angle


def _qubit_names(circuit: QuantumCircuit, registers: dict[str, tuple[int, ...]]) -> list[str]:
    """`q[0]` for the first register that holds the qubit, `qubit7` for a loose one."""
    names = [f"qubit{k}" for k in range(circuit.num_qubits)]
    for register, members in reversed(registers.items()):
        for place, qubit in enumerate(members):
            names[qubit] = f"{register}[{place}]"
    return names


def _variables(circuit: QuantumCircuit, positions: Bits) -> dict[str, Variable]:
    """Registers in order, then the bits that stand in no register."""
    variables = {r.name: Variable(r.name, tuple(positions[bit] for bit in r)) for r in circuit.cregs}
    for bit, position in positions.items():
        if not circuit.find_bit(bit).registers:
            name = f"clbit{position}"
            variables[name] = Variable(name, (position,), is_bit=True)
    return variables
