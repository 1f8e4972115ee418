"""Verdicts that rest on paths which no execution was found to take: decided on the states themselves.

The graph of locations forgets which states took which way. So locations are split by the states that
executions have there, a few, then more, until the formula must hold or cannot hold for executions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from qismc.common.lazily import cached_property
from qismc.ctl import Bounds, Labels, Mask, PartialEvaluation
from qismc.engines import Vector
from qismc.errors import LimitReached, Undecided
from qismc.evidence.claims import is_timeless
from qismc.evidence.explaining import explain
from qismc.evidence.proof import Evidence
from qismc.evidence.unfolding import Unfolding
from qismc.fixpoint import Solved
from qismc.language import Formula, Probability, to_text
from qismc.limits import Budget, Limits
from qismc.probability import Chances

STATES = (0, 64, 1024)
"""So many states of executions are told apart, in turn; at first none: a location stands for all in sp."""
SECONDS = 20.0
"""Telling states apart is given up after this time."""


class NoExecution(Undecided):
    """The graph has a path that decides a formula, but no execution is known to take such a path."""

    kind = "path"


@dataclass(frozen=True)
class Refined:
    """The verdict for executions, and evidence for it in terms of locations."""

    holds: bool
    evidence: Evidence
    _unfolding: Unfolding
    _numbers: dict[int, int]

    def proves(self, claim: Evidence, state: Vector) -> bool:
        """Was a part of the evidence established for this state at its location?"""
        known = self._unfolding.state(self._numbers[id(claim)])
        return known is None or self._unfolding.parallel(known, state)


class Refiner:
    """Decides formulas about the executions of one solved system."""

    def __init__(self, solved: Solved, labels: Labels) -> None:
        self._solved = solved
        self._labels = labels
        self._unfoldings: dict[int, Unfolding] = {}
        self._evaluations: dict[int, PartialEvaluation] = {}

    def decide(self, formula: Formula, holds: bool) -> Refined:
        """The truth of a formula for executions; `holds` is what the graph says."""
        told, reason = 0, ""
        for most in STATES:
            try:
                unfolding = self._unfolding(most)
            except LimitReached as limit:
                reason = f" ({limit.reason})"
                break
            evaluation = self._evaluation(most)
            told = len(unfolding.rays)
            for truth in (True, False):
                if evaluation.says(formula, truth, unfolding.root):
                    numbers: dict[int, int] = {}
                    evidence = _located(explain(formula, evaluation), unfolding, numbers)
                    return Refined(truth, evidence, unfolding, numbers)
            if unfolding.complete:
                break
        raise self.open(formula, holds, f", and telling {told} states apart did not decide it{reason}")

    def open(self, formula: Formula, holds: bool, tried: str = "") -> NoExecution:
        """What is said of a formula that no execution is known to decide."""
        return NoExecution(
            f"the graph of locations says that {to_text(formula)} is {str(holds).lower()}, but no execution "
            f"is known to take the path that it rests on{tried}",
            hint="measure into bits that are not overwritten, or ask the graph with paths='all'",
        )

    def _unfolding(self, most: int) -> Unfolding:
        if most not in self._unfoldings:
            self._unfoldings[most] = Unfolding(self._solved, Budget(Limits(seconds=SECONDS)), most)
        return self._unfoldings[most]

    def _evaluation(self, most: int) -> PartialEvaluation:
        unfolding = self._unfolding(most)

        def atoms(atom: Formula, where: Mask) -> Bounds:
            asked = np.zeros(self._solved.system.num_locations, dtype=bool)
            asked[unfolding.places[where]] = True
            if isinstance(atom, Probability) and not is_timeless(atom):
                must, may = self._chance(atom, asked)
                return Bounds(must[unfolding.places], may[unfolding.places])
            truth = self._labels(atom, asked)[unfolding.places]
            return Bounds(truth, truth)

        if most not in self._evaluations:
            self._evaluations[most] = PartialEvaluation(
                unfolding.certain, unfolding.possible, unfolding.nowhere, atoms, self._labels.cost
            )
        return self._evaluations[most]

    # --- probabilities of paths on which others are spoken of ---

    def knows_labels(self, formula: Probability) -> bool:
        """Is the truth of what a path speaks of the same for all states at a location, at every one?"""
        return all(np.array_equal(*self._everywhere(part)) for part in formula.operands)

    def _chance(self, formula: Probability, where: Mask) -> Bounds:
        """The truth at the locations of `where`: probabilities grow with what is true on the way."""
        if formula.bound == "=?":
            return Bounds(np.full_like(where, self.knows_labels(formula)), np.ones_like(where))
        least, most = (chances(formula, where) for chances in self._ends)
        return Bounds(least & most, least | most)

    @cached_property
    def _ends(self) -> tuple[Chances, Chances]:
        """Probabilities where what must hold is all that does, and where all does that may."""
        assert self._labels.chances is not None
        ask = self._labels.chances.asking
        return ask(lambda part: self._everywhere(part).must), ask(lambda part: self._everywhere(part).may)

    def _everywhere(self, formula: Formula) -> Bounds:
        """By location, for all states that can be there."""
        must, may = self._evaluation(STATES[0]).bounds(formula)
        size = self._solved.system.num_locations
        return Bounds(must[:size], may[:size])


def _located(evidence: Evidence, unfolding: Unfolding, numbers: dict[int, int]) -> Evidence:
    """The same evidence, told by the locations of the system; `numbers` keeps where each part began."""
    steps = tuple(int(unfolding.places[k]) for k in evidence.steps)
    children = tuple((place, _located(child, unfolding, numbers)) for place, child in evidence.children)
    located = replace(evidence, steps=steps, children=children)
    numbers[id(located)] = evidence.location
    return located
