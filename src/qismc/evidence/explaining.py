"""Paths and lassos that explain the truth of CTL formulas at the start.

A path can prove that an existential formula holds or that a universal one fails. All of these say: there is a
path with some claims at each of its locations, up to one with other claims, or for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from qismc.ctl import Evaluation, Mask, PartialEvaluation, shortest_lasso, shortest_path
from qismc.evidence.proof import Evidence, Kind, Signed, is_local, split
from qismc.language import Formula, Not, Temporal

MOST_NESTED = 64
"""Evidence inside evidence is cut off after so many pieces: nobody reads more."""


def explain(formula: Formula, evaluation: Evaluation | PartialEvaluation) -> Evidence:
    """Evidence for the formula's truth at the initial location."""
    start = evaluation.graph.initial
    return _Explainer(evaluation).root(Signed(formula, evaluation.holds(formula, start)), start)


def _sought(formula: Temporal, holds: bool) -> tuple[tuple[Signed, ...], tuple[Signed, ...] | None, bool]:
    """What a path must show to prove such a claim; the operator is not X.

    (hold, goal, forever): `hold` before its end and `goal` there, or `hold` for ever.
    """
    p, q = (Signed(formula.operands[k], holds) for k in (0, -1))
    match formula.op, holds:
        case ("F", True) | ("G", False):
            return ((), (p,), False)
        case ("G", True) | ("F", False):
            return ((p,), None, True)
        case ("U", True) | ("R", False):
            return ((p,), (q,), False)
        case "W", True:
            return ((p,), (q,), True)
        case "W", False:
            return ((q,), (p, q), False)
    return ((q,), (p, q), True)  # R holds, or U fails


def _plain(claim: Signed) -> Signed:
    """The same claim without negations at its head."""
    formula, holds = claim
    while isinstance(formula, Not):
        formula, holds = formula.operand, not holds
    return Signed(formula, holds)


def _difficulty(claim: Signed) -> int:
    """0 for local claims, 1 for those that a path proves, 2 for the others."""
    plain = _plain(claim)
    if is_local(plain.formula):
        return 0
    return 1 if plain.has_path or not isinstance(plain.formula, Temporal) else 2


@dataclass
class _Explainer:
    """Builds one piece of evidence; `left` bounds the pieces nested in it."""

    evaluation: Evaluation | PartialEvaluation
    left: int = MOST_NESTED

    def root(self, claim: Signed, location: int) -> Evidence:
        """Evidence for any claim; Boolean connectives add no steps of their own."""
        if isinstance(claim.formula, Temporal):
            return self._temporal(claim, claim.formula, location)
        children = [(0, child) for child in self._supports(claim, location)]
        return _made(claim, [location], None, children, bare="none" if children else "path")

    # --- Boolean connectives ---

    def _supports(self, claim: Signed, location: int) -> Iterator[Evidence]:
        """Evidence for the temporal sub-formulas on which the claim rests at a location."""
        formula = claim.formula
        if isinstance(formula, Temporal):
            self.left -= 1
            yield self._temporal(claim, formula, location) if self.left >= 0 else _unproved(claim, location)
        elif not is_local(formula):
            found = split(claim)
            assert found is not None, f"{formula!r} is no Boolean combination"
            every, chosen = found
            if not every:  # the one among the right ones that is easiest to show
                chosen = (min((c for c in chosen if self._is_right(c, location)), key=_difficulty),)
            for part in chosen:
                yield from self._supports(part, location)

    def _is_right(self, claim: Signed, location: int) -> bool:
        return self.evaluation.says(claim.formula, claim.holds, location)

    # --- temporal operators ---

    def _temporal(self, claim: Signed, formula: Temporal, location: int) -> Evidence:
        if not claim.has_path:
            return _unproved(claim, location)
        graph = self.evaluation.graph
        if formula.op == "X":
            part = Signed(formula.operands[0], claim.holds)
            step = min(k for k in graph.successors.of(location).tolist() if self._is_right(part, k))
            return self._path(claim, [location, step], (), (part,))
        hold, goal, forever = _sought(formula, claim.holds)
        through = self._where(hold)
        if goal is not None:
            path = shortest_path(graph, location, through, self._where(goal))
            if path is not None:
                return self._path(claim, path, hold, goal)
        lasso = shortest_lasso(graph, location, through) if forever else None
        assert lasso is not None, f"{claim} at {location} has no path"
        return self._path(claim, lasso[0], hold, hold, lasso[1])

    def _where(self, claims: tuple[Signed, ...]) -> Mask:
        """The locations where all claims are known to be right."""
        mask = self.evaluation.graph.everywhere
        for formula, holds in map(_plain, claims):
            known = self.evaluation.known(formula)
            truth = self.evaluation.truth(formula, known)
            mask = mask & known & (truth if holds else ~truth)
        return mask

    def _path(
        self,
        claim: Signed,
        steps: list[int],
        hold: tuple[Signed, ...],
        goal: tuple[Signed, ...],
        loop_start: int | None = None,
    ) -> Evidence:
        """A path or lasso whose claims at each position are supported in turn, the last position first."""
        last = len(steps) - 1
        children = [
            (position, child)
            for position in range(last, -1, -1)
            for part in (goal if position == last else hold)
            for child in self._supports(part, steps[position])
        ]
        children.sort(key=lambda pair: pair[0])
        return _made(claim, steps, loop_start, children, bare="path" if loop_start is None else "lasso")


def _made(
    claim: Signed, steps: list[int], loop_start: int | None, children: list[tuple[int, Evidence]], bare: Kind
) -> Evidence:
    """Evidence that is of kind `bare` where no child has a path of its own."""
    nested = any(child.kind != "none" for _, child in children)
    return Evidence(*claim, "tree" if nested else bare, tuple(steps), loop_start, tuple(children))


def _unproved(claim: Signed, location: int) -> Evidence:
    """The claim that no path proves, or none that anybody would read."""
    return Evidence(*claim, "none", (location,))
