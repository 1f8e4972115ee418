"""Which points of a program are near to the evidence of a violation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from qismc.evidence import Execution
from qismc.program import Program
from qismc.results import Result

CLEARED = "cone"
"""The kind of hint that names steps which cannot matter."""
NEAR = 40
"""So many points of the evidence are near."""


def near_first(program: Program, executions: Iterable[Execution]) -> list[int]:
    """All points: those that hints name, then the steps of executions, last one first, then the others."""
    ranked: dict[int, None] = {}
    for execution in executions:
        ranked |= dict.fromkeys(_hinted(execution))
        ranked |= dict.fromkeys(step.point for step in reversed(execution.steps) if step.relevant)
    return list(ranked | dict.fromkeys(range(len(program.code))))


def nearest_points(program: Program, result: Result) -> tuple[list[int], list[int]]:
    """(near, far): what hints point at, then the steps of counterexamples, last one first; all the others."""
    ranked: dict[int, None] = {}
    executions = [r.counterexample for r in result.results if r.counterexample is not None]
    for execution in executions:
        ranked |= dict.fromkeys(_hinted(execution))
    for execution in executions:
        ranked |= dict.fromkeys(step.point for step in reversed(execution.steps) if step.relevant)
    if result.program is not program:  # that has faults: what stands at the same lines
        lines = dict.fromkeys(result.program.sources[point] for point in ranked)
        ranked = {p: None for line in lines for p, source in enumerate(program.sources) if source == line}
    near = list(ranked)[:NEAR]
    chosen = set(near)
    rest = [*ranked, *range(len(program.code))]
    return near, [point for point in dict.fromkeys(rest) if point not in chosen]


def _hinted(execution: Execution) -> Iterator[int]:
    for hint in execution.hints:
        if hint.kind != CLEARED:
            yield from (execution.steps[step].point for step in hint.steps)
