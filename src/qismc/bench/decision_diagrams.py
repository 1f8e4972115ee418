"""mqt-core, gate by gate through its package of decision diagrams, in the natural order of the qubits."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from qismc.bench.others import Run
from qismc.program import Program
from qismc.program.gates import base_matrix
from qismc.program.operators import Factor
from qismc.program.statements import Apply
from qismc.scalars import COMPLEX


def prepared(program: Program) -> Run | None:
    """Its run; None if there are gates on more than two targets, which it lacks."""
    factors = [
        factor.on(statement.qubits)
        for statement in program.code
        if isinstance(statement, Apply)
        for factor in statement.operator.factors
    ]
    if any(len(factor.targets) > 2 for factor in factors):
        return None
    gates = _gates(factors)

    def run() -> bool:
        decision_diagram(program.num_qubits, gates)
        return True

    return run


Gate = tuple[Any, set[Any], tuple[int, ...]]
"""A matrix, its controls and its targets."""


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


def decision_diagram(num_qubits: int, gates: Sequence[Gate]) -> tuple[Any, Any]:
    """The same for gates that are prepared."""
    package = importlib.import_module("mqt.core.dd").DDPackage(num_qubits)
    state = package.zero_state(num_qubits)
    for matrix, controls, targets in gates:
        after = package.matrix_vector_multiply(_gate(package, matrix, controls, targets), state)
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
