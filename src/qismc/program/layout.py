"""Names and storage of a Qiskit circuit's bits and variables."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

from qiskit import QuantumCircuit
from qiskit.circuit import ControlFlowOp, Store
from qiskit.circuit.classical import expr

from qismc.program.classical import Variable
from qismc.program.expressions import variables_of


def qubit_names(circuit: QuantumCircuit, registers: dict[str, tuple[int, ...]]) -> list[str]:
    """`q[0]` by the first register that holds the qubit, `qubit7` for a loose one."""
    names: dict[int, str] = {}
    for register, members in reversed(registers.items()):
        for place, qubit in enumerate(members):
            names[qubit] = f"{register}[{place}]"
    return [names.get(k) or _free(f"qubit{k}", registers) for k in range(circuit.num_qubits)]


def register_variables(circuit: QuantumCircuit, positions: dict[Any, int]) -> dict[str, Variable]:
    """Registers in order, then the bits that stand in no register."""
    variables = {r.name: Variable(r.name, tuple(positions[bit] for bit in r)) for r in circuit.cregs}
    covered = {position for variable in variables.values() for position in variable.bits}
    for position in positions.values():
        if position not in covered:
            name = _free(f"clbit{position}", variables)
            variables[name] = Variable(name, (position,), is_bit=True)
    return variables


def _free(name: str, taken: Container[str]) -> str:
    """The name, or a variant that no register has."""
    while name in taken:
        name += "_"
    return name


def read_before_written(circuit: QuantumCircuit) -> list[expr.Var]:
    """The circuit's own variables that some statement mentions before a store has set them."""
    unset = set(circuit.iter_declared_vars())
    found = []
    for instruction in circuit.data:
        if instruction.is_standard_gate():
            continue
        operation = instruction.operation
        for variable in _mentioned(operation):
            if variable in unset:
                unset.discard(variable)
                found.append(variable)
        if isinstance(operation, Store) and isinstance(operation.lvalue, expr.Var):
            unset.discard(operation.lvalue)
    return found


def _mentioned(operation: Any) -> Iterator[expr.Var]:
    if isinstance(operation, Store):
        yield from variables_of(operation.rvalue)
        if not isinstance(operation.lvalue, expr.Var):
            yield from variables_of(operation.lvalue)
    elif isinstance(operation, ControlFlowOp):
        for part in (getattr(operation, "condition", None), getattr(operation, "target", None)):
            if isinstance(part, expr.Expr):
                yield from variables_of(part)
        for block in operation.blocks:
            yield from block.iter_captured_vars()
