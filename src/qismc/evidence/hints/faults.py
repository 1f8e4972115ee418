"""The faults of an execution: what the environment chose to inject."""

from __future__ import annotations

from dataclasses import replace

from qismc.evidence.execution import Execution
from qismc.evidence.hints.hint import Hint
from qismc.evidence.later import LaterList
from qismc.faults import FAULT, is_fault
from qismc.program import Program


def with_faults_named(execution: Execution, program: Program) -> Execution:
    """The execution with a hint for each fault on it; hints about the choice itself say nothing more."""
    children = tuple((step, with_faults_named(child, program)) for step, child in execution.children)
    further = tuple(with_faults_named(other, program) for other in execution.further)
    hints = LaterList(lambda: _hints(execution, program))
    return replace(execution, hints=hints, children=children, further=further)


def _hints(execution: Execution, program: Program) -> list[Hint]:
    chosen = [k for k, step in enumerate(execution.steps) if is_fault(program, step.point)]
    named = [_hint(execution, step) for step in chosen]
    return [*named, *(hint for hint in execution.hints if not _is_glue(hint, execution))]


def _hint(execution: Execution, number: int) -> Hint:
    step = execution.steps[number]
    text = f"step {number} is a fault: {step.statement.removeprefix(FAULT)}"
    return Hint("fault", text, step.source, (number,))


def _is_glue(hint: Hint, execution: Execution) -> bool:
    return hint.kind in ("contrast", "parting") and any(execution.steps[step].glue for step in hint.steps)
