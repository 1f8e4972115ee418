"""Random executions of Qiskit circuits, by dense arrays, straight from the instructions: no code of QisMC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from qiskit import ClassicalRegister, QuantumCircuit
from qiskit.circuit import Clbit, IfElseOp, Store, WhileLoopOp
from qiskit.circuit.classical import expr
from qiskit.quantum_info import Statevector, partial_trace, state_fidelity

State = npt.NDArray[np.complex128]
OPERATORS = {"EQUAL": int.__eq__, "NOT_EQUAL": int.__ne__, "LOGIC_OR": lambda a, b: bool(a) or bool(b)}
POSSIBLE = 1e-9


@dataclass
class Run:
    """One execution: the state (an axis for each qubit, in order) and the bits, changed step by step."""

    circuit: QuantumCircuit
    random: np.random.Generator
    state: State
    bits: dict[Clbit, int]

    def play(self, block: QuantumCircuit, qubits: list[int], bits: list[Clbit]) -> None:
        """Execute a block whose qubits and bits stand for these."""
        inside = dict(zip(block.clbits, bits, strict=True))
        for instruction in block.data:
            operation = instruction.operation
            on = [qubits[block.find_bit(qubit).index] for qubit in instruction.qubits]
            into = [inside[bit] for bit in instruction.clbits]
            if isinstance(operation, IfElseOp):
                chosen = operation.blocks[0 if self.true(operation.condition, inside) else 1 :][:1]
                for part in chosen:
                    self.play(part, on, into)
            elif isinstance(operation, WhileLoopOp):
                while self.true(operation.condition, inside):
                    self.play(operation.blocks[0], on, into)
            elif isinstance(operation, Store):
                self.write(operation.lvalue, self.value(operation.rvalue, inside), inside)
            elif operation.name == "measure":
                self.bits[into[0]] = self.measure(on[0])
            elif operation.name == "reset":
                if self.measure(on[0]):
                    self.apply(np.array([[0, 1], [1, 0]]), on)
            elif operation.name != "barrier":
                self.apply(operation.to_matrix(), on)

    def apply(self, matrix: State, on: list[int]) -> None:
        """Qiskit's matrices have their first qubit as the last digit."""
        count = len(on)
        tensor = np.asarray(matrix).reshape((2,) * (2 * count))
        moved = np.tensordot(tensor, self.state, axes=(range(count, 2 * count), on[::-1]))
        self.state = np.moveaxis(moved, range(count), on[::-1])

    def measure(self, qubit: int) -> int:
        parts = [np.take(self.state, [value], axis=qubit) for value in (0, 1)]
        chance = float(np.linalg.norm(parts[1]) ** 2)
        outcome = int(self.random.random() < chance) if POSSIBLE < chance < 1 - POSSIBLE else round(chance)
        kept = parts[outcome] / np.linalg.norm(parts[outcome])
        pair = (np.zeros_like(kept), kept) if outcome else (kept, np.zeros_like(kept))
        self.state = np.concatenate(pair, axis=qubit)
        return outcome

    def true(self, condition: Any, inside: dict[Clbit, Clbit]) -> bool:
        if isinstance(condition, tuple):
            target, value = condition
            return self.read(target, inside) == value
        return bool(self.value(condition, inside))

    def value(self, node: Any, inside: dict[Clbit, Clbit]) -> int:
        if isinstance(node, expr.Binary):
            return int(OPERATORS[node.op.name](self.value(node.left, inside), self.value(node.right, inside)))
        if isinstance(node, expr.Value):
            return int(node.value)
        return (
            self.value(node.operand, inside) if isinstance(node, expr.Cast) else self.read(node.var, inside)
        )

    def read(self, target: Clbit | ClassicalRegister, inside: dict[Clbit, Clbit]) -> int:
        parts = [target] if isinstance(target, Clbit) else list(target)
        return sum(self.bits[inside.get(bit, bit)] << k for k, bit in enumerate(parts))

    def write(self, lvalue: Any, value: int, inside: dict[Clbit, Clbit]) -> None:
        parts = [lvalue.var] if isinstance(lvalue.var, Clbit) else list(lvalue.var)
        for k, bit in enumerate(parts):
            self.bits[inside.get(bit, bit)] = value >> k & 1

    @property
    def store(self) -> dict[str, int]:
        """The registers."""
        return {register.name: self.read(register, {}) for register in self.circuit.cregs}

    @property
    def vector(self) -> Statevector:
        """The state in Qiskit's order."""
        return Statevector(self.state.transpose(range(self.circuit.num_qubits)[::-1]).reshape(-1))

    def has(self, state: list[complex], *qubits: int) -> bool:
        """Are these qubits in that state, its first digit belonging to the first of them?"""
        others = [q for q in range(self.circuit.num_qubits) if q not in qubits]
        ordered = sorted(qubits)
        axes = [qubits.index(q) for q in ordered][::-1]
        wanted = np.array(state, dtype=complex).reshape((2,) * len(qubits)).transpose(axes).reshape(-1)
        found = partial_trace(self.vector, others)
        return bool(state_fidelity(found, Statevector(wanted / np.linalg.norm(wanted))) > 1 - POSSIBLE)


def executed(circuit: QuantumCircuit, seed: int) -> Run:
    """An execution from all zero."""
    state = np.zeros((2,) * circuit.num_qubits, dtype=complex)
    state[(0,) * circuit.num_qubits] = 1
    run = Run(circuit, np.random.default_rng(seed), state, dict.fromkeys(circuit.clbits, 0))
    run.play(circuit, list(range(circuit.num_qubits)), list(circuit.clbits))
    return run
