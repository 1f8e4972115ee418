"""Distributions as plain data; the keys are an interface that other programs rely on."""

from __future__ import annotations

from math import isinf
from typing import Any

from qismc.common.wording import plain_number
from qismc.probability import Loop, Outcomes
from qismc.report import replaced
from qismc.report.outcomes.wording import CONFIDENCE


def to_json(outcomes: Outcomes) -> dict[str, Any]:
    """One object per run; infinitely many turns or shots are null."""
    return {
        "program": outcomes.program,
        "at": outcomes.at,
        "registers": {name: _numbers(outcomes.marginal(name)) for name in outcomes.registers},
        "joint": [
            {
                "values": dict(zip(outcomes.registers, map(plain_number, key), strict=True)),
                "probability": value,
            }
            for key, value in outcomes.table.items()
        ],
        "unfinished": outcomes.unfinished,
        "loops": [_loop(loop) for loop in outcomes.loops],
        "shots": _finite(outcomes.shots(CONFIDENCE)),
        "error_bound": outcomes.error,
        "replaced": replaced.to_json(outcomes.replaced),
    }


def _numbers(distribution: dict[int, float]) -> dict[str, float]:
    return {str(plain_number(value)): probability for value, probability in distribution.items()}


def _loop(loop: Loop) -> dict[str, Any]:
    source = None if loop.source is None else loop.source._asdict()
    return {"source": source, "text": loop.text, "turns": _finite(loop.turns)}


def _finite(number: float) -> float | None:
    return None if isinf(number) else number
