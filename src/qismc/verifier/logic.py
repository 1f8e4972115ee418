"""Temporal logic where some labels are not known: what must hold, and what may hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from typing_extensions import assert_never

from qismc.language import syntax
from qismc.verifier.outcome import NotChecked

Places = frozenset[int]
MOST_TRUTHS = 1 << 23
"""Formulas times locations of one claim whose truth is kept: less than a gigabyte."""


class TruthBounds(NamedTuple):
    """Where a formula holds for sure, and where it does not fail for sure."""

    must: Places
    may: Places


class ThreeValuedLogic:
    """Formulas on a graph whose atoms are three-valued."""

    def __init__(
        self,
        successors: Sequence[Sequence[int]],
        atom: Callable[[syntax.Formula, int], bool | None],
        chances: Callable[[Places, Places, bool], Callable[[int], bool]] | None = None,
        spend: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._spend = spend
        self._chances = chances
        self._successors = [sorted(set(following)) for following in successors]
        self._predecessors: list[list[int]] = [[] for _ in successors]
        for place, following in enumerate(self._successors):
            for target in following:
                self._predecessors[target].append(place)
        self._atom = atom
        self._everywhere = frozenset(range(len(successors)))
        self._known: dict[syntax.Formula, TruthBounds] = {}

    def truth(self, formula: syntax.Formula) -> TruthBounds:
        if formula not in self._known:
            self._spend(2 * len(self._everywhere))
            must, may = self._compute(formula)
            self._known[formula] = TruthBounds(must, must if must == may else may)
            if len(self._known) * len(self._everywhere) > MOST_TRUTHS:
                raise NotChecked(f"formulas whose parts have more than {MOST_TRUTHS} values")
        return self._known[formula]

    def _compute(self, formula: syntax.Formula) -> TruthBounds:
        parts = [self.truth(part) for part in syntax.operands(formula)]
        match formula:
            case syntax.Constant(value):
                places = self._everywhere if value else frozenset()
                return TruthBounds(places, places)
            case syntax.Atom() | syntax.Bit() | syntax.Compare() | syntax.Quantum():
                values = {k: self._atom(formula, k) for k in self._everywhere}
                must = frozenset(k for k, value in values.items() if value)
                return TruthBounds(must, frozenset(k for k, value in values.items() if value is not False))
            case syntax.Not():
                return self._negated(*parts)
            case syntax.And():
                return self._both(*parts)
            case syntax.Or():
                return self._either(*parts)
            case syntax.Implies():
                return self._either(self._negated(parts[0]), parts[1])
            case syntax.Iff():
                return self._either(self._both(*parts), self._both(*map(self._negated, parts)))
            case syntax.Temporal(quantifier, op):
                every = quantifier == "A"
                must = self._temporal(op, every, [part.must for part in parts])
                return TruthBounds(must, self._temporal(op, every, [part.may for part in parts]))
            case syntax.Probability("=1" | ">0" as bound, op, operands):
                return self._probable(bound, op, [self.truth(operand) for operand in operands])
            case syntax.Probability():
                raise NotChecked("thresholds of probabilities")
            case _:
                assert_never(formula)

    def _probable(self, bound: str, op: syntax.PathOperator, parts: list[TruthBounds]) -> TruthBounds:
        """As [not] p U q; the negation of "with probability 1" is "possibly not"."""
        if self._chances is None or any(part.must != part.may for part in parts):
            raise NotChecked("probabilities of what is not labelled everywhere")
        sets = [part.must for part in parts]
        every = self._everywhere
        match op:
            case "F":
                hold, goal, negated = every, sets[0], False
            case "U":
                hold, goal, negated = sets[0], sets[1], False
            case "G":
                hold, goal, negated = every, every - sets[0], True
            case "W":
                hold, goal, negated = every - sets[1], every - sets[0] - sets[1], True
            case "R":
                hold, goal, negated = every - sets[0], every - sets[1], True
            case _:
                raise NotChecked("X under a probability")
        decide = self._chances(hold, goal, (bound == "=1") != negated)
        found = frozenset(k for k in every if decide(k) != negated)
        return TruthBounds(found, found)

    def _negated(self, truth: TruthBounds) -> TruthBounds:
        return TruthBounds(self._everywhere - truth.may, self._everywhere - truth.must)

    @staticmethod
    def _both(a: TruthBounds, b: TruthBounds) -> TruthBounds:
        return TruthBounds(a.must & b.must, a.may & b.may)

    @staticmethod
    def _either(a: TruthBounds, b: TruthBounds) -> TruthBounds:
        return TruthBounds(a.must | b.must, a.may | b.may)

    def _temporal(self, op: syntax.PathOperator, every: bool, sets: list[Places]) -> Places:
        match op:
            case "X":
                return self._before(sets[0], every)
            case "F":
                return self._least(self._everywhere, sets[0], every)
            case "U":
                return self._least(sets[0], sets[1], every)
            case "G":
                return self._greatest(sets[0], frozenset(), every)
            case "W":
                return self._greatest(sets[0], sets[1], every)
            case "R":
                return self._greatest(sets[1], sets[0] & sets[1], every)
            case _:
                assert_never(op)

    def _before(self, target: Places, every: bool) -> Places:
        quantify = all if every else any
        return frozenset(
            k for k, following in enumerate(self._successors) if quantify(f in target for f in following)
        )

    def _least(self, hold: Places, goal: Places, every: bool) -> Places:
        """The least X with X = goal or (hold and next X)."""
        found, pending = set(goal), list(goal)
        missing = [len(following) if every else 1 for following in self._successors]
        while pending:
            for earlier in self._predecessors[pending.pop()]:
                if earlier in hold and earlier not in found:
                    missing[earlier] -= 1
                    if not missing[earlier]:
                        found.add(earlier)
                        pending.append(earlier)
        return frozenset(found)

    def _greatest(self, hold: Places, release: Places, every: bool) -> Places:
        """The greatest X with X = release or (hold and next X): all but the least of the opposite."""
        held = self._everywhere - release
        return self._everywhere - self._least(held, held - hold, not every)
