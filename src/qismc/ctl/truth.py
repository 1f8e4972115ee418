"""What an evaluation found out about a formula and its parts, location by location."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from qismc.ctl.evaluation import Evaluation
from qismc.ctl.graph import Mask
from qismc.language import Formula, Probability, Temporal, subformulas


class Truth(NamedTuple):
    """Where a formula's truth was needed, and where it holds (meaningful there only)."""

    known: Mask
    holds: Mask

    def values(self) -> list[bool | None]:
        """Per location; None where the value was not needed."""
        pairs = zip(self.known.tolist(), self.holds.tolist(), strict=True)
        return [holds if known else None for known, holds in pairs]


def truths(evaluation: Evaluation, formula: Formula) -> dict[Formula, Truth]:
    """What is known by now; nothing new is computed."""
    return {part: Truth(*evaluation.found(part)) for part in subformulas(formula)}


def of_executions(
    found: Mapping[Formula, Truth], formula: Formula, initial: int, holds: bool
) -> dict[Formula, Truth]:
    """The same where executions decided otherwise than the graph: its word on paths counts no more.

    What speaks of single locations stays; of the rest only the verdict at the start is known.
    """
    kept: dict[Formula, Truth] = {}
    for part, truth in found.items():
        if not any(isinstance(inner, Temporal | Probability) for inner in subformulas(part)):
            kept[part] = truth
            continue
        known, values = np.zeros_like(truth.known), np.zeros_like(truth.holds)
        if part == formula:
            known[initial], values[initial] = True, holds
        kept[part] = Truth(known, values)
    return kept
