"""A tiny executor of flat code over complex numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from qismc.common.scalars import COMPLEX
from qismc.program.classical import write_bits
from qismc.program.gates import base_matrix
from qismc.program.operators import Operator
from qismc.program.program import Program
from qismc.program.statements import (
    Apply,
    Assign,
    AssignAt,
    Branch,
    Channel,
    Goto,
    Havoc,
    Initialize,
    Jump,
    Leaf,
    Mark,
    Measure,
    Reset,
    Switch,
)

from .worlds import MAX_MEASUREMENTS, Outcome, add, apply_matrix, flip, is_zero, project

State = tuple[int, int, np.ndarray, int]


def execute(program: Program, num_clbits: int, names: list[str] | None = None) -> Outcome:
    """The distribution over (first store positions, named variables) with the mixed state of each."""
    psi = np.zeros(2**program.num_qubits, dtype=complex)
    psi[0] = 1
    outcome: Outcome = {}
    states: list[State] = [(0, program.initial_store, psi, 0)]
    while states:
        point, store, psi, measured = states.pop()
        if isinstance(program.code[point], Leaf):
            values = tuple(program.variables[name].value(store) for name in names or ())
            add(outcome, (tuple((store >> k) & 1 for k in range(num_clbits)), values), psi)
        else:
            states += successors(program.code[point], point, store, psi, measured)
    return outcome


def successors(statement: Any, point: int, store: int, psi: np.ndarray, measured: int) -> Iterator[State]:
    """One step."""
    match statement:
        case Apply(operator, qubits):
            yield point + 1, store, apply_operator(operator, qubits, psi), measured
        case Measure(qubit, bit):
            for value in (0, 1) if measured < MAX_MEASUREMENTS else ():
                after = project(psi, qubit, value)
                if not is_zero(after):
                    yield point + 1, write_bits(store, (bit,), value), after, measured + 1
        case Reset(qubit):
            for after in reset(psi, (qubit,)):
                yield point + 1, store, after, measured
        case Initialize(qubits, preparation):
            for after in reset(psi, qubits):
                yield point + 1, store, apply_operator(preparation, qubits, after), measured
        case Channel(qubits, kraus):
            for operator in kraus:
                yield point + 1, store, apply_operator(operator, qubits, psi), measured
        case Assign(bits, value):
            yield point + 1, write_bits(store, bits, value.evaluate(store)), psi, measured
        case AssignAt(bits, index, value):
            place = index.evaluate(store)
            chosen = (bits[place],) if 0 <= place < len(bits) else ()
            yield point + 1, write_bits(store, chosen, value.evaluate(store)), psi, measured
        case Havoc(bits):
            assert len(bits) <= 8, "too many values to try"
            for value in range(1 << len(bits)):
                yield point + 1, write_bits(store, bits, value), psi, measured
        case Branch(condition, then, otherwise):
            yield then if condition.evaluate(store) else otherwise, store, psi, measured
        case Switch(target, default, cases):
            yield cases.get(target.evaluate(store), default), store, psi, measured
        case Goto(target) | Jump(target):
            yield target, store, psi, measured
        case Mark():
            yield point + 1, store, psi, measured


def apply_operator(operator: Operator, qubits: tuple[int, ...], psi: np.ndarray) -> np.ndarray:
    for factor in operator.factors:
        placed = factor.on(qubits)
        matrix = np.array(base_matrix(placed.base, COMPLEX), dtype=complex)
        hit = psi.copy()
        for control, value in placed.controls:
            hit = project(hit, control, value)
        psi = psi - hit + apply_matrix(hit, matrix, placed.targets)
    return psi


def matrix_of(operator: Operator) -> np.ndarray:
    """The full matrix of an operator, column by column."""
    size = 1 << operator.width
    columns = [
        apply_operator(operator, tuple(range(operator.width)), row) for row in np.eye(size, dtype=complex)
    ]
    return np.array(columns).T


def reset(psi: np.ndarray, qubits: tuple[int, ...]) -> list[np.ndarray]:
    states = [psi]
    for qubit in qubits:
        states = [s for p in states for s in (project(p, qubit, 0), flip(project(p, qubit, 1), qubit))]
    return [s for s in states if not is_zero(s)]
