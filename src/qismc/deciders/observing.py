"""What is said about a program of which nothing was asked: observations, true and with their places."""

from __future__ import annotations

import time
from dataclasses import replace

from qismc.errors import Undecided
from qismc.evidence import findings
from qismc.limits import Trial
from qismc.model import Model
from qismc.results import NO_SPECIFICATION, Result, summary

WIDEST = Trial(nodes=3_000, dimension=256)
"""Larger systems are not explored for observations alone."""


def observed(model: Model, clock: list[float]) -> Result:
    """The result without formulas."""
    clock = [*clock, time.perf_counter()]
    solved, notes = None, list[str]()
    try:
        with model.budget.trying(WIDEST):
            mask = model.observed([])
            model = model.asking([]).agreeing(mask)
            solved = model.solved(mask)
    except Undecided as doubt:
        notes.append(f"not everything was looked for: {doubt.reason}")
    clock.append(time.perf_counter())
    found = summary(model, solved, [], None, notes=tuple(notes), clock=clock)
    observations = findings(solved, model.budget, thorough=True, program=model.program)
    return replace(found, warnings=(*found.warnings, _nothing_asked(model)), _observations=observations)


def _nothing_asked(model: Model) -> str:
    qubit = next(iter(model.program.qubits), None)
    example = "AF leaf" if qubit is None else f"AG (leaf -> |0> on {qubit})"
    said = f"{NO_SPECIFICATION}: nothing was asked, so nothing is proved"
    return f"{said}; say what must be true, as in --spec '{example}'"
