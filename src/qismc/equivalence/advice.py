"""Advice about a difference: it must do for every input, not only for the one that is shown."""

from __future__ import annotations

from dataclasses import replace

from qismc.evidence import no_hints
from qismc.results import Result


def with_advice(shown: Result, everything: Result | None) -> Result:
    """What an input shows, with the hints, observations and repairs of the check on every input."""
    asked = {} if everything is None else {answer.name: answer.suspects for answer in everything}
    answers = tuple(replace(a, suspects=asked.get(a.name, no_hints())) for a in shown.results)
    told = replace(shown, results=answers)
    if everything is None:
        return told
    return replace(told, _observations=everything._observations, _question=everything._question)
