"""The question of a check, asked about variants of its program."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from qismc.deciders import check_model, true_on_stabilisers, truth_in
from qismc.errors import QismcError, Undecided
from qismc.evidence import invariant
from qismc.language import And, Atom, Formula, Probability, Property, Temporal
from qismc.limits import Limits, StoreGrows, Trial
from qismc.model import Model
from qismc.program import Program
from qismc.results import Question, Result
from qismc.verdict import Verdict

REACHES_END = Temporal("E", "F", (Atom("leaf"),))
ENDS = "the end is reached"
VARIANT_SECONDS = 10.0
"""Per variant, where no limit is given."""
LOCATION, STATEMENT, TRIAL_WORK = 1.5e3, 2e3, 6e4
"""Scalar operations that a location, a statement of a tableau, and a trial as such are worth."""
SIMULATED = 3.0
WIDEST_ARRAY = 18
"""So many amplitudes of the simulation beside it are worth one; states of more qubits are trains."""
SHORTEST = 1e-3
"""Limits of time are positive."""


def _is_plain(formula: Formula) -> bool:
    """Do labels decide the formula, without executions? Invariants and probabilities are such."""
    if isinstance(formula, And):
        return _is_plain(formula.left) and _is_plain(formula.right)
    return isinstance(formula, Probability) or invariant(formula) is not None


def _work(model: Model) -> float:
    """The scalar operations that a model took, as far as they can be counted: no clock has a say in it."""
    amplitudes = (1 << min(model.program.num_qubits, WIDEST_ARRAY)) / SIMULATED
    counted = float(model.engine.statistics().get("work", 0))
    return TRIAL_WORK + counted + model.budget.locations * (LOCATION + amplitudes)


@dataclass(frozen=True)
class Variants(Question):
    """The question, for whoever asks it about variants."""

    patience: float = math.inf
    """Seconds that no variant may exceed, whatever limit is given."""

    @classmethod
    def of(cls, question: Question) -> Variants:
        """The same question."""
        return cls(question.formulas, question.options, question.program)

    def model(self, program: Program, **changed: Any) -> Model:
        """The model of a variant."""
        limits = self.options.get("limits") or Limits()
        limits = replace(limits, seconds=min(limits.seconds or VARIANT_SECONDS, self.patience))
        found = Model.of(program, **{**self.options, "limits": limits, **changed})
        found.simulation.budget.follow()
        return found

    def within(self, seconds: float) -> Variants:
        """The same question, about variants that take no longer than this."""
        return replace(self, patience=max(min(self.patience, seconds), SHORTEST))

    def ends(self, program: Program) -> bool:
        """Can a program reach its end? One without loops always does."""
        if program.goes_forwards:
            return True
        return replace(self, formulas={"ends": "EF leaf"}).passes(program)

    def verdict(self, program: Program) -> tuple[Verdict, str | None]:
        """What a check says, without evidence where none is needed to say it; and why it is unknown."""
        model = self.model(program).asking(self.trees.values())
        known = self._on_stabilisers(model, self.trees.values())
        if known is not None:
            return (Verdict.HOLDS if known else Verdict.VIOLATED), None
        quick = [tree for tree in self.trees.values() if _is_plain(tree)]
        truth = truth_in(model, model.observed(self.trees.values()))
        if not model.engine.assumed.tentative:
            if not all(truth(formula) for formula in quick):
                return Verdict.VIOLATED, None
            if len(quick) == len(self.trees):
                return Verdict.HOLDS, None
        result = self.check(program)
        return result.verdict, result.reason

    def check(self, program: Program) -> Result:
        """The whole check of a variant, with evidence."""
        return check_model(self.model(program), dict(self.formulas))

    def passes(self, program: Program, first: Iterable[str] = (), *, ends: bool = False) -> bool:
        """Does every formula hold of a variant? What cannot be decided is no yes.

        Formulas of `first` are asked first; with `ends`, the variant must also be able to reach its end.
        """
        return self.looked_at(program, first, ends=ends)[0]

    def looked_at(
        self, program: Program, first: Iterable[str] = (), *, ends: bool = False
    ) -> tuple[bool, float]:
        """What `passes` says, and the scalar operations that this took: every machine counts the same."""
        asked = self._asked(first, ends)
        model = self.model(program).asking(asked)
        try:
            known = self._on_stabilisers(model, asked)
            if known is not None:
                return known, TRIAL_WORK + STATEMENT * len(program.code)
            known = self._explicitly(model, asked)
            if known is not None:
                return known, _work(model)
            result = self._checked(program, ends)
            further = float(result.statistics.engine.get("work", 0))
            return result.verdict is Verdict.HOLDS, 2 * _work(model) + further
        except (QismcError, Undecided):
            return False, _work(model)

    def _explicitly(self, model: Model, asked: list[Formula]) -> bool | None:
        """Are all formulas true, by labels of locations? None where paths, numbers or the store need more."""
        observed = model.observed(asked)
        try:
            with model.budget.trying(Trial()):
                truth = truth_in(model, observed)
        except StoreGrows:
            return None
        plain = [formula for formula in asked if _is_plain(formula) or formula is REACHES_END]
        if not all(truth(formula) for formula in plain):
            return False
        sure = len(plain) == len(asked) and not model.engine.assumed.tentative
        return True if sure else None

    def _checked(self, program: Program, ends: bool) -> Result:
        further = {ENDS: "EF leaf"} if ends else {}
        return check_model(self.model(program), {**self.formulas, **further})

    def _asked(self, first: Iterable[str], ends: bool) -> list[Formula]:
        order = [self.trees[name] for name in dict.fromkeys([*first, *self.trees])]
        return [*order, REACHES_END] if ends else order

    def _on_stabilisers(self, model: Model, formulas: Iterable[Formula]) -> bool | None:
        """Are all formulas true? What stabiliser groups say is final; None where they say nothing."""
        wanted = [Property(str(k), "", formula) for k, formula in enumerate(formulas)]
        return true_on_stabilisers(model, wanted)

    def unreached(self, program: Program) -> int | None:
        """How many statements no execution comes to; None where that takes long to tell."""
        model = self.model(program).asking(self.trees.values())
        observed = model.observed(self.trees.values())
        try:
            with model.budget.trying(Trial()):
                nodes = model.solved(observed).system.nodes
        except (QismcError, Undecided):
            return None
        return len(program.code) - len({p for node in nodes for p in range(node.start, node.end)})

    def is_for_stabilisers(self, program: Program) -> bool:
        """Do stabiliser groups tell whether all formulas hold?"""
        try:
            return self._on_stabilisers(self.model(program), self.trees.values()) is not None
        except (QismcError, Undecided):
            return False
