"""Which way to keep the classical store: explicit locations, or levels that carry all stores at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike

from qismc.certify import Soundness
from qismc.common.choices import Ctl
from qismc.common.lazily import cached_property
from qismc.deciders.certified import write_checked
from qismc.deciders.control import ControlGraph, is_worth_it, on_control
from qismc.deciders.graph import Judge, unknown
from qismc.deciders.levels import LevelJudge
from qismc.deciders.stabilisers import NAME, SIMULATED_QUBITS, StabiliserJudge
from qismc.errors import ANGLES_AS_WRITTEN, TOO_SMALL, LimitReached, NumbersDisagree, NumericDoubt
from qismc.fixpoint import Solved
from qismc.language import Property, bounds_of
from qismc.limits import NUMERIC_TRIAL, StoreGrows, Trial
from qismc.model import Model
from qismc.program import Channel, Havoc, Initialize, Measure, Reset
from qismc.questions import has_probability
from qismc.results import FormulaResult, LevelSizes
from qismc.stabiliser import NotStabiliser, is_clifford
from qismc.symbolic import NotOnLevels
from qismc.system import crossed
from qismc.verdict import Verdict


@dataclass(frozen=True)
class How:
    """Options of a check that do not belong to the model."""

    ctl: Ctl = "builtin"
    recheck: int = 0
    certify: bool = False
    certificate: str | PathLike[str] | None = None


@dataclass
class Decided:
    """What is known so far; a check that is stopped reports it."""

    clock: list[float]
    results: dict[str, FormulaResult] = field(default_factory=dict)
    solved: Solved | None = None
    levels: LevelSizes | None = None
    assurance: Soundness | None = None
    notes: tuple[str, ...] = ()

    def tick(self) -> None:
        self.clock.append(time.perf_counter())

    def assured(self, further: Soundness | None) -> None:
        """Add what is known about further decisions: chances of errors add up."""
        first = self.assurance
        if first is None or further is None:
            self.assurance = first or further
            return
        bounds = (first.error_bound, further.error_bound)
        total = None if None in bounds else sum(b for b in bounds if b is not None)
        notes = dict.fromkeys(note for note in (first.note, further.note) if note)
        certified = first.certified and further.certified
        primes = tuple(dict.fromkeys((*first.primes, *further.primes)))
        self.assurance = Soundness(primes, total, certified, "; ".join(notes) or None)


class BothGaveUp(LimitReached):
    """Neither store decides."""


class DecidedMeanwhile(Exception):  # noqa: N818 - an answer
    """The explicit store was done before levels were."""


NOTHING_RANDOM = Soundness((), 0.0, certified=True)
"""Of verdicts for which no numbers were needed."""
FURTHER_TRIALS = (Trial(8_000, 128), Trial(64_000, 256), Trial(512_000, 1024))
"""How far the explicit store goes between rounds of levels, while these do not get through."""


class Deciding:
    """Decides formulas about a model with the store that its options, its size and the formulas allow."""

    def __init__(self, model: Model, properties: Sequence[Property], observed: int, how: How) -> None:
        self._model = model
        self._wanted = self._properties = properties
        self._observed = observed
        self._how = how
        self._why: dict[str, str] = {}
        """Why formulas cannot be asked on levels."""
        self._tried = False
        """Were stabilisers asked already?"""

    def run(self, decided: Decided) -> None:
        """Fill in the verdicts; raises Undecided for those that are missing then."""
        self._without_states(decided)
        if not self._properties:
            return
        if self._prefers_stabilisers():
            self._stabilisers(decided)
            self._properties = [p for p in self._properties if p.name not in decided.results]
            if not self._properties:
                return
        judge = self._level_judge if self._model.store == "levels" else None
        if judge is not None:
            self._levels(judge, decided)
            return
        try:
            self._whichever(decided)
        except LimitReached as limit:
            raise limit if self._level_judge is not None else self._naming_both(limit) from None
        self._say_why(decided)

    # --- the control graph -------------------------------------------------------------------------------

    def _control(self, wanted: Property) -> ControlGraph | None:
        """The graph without states; None where it may not decide: NuSMV and certificates need states."""
        may_decide = self._how.ctl == "builtin" and self._how.certificate is None
        return on_control(self._model, wanted) if may_decide else None

    def _without_states(self, decided: Decided) -> None:
        """Decide what holds whatever the states are, where states may be dear."""
        if not is_worth_it(self._model):
            return
        for wanted in self._properties:
            graph = self._control(wanted)
            found = graph.result() if graph is not None and graph.holds and graph.knows_premises else None
            if graph is not None and found is not None:
                decided.results[wanted.name], decided.levels = found, graph.sizes
        self._properties = [p for p in self._properties if p.name not in decided.results]
        if self._properties:
            decided.levels = None
        else:
            decided.assurance = NOTHING_RANDOM

    def at_last(self, decided: Decided) -> None:
        """Decide what is still open and needs no states after all."""
        still = [p for p in self._wanted if decided.results[p.name].verdict is Verdict.UNKNOWN]
        for wanted in still:
            graph = self._control(wanted)
            found = None if graph is None else graph.result()
            if graph is None or found is None:
                continue
            decided.results[wanted.name] = found
            if len(still) == len(self._wanted) == 1:
                decided.solved, decided.levels = None, graph.sizes
                decided.assurance = NOTHING_RANDOM

    def _whichever(self, decided: Decided) -> None:
        """Explicit while that stays small; after that stabilisers or levels; if these give up, explicit.

        What else there is is found out when it is needed: few checks come so far.
        """
        likely = any(bounds_of(wanted.formula) for wanted in self._properties)
        try:
            trial = replace(NUMERIC_TRIAL if likely else Trial(), elsewhere=self._goes_elsewhere)
            self._explicit(self._properties, decided, trial)
        except StoreGrows:
            self._stabilisers(decided)
            rest = [wanted for wanted in self._properties if wanted.name not in decided.results]
            if rest and self._level_judge is None:
                self._explicit(rest, decided)
            elif rest and self._level_judge is not None:
                self._levels_at_first(self._level_judge, decided)

    def _levels_at_first(self, judge: LevelJudge, decided: Decided) -> None:
        """Levels, and in between the explicit store a little further; where levels give up, to its end."""
        try:
            self._levels(judge, decided, self._meanwhile(decided))
        except DecidedMeanwhile:
            return
        except (StoreGrows, BothGaveUp):
            raise
        except LimitReached as first:
            self._to_the_end(first, decided)

    def _meanwhile(self, decided: Decided) -> Callable[[], None]:
        """Tries the explicit store once more, each time further, and no longer than levels took until then.

        Raises DecidedMeanwhile where it gets through.
        """
        budget, trials = self._model.budget, iter(FURTHER_TRIALS)
        start, used = budget.elapsed, 0.0

        def once_more() -> None:
            nonlocal used
            now, trial = budget.elapsed, next(trials, None)
            rest = [p for p in self._properties if p.name not in decided.results]
            if trial is None or any(has_probability(wanted.formula) for wanted in rest):
                return  # trials end with the fixed point, and what is likely takes longer than that
            try:
                self._explicit(rest, decided, replace(trial, seconds=now - start - used))
            except (LimitReached, NumbersDisagree):
                used += budget.elapsed - now
            else:
                raise DecidedMeanwhile

        return once_more

    def _goes_elsewhere(self) -> bool:
        """Can stabilisers or levels go on where the explicit store grows?"""
        model = self._model
        if self._level_judge is not None:
            return True
        return model.engines.name == "auto" and model.store == "auto" and is_clifford(model.program)

    def _to_the_end(self, first: LimitReached, decided: Decided) -> None:
        try:
            self._explicit([p for p in self._properties if p.name not in decided.results], decided)
        except LimitReached as second:
            reason = f"{second.reason}; with the store on levels: {first.reason}"
            raise LimitReached(reason, hint=second.hint) from None

    # --- stabilisers -------------------------------------------------------------------------------------

    def _prefers_stabilisers(self) -> bool:
        """Is it asked for, or are there so many qubits that vectors may become large?"""
        model = self._model
        large = model.program.num_qubits > SIMULATED_QUBITS and model.store == "auto"
        return model.engines.name == NAME or (model.engines.name == "auto" and large)

    def _stabilisers(self, decided: Decided) -> None:
        """Decide on stabiliser groups what can be; whoever asked for them is told why the rest cannot."""
        named = self._model.engines.name == NAME
        if self._tried or (not named and self._model.engines.name != "auto"):
            return
        self._tried = True
        reasons = decide_on_stabilisers(self._model, self._properties, self._how, decided)
        if named:
            decided.notes += tuple(f"decided without stabiliser groups: {reason}" for reason in reasons)

    # --- levels ------------------------------------------------------------------------------------------

    @cached_property
    def _level_judge(self) -> LevelJudge | None:
        """A judge for the formulas that can be asked on levels; None if there are none or nothing to gain."""
        if self._model.store == "explicit" or self._how.certificate is not None:
            return None
        forgets = Measure | Reset | Initialize | Channel | Havoc
        statements = crossed(self._model.program)
        if self._model.store == "auto" and not any(isinstance(s, forgets) for s in statements):
            return None
        names = [p.name for p in self._properties]
        if self._how.ctl != "builtin":
            self._why = dict.fromkeys(names, "NuSMV needs the graph of all locations")
            return None
        try:
            judge = LevelJudge(self._model)
        except NotOnLevels as reason:
            self._why = dict.fromkeys(names, str(reason))
            return None
        for wanted in self._properties:
            try:
                judge.take(wanted)
            except NotOnLevels as reason:
                self._why[wanted.name] = str(reason)
        return judge if len(self._why) < len(names) else None

    def _levels(
        self, judge: LevelJudge, decided: Decided, meanwhile: Callable[[], None] = lambda: None
    ) -> None:
        """Decide on levels what can be, then the rest explicitly."""
        try:
            judge.answer(meanwhile)
        except NotOnLevels as reason:
            self._why = dict.fromkeys((p.name for p in self._properties), str(reason))
            self._explicit(self._properties, decided)
            self._say_why(decided)
            return
        decided.tick()
        doubts: dict[str, NumbersDisagree] = {}
        for wanted in self._properties:
            if wanted.name not in self._why and wanted.name not in decided.results:
                try:
                    decided.results[wanted.name] = judge.decide(wanted)
                except NumbersDisagree as doubt:
                    doubts[wanted.name] = doubt
                    self._why[wanted.name] = doubt.reason
        decided.levels = judge.sizes
        decided.notes += judge.notes
        decided.assured(judge.assure(self._how.recheck, proof=self._how.certify))
        known = decided.results.keys()
        rest = [p for p in self._properties if p.name in self._why and p.name not in known]
        if rest:
            self._rest(rest, doubts, decided)

    def _rest(
        self, rest: Sequence[Property], doubts: Mapping[str, NumbersDisagree], decided: Decided
    ) -> None:
        """Decide explicitly what levels cannot; where that fails, numbers that disagree are a doubt."""
        try:
            self._explicit(rest, decided)
        except LimitReached as limit:
            for wanted in rest:
                if wanted.name in doubts and wanted.name not in decided.results:
                    decided.results[wanted.name] = unknown(wanted, doubts[wanted.name])
            if any(wanted.name not in decided.results for wanted in rest):
                raise self._naming_both(limit) from None
        else:
            self._say_why(decided)

    def _naming_both(self, limit: LimitReached) -> LimitReached:
        """A limit of the explicit store, with the reason why levels are no way out."""
        if isinstance(limit, StoreGrows) or self._model.store == "explicit" or not self._why:
            return limit
        why = "; ".join(dict.fromkeys(self._why.values()))
        return BothGaveUp(f"{limit.reason}; the store cannot go on levels: {why}", hint=limit.hint)

    def _say_why(self, decided: Decided) -> None:
        """Whoever asked for levels is told why some formulas were decided otherwise."""
        if self._model.store == "levels":
            reasons = dict.fromkeys(self._why.values())
            decided.notes += tuple(f"the store was kept explicitly: {reason}" for reason in reasons)

    # --- explicit ----------------------------------------------------------------------------------------

    def _explicit(self, wanted: Sequence[Property], decided: Decided, trial: Trial | None = None) -> None:
        how = self._how
        judge = self._agreeing(wanted, decided, trial)
        decided.notes += judge.notes
        decided.assured(judge.assure(how.recheck, proof=how.certify))
        if how.certificate is not None:
            found = judge.certificate(decided.results.values(), decided.assurance)
            write_checked(how.certificate, found, self._model.given_program)

    def _agreeing(self, wanted: Sequence[Property], decided: Decided, trial: Trial | None) -> Judge:
        """The judge whose verdicts agree with numbers: where those disagree, that of floating point."""
        try:
            return self._judged(wanted, decided, trial)
        except NumbersDisagree:
            if not self._model.may_settle:
                raise
        unseen = self._unseen(wanted, decided.solved)
        rest = [one for one in wanted if one.name not in unseen]
        for one in wanted:
            decided.results.pop(one.name, None)
        if unseen:
            judge = self._agreeing(rest, decided, None)
        else:
            self._model.settle_for_floats()
            judge = self._judged(rest, decided, None)
        decided.results |= unseen
        return judge

    def _unseen(self, wanted: Sequence[Property], solved: Solved | None) -> dict[str, FormulaResult]:
        """Formulas about which floating point must not decide: it would be wrong for other angles, too."""
        moved = self._model.in_general_position()
        if moved is None or solved is None:
            return {}
        confirmed, found = solved.confirmed, dict[str, FormulaResult]()
        judge = Judge(moved, solved)
        with self._model.trusting():
            for one in wanted:
                likely = has_probability(one.formula)  # then states are all that is compared
                if not moved.simulation.sees(solved) if likely else _is_in_doubt(judge.decide(one)):
                    found[one.name] = unknown(one, NumericDoubt(TOO_SMALL, hint=ANGLES_AS_WRITTEN))
        solved.confirmed = confirmed
        return found

    def _judged(self, wanted: Sequence[Property], decided: Decided, trial: Trial | None) -> Judge:
        """The judge that added the verdicts; raises NumbersDisagree if floating point must decide."""
        with self._model.budget.trying(trial):
            decided.solved = self._model.solved(self._observed)
        if len(decided.clock) == 2:
            decided.tick()
        judge = Judge(self._model, decided.solved)
        judge.decide_all(wanted, self._how.ctl, decided.results)
        return judge


def _is_in_doubt(result: FormulaResult) -> bool:
    """Was a verdict for generic angles not confirmed by numbers?"""
    return result.verdict is Verdict.UNKNOWN and (result.reason or "").startswith(NumericDoubt.kind)


def decide_on_stabilisers(
    model: Model, properties: Sequence[Property], how: How, decided: Decided
) -> tuple[str, ...]:
    """Fill in the verdicts that stabiliser groups give; the reasons why they do not give others."""
    if how.ctl != "builtin" or how.certificate is not None:
        return ("NuSMV and certificates need the graph of all locations",)
    reasons: dict[str, None] = {}
    results: dict[str, FormulaResult] = {}
    try:
        judge = StabiliserJudge(model)
        taken = [wanted for wanted in properties if _taken(judge, wanted, reasons)]
        if not taken:
            return tuple(reasons)
        judge.answer()
    except NotStabiliser as reason:
        return (*reasons, str(reason))
    decided.tick()
    for wanted in taken:
        try:
            results[wanted.name] = judge.decide(wanted)
        except NotStabiliser as reason:
            reasons[str(reason)] = None
    if results:
        decided.results |= results
        decided.levels = judge.sizes
        decided.assured(judge.assurance())
    return tuple(reasons)


def _taken(judge: StabiliserJudge, wanted: Property, reasons: dict[str, None]) -> bool:
    try:
        judge.take(wanted)
    except NotStabiliser as reason:
        reasons[str(reason)] = None
        return False
    return True


def true_on_stabilisers(model: Model, properties: Sequence[Property]) -> bool | None:
    """Are all formulas true? By stabiliser groups, without evidence; None where they cannot tell.

    They are asked where the options leave the choice and every gate is Clifford: then nothing is quicker.
    One formula that is false is enough for a no.
    """
    free = model.engines.name == "auto" and model.store == "auto"
    if not (free and is_clifford(model.program)) and model.engines.name != NAME:
        return None
    try:
        judge = StabiliserJudge(model)
        taken = [wanted for wanted in properties if _taken(judge, wanted, {})]
        if not taken:
            return None
        judge.answer()
        holds = all(judge.is_true(wanted.name) for wanted in taken)
        return None if holds and len(taken) < len(properties) else holds
    except NotStabiliser:
        return None
