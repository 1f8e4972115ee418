"""What an evaluation found out about a formula and its parts, location by location."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from qismc.ctl.evaluate import Evaluation
from qismc.ctl.graph import Mask
from qismc.spec.syntax import Formula, Probability, operands


class Truth(NamedTuple):
    """Where a formula's truth was needed, and where it holds (meaningful there only)."""

    known: Mask
    holds: Mask

    def values(self) -> list[bool | None]:
        """Per location; None where the value was not needed."""
        pairs = zip(self.known.tolist(), self.holds.tolist(), strict=True)
        return [holds if known else None for known, holds in pairs]


def parts(formula: Formula) -> tuple[Formula, ...]:
    """The immediate sub-formulas, those of probability operators included."""
    return formula.operands if isinstance(formula, Probability) else operands(formula)


def subformulas(formula: Formula) -> Iterator[Formula]:
    """The formula and everything inside it, from the outside in; repeated parts are repeated."""
    yield formula
    for part in parts(formula):
        yield from subformulas(part)


def truths(evaluation: Evaluation, formula: Formula) -> dict[Formula, Truth]:
    """What is known by now; nothing new is computed."""
    found: dict[Formula, Truth] = {}
    for part in subformulas(formula):
        known = evaluation.known(part)
        found[part] = Truth(known, evaluation.truth(part, known))
    return found
