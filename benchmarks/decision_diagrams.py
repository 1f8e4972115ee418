"""mqt-core, gate by gate through its package of decision diagrams, in the natural order of the qubits."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.others import Run
from qismc.common.scalars import COMPLEX
from qismc.program import Program
from qismc.program.gates import base_matrix
from qismc.program.operators import Factor
from qismc.program.statements import Apply, Reset, Statement

Gate = tuple[Any, set[Any], tuple[int, ...]]
"""A matrix, its controls and its targets."""
NOT = np.array([[0, 1], [1, 0]], dtype=complex)


def prepared(program: Program) -> Run | None:
    """Its run; None if there are gates on more than two targets, which it lacks."""
    steps = [step for statement in program.code for step in steps_of(statement)]
    if any(not isinstance(step, Reset) and len(step[2]) > 2 for step in steps):
        return None

    def run() -> bool:
        decision_diagram(program.num_qubits, steps)
        return True

    return run


def steps_of(statement: Statement) -> Sequence[Gate | Reset]:
    """What a gate or a reset is to mqt-core."""
    if isinstance(statement, Apply):
        return _gates([factor.on(statement.qubits) for factor in statement.operator.factors])
    return [statement] if isinstance(statement, Reset) else []


def _gates(factors: Sequence[Factor]) -> list[Gate]:
    dd = importlib.import_module("mqt.core.dd")
    kinds = (dd.Control.Type.Neg, dd.Control.Type.Pos)
    return [
        (
            np.array(base_matrix(factor.base, COMPLEX), dtype=complex),
            {dd.Control(qubit, kinds[value]) for qubit, value in factor.controls},
            factor.targets,
        )
        for factor in factors
    ]


def diagram_of(num_qubits: int, factors: Sequence[Factor]) -> tuple[Any, Any]:
    """mqt-core's package and its diagram of what the factors make of all zero."""
    return decision_diagram(num_qubits, _gates(factors))


def decision_diagram(num_qubits: int, steps: Sequence[Gate | Reset]) -> tuple[Any, Any]:
    """The same for gates that are prepared; a qubit to be reset is measured, and flipped if it was 1."""
    package = importlib.import_module("mqt.core.dd").DDPackage(num_qubits)
    state = package.zero_state(num_qubits)
    for step in steps:
        if isinstance(step, Reset) and package.measure_collapsing(state, step.qubit) == "0":
            continue
        gate = (NOT, set[Any](), (step.qubit,)) if isinstance(step, Reset) else step
        after = package.matrix_vector_multiply(_gate(package, *gate), state)
        package.inc_ref_vec(after)
        package.dec_ref_vec(state)
        package.garbage_collect()
        state = after
    return package, state


def _gate(package: Any, matrix: Any, controls: set[Any], targets: tuple[int, ...]) -> Any:
    if len(targets) == 1:
        return package.multi_controlled_single_qubit_gate(matrix, controls, targets[0])
    # Their first target is the most significant bit, ours the least.
    return package.multi_controlled_two_qubit_gate(matrix, controls, targets[1], targets[0])
