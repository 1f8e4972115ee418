"""Small random programs, and a plain density-matrix account of a path through them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from qiskit.circuit.library import get_standard_gate_name_mapping
from qiskit.quantum_info import Operator

from qismc import QuantumCircuit
from qismc.evidence.execution import Step
from qismc.program.program import Program
from qismc.program.statements import Apply, Branch, Leaf, Measure, Reset, Statement

Matrix = npt.NDArray[np.complex128]
GATES = get_standard_gate_name_mapping()
QUBITS, BITS = 4, 3
LETTERS = {"0": (1, 0), "1": (0, 1), "+": (0.5**0.5, 0.5**0.5)}


def random_program(rng: random.Random, length: int) -> QuantumCircuit:
    """Gates, measurements, resets and conditionals."""
    circuit = QuantumCircuit(QUBITS, BITS)
    _fill(circuit, rng, length, depth=1)
    return circuit


def _fill(circuit: QuantumCircuit, rng: random.Random, length: int, depth: int) -> None:
    for _ in range(length):
        first, second = rng.sample(range(QUBITS), 2)
        kind = rng.choice(["h", "t", "x", "cx", "cx", "cz", "measure", "reset", "if"])
        if kind in ("cx", "cz"):
            getattr(circuit, kind)(first, second)
        elif kind == "measure":
            circuit.measure(first, rng.randrange(BITS))
        elif kind == "reset":
            circuit.reset(first)
        elif kind == "if" and depth:
            with circuit.if_test((circuit.clbits[rng.randrange(BITS)], rng.randrange(2))):
                _fill(circuit, rng, 2, depth - 1)
        elif kind != "if":
            getattr(circuit, kind)(first)


class Account:
    """The unnormalised density matrix along a path, and the store; qubit 0 is least significant."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.rho = np.zeros((2**QUBITS, 2**QUBITS), dtype=complex)
        self.rho[0, 0] = 1
        self._store = program.initial_store

    def walk(self, steps: Sequence[Step], pinned: Sequence[bool], kept: Sequence[bool]) -> None:
        """Apply the kept steps: pinned outcomes are projected on, all others are summed over."""
        for k, step in enumerate(steps[:-1]):
            if kept[k]:
                outcome = step.outcome if pinned[k] else None
                self._apply(self._program.code[step.point], outcome, steps[k + 1].point)

    def _apply(self, statement: Statement, outcome: int | None, following: int) -> None:
        if isinstance(statement, Branch):
            chosen = statement.then if statement.condition.evaluate(self._store) else statement.otherwise
            assert self._program.settle(chosen) == following, "the path is another one"
            return
        self.rho = sum(
            (k @ self.rho @ k.conj().T for k in _kraus(statement, outcome)), np.zeros_like(self.rho)
        )
        if isinstance(statement, Measure) and outcome is not None:
            self._store = self._store & ~(1 << statement.bit) | outcome << statement.bit

    def weight_outside(self, letters: str, qubits: Sequence[int]) -> float:
        """tr((1 - |letters><letters|) rho), the projector acting on some qubits."""
        vector = np.ones(1)
        for letter in letters:
            vector = np.kron(np.array(LETTERS[letter]), vector)
        inside = _on(np.outer(vector, vector.conj()), qubits)
        return float(np.real(np.trace(self.rho) - np.trace(inside @ self.rho)))


def _kraus(statement: Statement, outcome: int | None) -> Iterator[Matrix]:
    if isinstance(statement, Apply):
        gate = GATES[statement.operator.name]
        yield _on(Operator(type(gate)(*statement.operator.angles)).data, statement.qubits)
    elif isinstance(statement, Measure):
        for value in (0, 1) if outcome is None else (outcome,):
            yield _on(np.diag([1 - value, value]), [statement.qubit])
    elif isinstance(statement, Reset):
        yield _on(np.array([[1, 0], [0, 0]]), [statement.qubit])
        yield _on(np.array([[0, 1], [0, 0]]), [statement.qubit])


def _on(matrix: npt.NDArray[np.generic], qubits: Sequence[int]) -> Matrix:
    identity = Operator(np.eye(2**QUBITS))
    return np.asarray(identity.compose(Operator(matrix), list(qubits)).data)


def densities(program: Program) -> dict[int, Matrix]:
    """For each reached point of a loop-free program: the sum of the states of all executions there."""
    start = np.zeros((2**QUBITS, 2**QUBITS), dtype=complex)
    start[0, 0] = 1
    found: dict[int, Matrix] = {}
    pending = [(program.entry, program.initial_store, start)]
    while pending:
        point, store, rho = pending.pop()
        if np.trace(rho).real < 1e-9:
            continue
        found[point] = found.get(point, np.zeros_like(rho)) + rho
        pending += _onwards(program, point, store, rho)
    return found


def _onwards(program: Program, point: int, store: int, rho: Matrix) -> Iterator[tuple[int, int, Matrix]]:
    statement = program.code[point]
    if isinstance(statement, Leaf):
        return
    if isinstance(statement, Branch):
        target = statement.then if statement.condition.evaluate(store) else statement.otherwise
        yield program.settle(target), store, rho
        return
    for outcome in (0, 1) if isinstance(statement, Measure) else (None,):
        image = sum((k @ rho @ k.conj().T for k in _kraus(statement, outcome)), np.zeros_like(rho))
        after = store
        if isinstance(statement, Measure):
            after = store & ~(1 << statement.bit) | int(outcome or 0) << statement.bit
        yield program.settle(point + 1), after, image


def fixed_value(rho: Matrix, qubit: int) -> int | None:
    """b if the qubit is |b> in every state of the sum."""
    weights = [float(np.trace(_on(np.diag([1 - b, b]), [qubit]) @ rho).real) for b in (0, 1)]
    if min(weights) > 1e-9:
        return None
    return 0 if weights[0] > 1e-9 else 1
