"""Evidence for a violated bound of a probability: several executions, each with its own probability."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from qismc.common.wording import counted
from qismc.evidence.build import ExecutionBuilder
from qismc.evidence.execution import Execution
from qismc.evidence.probable_paths import Likely, likely, start_column
from qismc.labels import Chances
from qismc.language import And, Formula, Implies, Not, Or, Probability, Threshold, to_text
from qismc.system import TransitionSystem

MOST_SHOWN = 5
"""Nobody reads more executions than this."""
MOST_OF_IT = 0.9
"""Executions that make up so much of the difference are enough."""


class Blamed(NamedTuple):
    """A bound that decides a violation, and whether the probability is too low for it (or too high)."""

    bound: Probability
    low: bool


def blame(formula: Formula, holds: Callable[[Formula], bool], wanted: bool = True) -> Blamed | None:
    """The bound that makes a combination of bounds differ from `wanted`; None for all other formulas."""
    match formula:
        case Probability(Threshold(relation)):
            return Blamed(formula, (relation in (">=", ">")) == wanted)
        case Not(operand):
            return blame(operand, holds, not wanted)
        case And(left, right) | Or(left, right):
            return blame(left if holds(left) != wanted else right, holds, wanted)
        case Implies(_, right) if wanted:
            return blame(right, holds, wanted)
    return None


class Unlikely:
    """Explains violated bounds in one transition system."""

    def __init__(self, system: TransitionSystem, labels: Callable[[int], list[str]]) -> None:
        self._system = system
        self._labels = labels

    def explain(self, formula: Formula, blamed: Blamed, chances: Chances) -> Execution:
        """The likeliest execution that makes the difference, with the next ones beside it."""
        found = chances.likelihood(blamed.bound)
        text = f"{to_text(formula)} fails: the probability is {found.text}"
        until, negated = chances.path(blamed.bound)
        if until.frames.entry in until.decided:
            return Execution("none", claim=text)
        reaching = negated == blamed.low
        start = start_column(until, reaching=reaching)
        total = 1 - found.low if blamed.low else found.high
        shown, together = _enough(likely(until, start, reaching=reaching), total)
        if not shown:
            return Execution("none", claim=text)
        frames = until.frames
        builder = ExecutionBuilder(
            self._system,
            self._labels,
            frames.engine,
            lambda _: (frames.vector(frames.entry, start), self._system.program.initial_store),
        )
        which = "against" if blamed.low else "in favour of"
        claim = (
            f"{text}; {counted(len(shown), 'execution')} {which} it have {together:.6g} of {total:.6g}"
            if len(shown) > 1
            else f"{text}; the likeliest execution {which} it"
        )
        first = builder.from_provenance(shown[0].path, claim)
        others = [builder.from_provenance(item.path, "the next one") for item in shown[1:]]
        return replace(first, further=tuple(others))


def _enough(executions: Iterator[Likely], total: float) -> tuple[list[Likely], float]:
    """The first executions until they make up most of the total, or are too many to be read."""
    shown: list[Likely] = []
    together = 0.0
    for item in islice(executions, MOST_SHOWN):
        shown.append(item)
        together += item.probability
        if together >= MOST_OF_IT * total:
            break
    return shown, together
