"""What a statement does to the wires of a circuit, as data for a page."""

from __future__ import annotations

from typing import Any

from qismc.program import Apply, Channel, Initialize, Measure, Reset, Statement


def acts(statement: Statement) -> dict[str, Any] | None:
    """A name, the qubits below it, and controls with their values; None for what acts on no qubit."""
    match statement:
        case Apply():
            return _gate(statement)
        case Measure(qubit):
            return _boxes("M", (qubit,))
        case Reset(qubit):
            return _boxes("|0>", (qubit,))
        case Initialize(qubits):
            return _boxes("init", qubits)
        case Channel(qubits):
            return _boxes("noise", qubits)
    return None


def _boxes(name: str, qubits: tuple[int, ...]) -> dict[str, Any]:
    return {"name": name, "targets": list(qubits), "controls": []}


def _gate(gate: Apply) -> dict[str, Any]:
    """A gate of one factor with its controls apart; any other as one box over its qubits."""
    operator, qubits = gate
    factor = operator.factors[0] if len(operator.factors) == 1 else None
    if factor is None or not factor.targets:
        return _boxes(operator.label or operator.name, qubits)
    controls = [[qubits[c], value] for c, value in factor.controls]
    name = factor.base.name if factor.controls else operator.label or operator.name
    return {"name": name, "targets": [qubits[t] for t in factor.targets], "controls": controls}
