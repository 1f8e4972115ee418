"""Paths and lassos that explain the truth of CTL formulas at a location.

A path can prove that an existential formula holds or that a universal one fails. All of these say: there is a
path with some claims at each of its locations, up to one with other claims, or for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from qismc.ctl import Evaluation, Mask, PartialEvaluation, shortest_lasso, shortest_path
from qismc.evidence.claims import Claim, is_local, split
from qismc.evidence.proof import Evidence, Kind
from qismc.language import Formula, Not, Temporal

Evaluated = Evaluation | PartialEvaluation

Preferred = Callable[[Temporal, int], Sequence[int] | None]
"""preferred(AG formula, start): the caller's own path to a violating location, or None for a shortest one."""

MOST_NESTED = 64
"""Evidence inside evidence is cut off after so many pieces: nobody reads more."""


class SoughtPath(NamedTuple):
    """A path with all `hold` claims before its end and all `goal` claims there, or with `hold` for ever."""

    hold: tuple[Claim, ...]
    goal: tuple[Claim, ...] | None
    forever: bool


def explain(
    formula: Formula, evaluation: Evaluated, location: int | None = None, preferred: Preferred | None = None
) -> Evidence:
    """Evidence for the formula's truth at a location (default: the initial one)."""
    place = evaluation.graph.initial if location is None else location
    holds = evaluation.holds(formula, place)
    return _Explainer(evaluation, preferred).root(Claim(formula, holds), place)


def path_search(claim: Claim) -> SoughtPath | None:
    """What a path must show to prove the claim; None if no path can, or if the operator is X."""
    formula, holds = claim
    if not isinstance(formula, Temporal) or not has_path(claim):
        return None
    p, q = Claim(formula.operands[0], holds), Claim(formula.operands[-1], holds)
    match formula.op, holds:
        case ("F", True) | ("G", False):
            return SoughtPath((), (p,), False)
        case ("G", True) | ("F", False):
            return SoughtPath((p,), None, True)
        case ("U", True) | ("R", False):
            return SoughtPath((p,), (q,), False)
        case "W", True:
            return SoughtPath((p,), (q,), True)
        case "W", False:
            return SoughtPath((q,), (p, q), False)
        case ("R", True) | ("U", False):
            return SoughtPath((q,), (p, q), True)
    return None


def has_path(claim: Claim) -> bool:
    """A path can prove the claim: existential and true, or universal and false."""
    return isinstance(claim.formula, Temporal) and (claim.formula.quantifier == "E") == claim.holds


@dataclass
class _Explainer:
    """Builds one piece of evidence; `left` bounds the pieces nested in it."""

    evaluation: Evaluated
    preferred: Preferred | None
    left: int = field(default=MOST_NESTED)

    def root(self, claim: Claim, location: int) -> Evidence:
        """Evidence for any claim; Boolean connectives add no steps of their own."""
        if isinstance(claim.formula, Temporal):
            return self._temporal(claim, location)
        children = tuple((0, child) for child in self._supports(claim, location))
        nested = any(child.kind != "none" for _, child in children)
        kind: Kind = "tree" if nested else "none" if children else "path"
        return Evidence(*claim, kind, (location,), None, children)

    # --- Boolean connectives ---

    def _supports(self, claim: Claim, location: int) -> Iterator[Evidence]:
        """Evidence for the temporal sub-formulas on which the claim rests at a location."""
        formula = claim.formula
        if isinstance(formula, Temporal):
            yield self._nested(claim, location)
        elif not is_local(formula):
            found = split(claim)
            assert found is not None, f"{formula!r} is no Boolean combination"
            chosen = list(found.parts)
            if not found.every:  # the one among the right ones that is easiest to show
                chosen = [min((c for c in chosen if self._is_right(c, location)), key=_difficulty)]
            for part in chosen:
                yield from self._supports(part, location)

    def _is_right(self, claim: Claim, location: int) -> bool:
        return self.evaluation.says(claim.formula, claim.holds, location)

    # --- temporal operators ---

    def _nested(self, claim: Claim, location: int) -> Evidence:
        self.left -= 1
        return self._temporal(claim, location) if self.left >= 0 else Evidence(*claim, "none", (location,))

    def _temporal(self, claim: Claim, location: int) -> Evidence:
        assert isinstance(claim.formula, Temporal)
        if not has_path(claim):
            return Evidence(*claim, "none", (location,))
        if claim.formula.op == "X":
            part = Claim(claim.formula.operands[0], claim.holds)
            after = self.evaluation.graph.successors.of(location).tolist()
            step = min(k for k in after if self._is_right(part, k))
            return self._evidence(claim, [location, step], None, {1: (part,)})
        search = path_search(claim)
        assert search is not None
        return self._found(claim, search, location)

    def _found(self, claim: Claim, search: SoughtPath, location: int) -> Evidence:
        through = self._where(search.hold)
        path = self._path(claim, search, location, through)
        if path is not None:
            rests = dict.fromkeys(range(len(path) - 1), search.hold)
            return self._evidence(claim, path, None, {**rests, len(path) - 1: search.goal or ()})
        lasso = shortest_lasso(self.evaluation.graph, location, through) if search.forever else None
        assert lasso is not None, f"{claim} at {location} has no path"
        steps, loop_start = lasso
        return self._evidence(claim, steps, loop_start, dict.fromkeys(range(len(steps)), search.hold))

    def _path(self, claim: Claim, search: SoughtPath, location: int, through: Mask) -> list[int] | None:
        if search.goal is None:
            return None
        if self.preferred is not None and isinstance(claim.formula, Temporal) and claim.formula.op == "G":
            chosen = self.preferred(claim.formula, location)
            if chosen is not None:
                return list(chosen)
        return shortest_path(self.evaluation.graph, location, through, self._where(search.goal))

    def _where(self, claims: tuple[Claim, ...]) -> Mask:
        """The locations where all claims are known to be right."""
        mask = self.evaluation.graph.everywhere
        for claim in claims:
            mask = mask & self._known(claim)
        return mask

    def _known(self, claim: Claim) -> Mask:
        formula, holds = claim
        while isinstance(formula, Not):
            formula, holds = formula.operand, not holds
        known = self.evaluation.known(formula)
        truth = self.evaluation.truth(formula, known)
        return known & (truth if holds else ~truth)

    def _evidence(
        self, claim: Claim, steps: list[int], loop_start: int | None, rests: dict[int, tuple[Claim, ...]]
    ) -> Evidence:
        """A path or lasso whose claims at each position are supported in turn, the last position first."""
        children = [
            (position, child)
            for position in sorted(rests, reverse=True)
            for part in rests[position]
            for child in self._supports(part, steps[position])
        ]
        children.sort(key=lambda pair: pair[0])
        nested = any(child.kind != "none" for _, child in children)
        kind: Kind = "tree" if nested else "path" if loop_start is None else "lasso"
        return Evidence(
            *claim, kind, tuple(steps), loop_start, tuple(sorted(children, key=lambda pair: pair[0]))
        )


def _difficulty(claim: Claim) -> int:
    """0 for local claims, 1 for those that a path proves, 2 for the others."""
    formula, holds = claim
    while isinstance(formula, Not):
        formula, holds = formula.operand, not holds
    if is_local(formula):
        return 0
    return 1 if has_path(Claim(formula, holds)) or not isinstance(formula, Temporal) else 2
