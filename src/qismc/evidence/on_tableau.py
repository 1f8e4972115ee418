"""Executions that were replayed on a tableau: steps without amplitudes, of any number of qubits."""

from __future__ import annotations

from collections.abc import Sequence

from qismc.evidence.execution import Execution, Step
from qismc.evidence.steps import LazySteps
from qismc.program.program import Program
from qismc.program.statements import Initialize, Reset
from qismc.program.values import Values
from qismc.stabiliser.replay import Replay
from qismc.system import steered
from qismc.system.selectors import names_of

NOTE = "replayed on a stabiliser tableau, which has no amplitudes to show"


def execution(program: Program, steps: Sequence[steered.Step], replay: Replay, claim: str) -> Execution:
    """The execution as reports show it."""
    numbers: dict[tuple[int, int], int] = {}
    for step in steps:
        numbers.setdefault((step.point, step.store), len(numbers))

    def made(k: int) -> Step:
        step, chance = steps[k], replay.probabilities[k]
        number = numbers[step.point, step.store]
        reset = isinstance(program.code[step.point], Reset | Initialize) and bool(step.choices)
        return Step(
            f"l{number}",
            step.point,
            program.text(step.point),
            program.sources[step.point],
            Values(program, step.store),
            tuple((["init"] if number == 0 else []) + names_of(program, step.point)),
            None,
            probability=None if chance is None else float(chance),
            outcome=step.outcome,
            choice=step.choices[0] if reset else None,
            glue=step.point in program.glue,
        )

    last = replay.probabilities[-1]
    chance = None if last is None else float(last)
    return Execution("path", LazySteps(len(steps), made), None, chance, replay.possible, claim, NOTE)
