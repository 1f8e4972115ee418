"""Which decider is asked, in which order, and how far each may go.

The strategy is a list of attempts (`plan`). The runner makes them one after the other while formulas are
open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from qismc.common.lazily import cached_method, cached_property
from qismc.deciders.attempts import (
    CONTROL,
    GRAPH,
    LEVELS,
    NOTHING_RANDOM,
    STABILISERS,
    Account,
    Attempt,
    Decider,
    How,
    Outcome,
    unknown,
)
from qismc.deciders.control import ControlDecider, is_worth_it
from qismc.deciders.graph import GraphDecider
from qismc.deciders.levels import LevelDecider
from qismc.deciders.stabilisers import NAME, SIMULATED_QUBITS, StabiliserDecider
from qismc.errors import LimitReached, NumbersDisagree
from qismc.language import Property, bounds_of
from qismc.limits import NUMERIC_TRIAL, Trial
from qismc.model import Model
from qismc.program import Channel, Havoc, Initialize, Measure, Reset
from qismc.questions import has_probability
from qismc.stabiliser import is_clifford
from qismc.system import crossed
from qismc.verdict import Verdict

FURTHER_TRIALS = (Trial(8_000, 128), Trial(64_000, 256), Trial(512_000, 1024))
"""How far the graph goes between rounds of levels (benchmark `measured`)."""


class Strategy:
    """The attempts to decide some formulas about a model."""

    def __init__(self, account: Account, properties: Sequence[Property], observed: int, how: How) -> None:
        self._account = account
        self._properties = properties
        self._how = how
        self._control = ControlDecider(account.model, how)
        self._graph = GraphDecider(observed, how)
        self._wanted: Sequence[Property] = properties
        """Those that are open when an attempt begins."""
        self._why: dict[str, str] = {}
        """Why formulas cannot be decided on levels."""

    @property
    def _model(self) -> Model:
        return self._account.model

    @cached_method
    def _levels(self, model: Model) -> LevelDecider:
        """Made when it is needed: few checks come so far."""
        return LevelDecider(model, self._how)

    @cached_method
    def _stabilisers(self, model: Model) -> StabiliserDecider:
        return StabiliserDecider(model, self._how)

    # --- the plan ----------------------------------------------------------------------------------------

    @cached_property
    def plan(self) -> list[Attempt]:
        """What is tried while formulas are open."""
        likely = any(bounds_of(wanted.formula) for wanted in self._properties)
        trial = replace(NUMERIC_TRIAL if likely else Trial(), elsewhere=self._goes_elsewhere)
        attempts = [Attempt(CONTROL)] if is_worth_it(self._model) else []
        early, late = self._prefers_stabilisers(), self._model.engines.name == "auto"
        if early:
            attempts.append(Attempt(STABILISERS))
        if self._model.store == "levels":
            return [*attempts, Attempt(LEVELS), Attempt(GRAPH)]
        attempts.append(Attempt(GRAPH, trial))
        if late and not early:
            attempts.append(Attempt(STABILISERS))
        return [*attempts, Attempt(LEVELS, rounds=FURTHER_TRIALS, last=False), Attempt(GRAPH)]

    def _prefers_stabilisers(self) -> bool:
        """Is it asked for, or are there so many qubits that vectors may become large?"""
        model = self._model
        large = model.program.num_qubits > SIMULATED_QUBITS and model.store == "auto"
        return self._named or (model.engines.name == "auto" and large)

    @property
    def _named(self) -> bool:
        """Did somebody ask for stabilisers?"""
        return self._model.engines.name == NAME

    def _goes_elsewhere(self) -> bool:
        """Can stabilisers or levels go on where the graph grows?"""
        model = self._model
        if self._takes:
            return True
        return model.engines.name == "auto" and model.store == "auto" and is_clifford(model.program)

    @property
    def _takes(self) -> bool:
        """Can some of the open formulas be decided on levels?"""
        if not self._may_use_levels:
            return False
        reasons = {one.name: self._levels(self._model).can(one) for one in self._wanted}
        self._why.update({name: why for name, why in reasons.items() if why is not None})
        return None in reasons.values()

    @cached_property
    def _may_use_levels(self) -> bool:
        """May levels be used, and is there something to gain? Something must forget what was before."""
        if self._model.store == "explicit" or self._how.certificate is not None:
            return False
        forgets = Measure | Reset | Initialize | Channel | Havoc
        statements = crossed(self._model.program)
        return self._model.store != "auto" or any(isinstance(s, forgets) for s in statements)

    # --- the runner --------------------------------------------------------------------------------------

    def run(self) -> LimitReached | None:
        """Fill in the verdicts; the limit because of which some are missing then.

        Raises Undecided for what no other attempt can change.
        """
        account, levels = self._account, None
        for attempt in self.plan:
            wanted = self._wanted = account.open(self._properties)
            if not wanted:
                return None
            if attempt.decider == LEVELS and not self._takes:
                continue
            decider = self._decider(attempt)
            outcome = decider.decide(wanted, attempt, account, self._between(attempt))
            account.note(attempt, self._numbers(attempt), wanted, outcome)
            if attempt.decider == STABILISERS and self._named:
                account.say("decided without stabiliser groups", outcome.reasons)
            if outcome.limit is not None and (attempt.last or not account.open(wanted)):
                return self._told(outcome.limit, attempt, levels)
            levels = outcome if attempt.decider == LEVELS else levels
        self._say_why(levels)
        return None

    def _decider(self, attempt: Attempt) -> Decider:
        match attempt.decider:
            case "control graph":
                return self._control
            case "levels":
                return self._levels(self._model)
            case "stabilisers":
                return self._stabilisers(self._model)
        return self._graph

    def _numbers(self, attempt: Attempt) -> str:
        if attempt.decider == CONTROL:
            return "no numbers"
        return self._model.engine.name if attempt.decider == GRAPH else "exact"

    def _between(self, attempt: Attempt) -> Callable[[], bool]:
        """Tries the graph once more, each time further, and no longer than levels took until then."""
        account = self._account
        budget, trials = self._model.budget, iter(attempt.rounds)
        start, used = budget.elapsed, 0.0

        def once_more() -> bool:
            nonlocal used
            now, trial = budget.elapsed, next(trials, None)
            rest = account.open(self._properties)
            if trial is None or any(has_probability(wanted.formula) for wanted in rest):
                return False  # trials end with the fixed point, and what is likely takes longer than that
            bound = replace(trial, seconds=now - start - used)
            try:
                outcome = self._graph.decide(rest, Attempt(GRAPH, bound), account)
            except NumbersDisagree:
                outcome = Outcome(grew="numbers disagree")
            decided = outcome.limit is None and outcome.grew is None
            if not decided:
                used += budget.elapsed - now
            return decided

        return once_more

    # --- what is said ------------------------------------------------------------------------------------

    def _told(self, limit: LimitReached, attempt: Attempt, levels: Outcome | None) -> LimitReached:
        """The limit with what came of levels; doubts about numbers stand where the graph gives up."""
        if attempt.decider in (LEVELS, STABILISERS) or self._model.store == "explicit":
            return limit
        if levels is None:
            return limit if self._takes else self._naming(limit, self._why)
        if levels.limit is not None:
            reason = f"{limit.reason}; with the store on levels: {levels.limit.reason}"
            return LimitReached(reason, hint=limit.hint)
        for wanted in self._account.open(self._properties):
            if wanted.name in levels.doubts:
                self._account.results[wanted.name] = unknown(wanted, levels.doubts[wanted.name])
        return self._naming(limit, {**self._why, **levels.reasons})

    def _naming(self, limit: LimitReached, why: Mapping[str, str]) -> LimitReached:
        """A limit of the graph, with the reason why levels are no way out."""
        if not why:
            return limit
        reasons = "; ".join(dict.fromkeys(why.values()))
        return LimitReached(f"{limit.reason}; the store cannot go on levels: {reasons}", hint=limit.hint)

    def _say_why(self, levels: Outcome | None) -> None:
        """Whoever asked for levels is told why some formulas were decided otherwise."""
        if self._model.store == "levels":
            reasons = {**self._why, **(levels.reasons if levels else {})}
            self._account.say("the store was kept explicitly", reasons)

    def at_last(self) -> None:
        """Decide what is still open and needs no states after all."""
        account, results = self._account, self._account.results
        still = [p for p in self._properties if results[p.name].verdict is Verdict.UNKNOWN]
        alone = len(still) == len(self._properties) == 1
        for wanted in still:
            sizes = self._control.decide_again(wanted, account)
            if sizes is not None:
                account.note(Attempt(CONTROL), "no numbers", [wanted], Outcome())
            if sizes is not None and alone:
                account.solved, account.levels, account.assurance = None, sizes, NOTHING_RANDOM
