"""Evidence as data: paths and lassos of locations that prove what a formula says at a location."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from qismc.language import Formula, Probability, Temporal, operands

Kind = Literal["path", "lasso", "tree", "none"]


@dataclass(frozen=True)
class Evidence:
    """Why `formula` is `holds` at steps[0].

    A lasso goes from its last step back to steps[loop_start]. `children` are pairs (position in steps,
    evidence) for the sub-formulas that need paths of their own. Kind "tree" is a path or lasso with such
    children, "none" a claim that no path proves: a universal formula that holds, or an existential one
    that fails.
    """

    formula: Formula
    holds: bool
    kind: Kind
    steps: tuple[int, ...]
    loop_start: int | None = None
    children: tuple[tuple[int, Evidence], ...] = ()

    @property
    def location(self) -> int:
        """Where the claim is made."""
        return self.steps[0]

    def at(self, position: int) -> Iterator[Evidence]:
        """The children at a position."""
        return (child for place, child in self.children if place == position)

    def continuation(self) -> Evidence | None:
        """The first child at the last step whose path leads further."""
        if self.loop_start is not None:
            return None
        for child in self.at(len(self.steps) - 1):
            steps, loop_start = child.spine()
            if loop_start is not None or len(steps) > 1:
                return child
        return None

    def spine(self) -> tuple[tuple[int, ...], int | None]:
        """One path or lasso: it goes on into the continuation."""
        child = self.continuation()
        if child is None:
            return self.steps, self.loop_start
        last = len(self.steps) - 1
        steps, loop_start = child.spine()
        return self.steps + steps[1:], None if loop_start is None else last + loop_start


def is_local(formula: Formula) -> bool:
    """The formula speaks of one location only: no temporal operator in it; P-operators count as labels."""
    if isinstance(formula, Temporal):
        return False
    return isinstance(formula, Probability) or all(is_local(part) for part in operands(formula))
