"""Executions that were replayed on a tableau, of any number of qubits: strings stand for amplitudes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qismc._core import Finding, Strings
from qismc.common.lazily import cached_property
from qismc.evidence.execution import Execution, Step
from qismc.evidence.hints.hint import Hint
from qismc.evidence.steps import LazySteps, LazyTexts
from qismc.program import Initialize, Program, Reset, Values
from qismc.stabiliser import Replay
from qismc.system import names_of, steered

NOTE = "replayed on a stabiliser tableau"
NAMES = "IXZY"
MOST_LETTERS = 8
"""Longer strings are cut."""
FAILING_SHOWN = 4


def execution(program: Program, steps: Sequence[steered.Step], replay: Replay, claim: str) -> Execution:
    """The execution as reports show it."""
    made = _Steps(program, steps, replay)
    last = replay.probability(len(steps) - 1)
    chance = None if last is None else float(last)
    return Execution("path", LazySteps(len(steps), made.step), None, chance, replay.possible, claim, NOTE)


class _Steps:
    """Makes the steps of an execution."""

    def __init__(self, program: Program, steps: Sequence[steered.Step], replay: Replay) -> None:
        self._program = program
        self._steps = steps
        self._replay = replay

    @cached_property
    def _numbers(self) -> dict[tuple[int, int], int]:
        """Locations in the order of their first visit."""
        visited = dict.fromkeys((step.point, step.store) for step in self._steps)
        return {location: number for number, location in enumerate(visited)}

    def step(self, k: int) -> Step:
        program, step, chance = self._program, self._steps[k], self._replay.probability(k)
        number = self._numbers[step.point, step.store]
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
            stabilisers=LazyTexts(lambda: list(texts(self._replay.news(k), program.qubits))),
        )


def texts(strings: Strings, qubits: Sequence[str]) -> Iterator[str]:
    """Strings by the names of their qubits: -X q[0] Z q[3]."""
    for k in range(len(strings)):
        letters, minus = strings[k]
        shown = [f"{NAMES[letter]} {qubits[qubit]}" for qubit, letter in letters[:MOST_LETTERS]]
        more = [f"... ({len(letters)} letters)"] if len(letters) > MOST_LETTERS else []
        yield ("-" if minus else "") + " ".join(shown + more)


def failing(replay: Replay, wanted: Strings, qubits: Sequence[str], step: int) -> Hint | None:
    """Which of the strings that should stabilise the states at the end do not, and what they are instead."""
    described = []
    for k, text in enumerate(texts(wanted, qubits)):
        letters, minus = wanted[k]
        sign = replay.tableau.sign(letters)
        if sign is None:
            is_open = replay.tableau.copy().measure(letters, []) is Finding.open
            described.append(f"{text} ({'left open by the start' if is_open else 'expectation 0'})")
        elif bool(sign) != minus:
            described.append(f"{text} (expectation -1)")
    if not described:
        return None
    more = len(described) - FAILING_SHOWN
    shown = described[:FAILING_SHOWN] + ([f"{more} more"] if more > 0 else [])
    told = f"{len(described)} of {len(wanted)} generators fail: {', '.join(shown)}"
    return Hint("part", told, steps=(step,))
