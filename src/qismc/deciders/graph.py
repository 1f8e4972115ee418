"""Decides formulas on the graph of locations: labels, CTL, evidence, and a second look."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from qismc.certify import WEAK_BOUND, Soundness, assured, certificate, soundness
from qismc.common.choices import Ctl
from qismc.ctl import Evaluation, Graph, Labels, Mask, Truth, check_with_nusmv, of_executions, to_smv, truths
from qismc.deciders.attempts import Account, Attempt, How, Outcome, unknown
from qismc.deciders.certified import write_checked
from qismc.deciders.confirmation import Confirmation, for_all_angles, worded
from qismc.deciders.vacuity import Vacuity
from qismc.engines import Exact
from qismc.errors import (
    ANGLES_AS_WRITTEN,
    TOO_SMALL,
    LimitReached,
    NumbersDisagree,
    NumericDoubt,
    Undecided,
    UnluckyDraw,
    UsageError,
)
from qismc.evidence import (
    Execution,
    Explainer,
    Explanation,
    Hinter,
    Later,
    Refiner,
    invariant,
    is_local,
    is_sure,
    is_timeless,
    not_shown,
    timed_probabilities,
)
from qismc.fixpoint import Solved
from qismc.language import (
    Formula,
    Probability,
    Property,
    Threshold,
    bounded_path,
    bounds_of,
    is_true,
    parse_formula,
    to_text,
)
from qismc.limits import StoreGrows, Trial
from qismc.model import Model
from qismc.probability import Chances, Likelihood, Undecidable
from qismc.propositions import seed_of
from qismc.questions import has_probability, is_robust
from qismc.results import FormulaResult
from qismc.verdict import Verdict

NUSMV_SECONDS = 600.0
BEGUN = 2
"""So many times are on the clock of an account before anything was solved."""
PROBABILITIES_APART = "the error bound does not cover probabilities: how exact they are stands beside them"

NOT_CERTIFIED = "not certified: probabilities were computed in floating point"


class EnginesDisagree(Undecided):
    """Two CTL engines gave different answers: a defect of one of them."""

    kind = "ctl"


class Judge:
    """Everything that is decided about a solved model."""

    def __init__(self, model: Model, solved: Solved) -> None:
        self._model = model
        self._solved = solved
        replay = model.simulation.replay(solved)
        self._chances = Chances(solved, model.budget, self._truth, zero=model.zero)
        self._labels = Labels(solved, model.names, replay, self._chances)
        self._graph = Graph(*solved.system.successor_arrays)
        self._evaluation = Evaluation(self._graph, self._labels, self._labels.cost, self._labels.together)
        hinter = Hinter(model.names, self._labels, replay)
        self._confirmation = Confirmation(model, solved, truth_in)
        self._explainer = Explainer(
            solved,
            self._evaluation,
            hinter,
            self._chances,
            self._start_truth,
            self._restart,
            Later(lambda: model.simulation.perturbed().engine),
        )
        self._decided: dict[Formula, bool] = {}
        self._on_primes = False
        """Does a verdict rest on the luck of primes?"""
        self._refined: set[Formula] = set()
        self._refiner = Refiner(solved, self._labels, self._chances)
        again = Evaluation(
            self._graph, self._labels, self._labels.cost
        )  # what a verdict asked for stays apart
        self._vacuity = Vacuity(solved.system, model.names, again.truth)

    def _truth(self, formula: Formula) -> Mask:
        """Where a formula holds, for the probabilities of paths that speak of it."""
        return self._evaluation.truth(formula)

    def _restart(self) -> None:
        """Start the clocks anew, for those who look at evidence after the check."""
        self._model.budget.restart()
        self._model.simulation.budget.restart()

    def decide_all(self, wanted: Iterable[Property], ctl: Ctl, results: dict[str, FormulaResult]) -> None:
        """Add the verdicts, one after the other; raises NumbersDisagree if floating point must decide."""
        for one in wanted:
            results[one.name] = self.decide(one, ctl)

    def decide(self, wanted: Property, ctl: Ctl = "builtin") -> FormulaResult:
        """The verdict on a formula at the start, with its evidence."""
        formula = wanted.formula
        self._model.simulation.budget.restart()
        try:
            graph_says = self._holds(formula, ctl)
            holds, shown = self._settled(formula, graph_says)
            replayed = None if isinstance(shown, Later) else shown
            self._confirmation(wanted.name, formula, graph_says, replayed)
            self._decided[formula] = holds
            self._on_primes |= not self._is_replayed(formula, holds, replayed)
            probability = self._probability(formula)
        except Undecidable as doubt:
            return replace(unknown(wanted, doubt), probability=doubt.found)
        except Undecided as doubt:
            if isinstance(doubt, NumbersDisagree) and self._model.may_settle:
                raise
            return unknown(wanted, worded(doubt, self._model.program))
        return FormulaResult(
            wanted.name,
            wanted.text,
            Verdict.HOLDS if holds else Verdict.VIOLATED,
            counterexample=None if holds else shown,
            witness=shown if holds else None,
            truths=self._truths(formula, holds),
            probability=probability,
            warnings=self._vacuity.warnings(formula) if holds else (),
        )

    def _is_replayed(self, formula: Formula, holds: bool, shown: Execution | None) -> bool:
        """Do the numbers of one execution show the verdict: a state that is possible, and clearly outside?

        `!p` fails because states are inside, which rounding cannot tell, and wp is not replayed.
        """
        if holds or shown is None or not shown.replayed or self._model.annotated:
            return False
        return invariant(formula) is not None and is_robust(formula, self._model.scope.props)

    def _truths(self, formula: Formula, holds: bool) -> dict[Formula, Truth]:
        """What is known of the formula and its parts: by the graph, unless executions decided otherwise."""
        found = truths(self._evaluation, formula)
        if formula not in self._refined:
            return found
        return of_executions(found, formula, self._graph.initial, holds)

    def _settled(self, formula: Formula, holds: bool) -> tuple[bool, Execution | Later[Execution] | None]:
        """The graph's verdict if it is right for executions, else theirs; with what shows it."""
        shown, sure = self._explained(formula, holds, at_once=self._is_weak)
        as_graph = self._evaluation.holds(formula) == holds  # else the start is no location like others
        timed = timed_probabilities(formula)
        if self._model.paths == "all" or (not timed and (sure or not as_graph)):
            return holds, shown
        if timed and is_local(formula) and all(map(self._refiner.knows_labels, timed)):
            return holds, shown
        if timed and bounds_of(formula) and self._chances.returns:
            raise self._refiner.open(formula, holds)
        refined = self._refiner.decide(formula, holds)
        self._refined.add(formula)
        return refined.holds, self._explainer.refined(formula, refined)

    def _probability(self, formula: Formula) -> Likelihood | None:
        """The probability that a formula asks for or bounds, if it speaks of one path from the start."""
        asked = bounded_path(formula)
        try:
            if asked is None or not (is_timeless(asked) or self._is_known(asked)):
                return None
            return self._chances.answer(asked)
        except Undecided:
            if asked is not None and asked.bound == "=?":
                raise
            return None  # 0 and 1 are decided without numbers

    def _is_known(self, asked: Probability) -> bool:
        """Are the labels of the graph on a path those of executions?"""
        return self._model.paths == "all" or self._refiner.knows_labels(asked)

    def refutation(self, formula: Formula) -> Execution | None:
        """Why a formula fails at the start, without confirming it by other means; None if it holds."""
        self._model.simulation.budget.restart()
        if self._holds(formula, "builtin"):
            return None
        shown, _ = self._explained(formula, False, at_once=True)
        assert not isinstance(shown, Later)
        return shown

    def whole(self, formula: Formula, claim: str) -> Execution | None:
        """The one execution of a followed system, if the formula fails on it; None if it holds."""
        if self._holds(formula, "builtin"):
            return None
        self._model.simulation.budget.restart()
        return self._explainer.to_the_end(claim)

    def _holds(self, formula: Formula, ctl: Ctl) -> bool:
        """The truth at the start; NuSMV's answer is compared with our own, which the evidence rests on."""
        holds = self._start_truth(formula)
        if ctl == "nusmv":
            remaining = self._model.budget.remaining_seconds
            seconds = NUSMV_SECONDS if remaining is None else max(remaining, 0.1)
            theirs = check_with_nusmv(formula, self._graph, self._labels, seconds=seconds).holds
            if theirs != self._evaluation.holds(formula):
                raise EnginesDisagree(f"NuSMV says {theirs}, the built-in CTL engine says {holds}")
        return holds

    def _start_truth(self, formula: Formula) -> bool:
        """The truth at the start; thresholds that no temporal operator encloses speak of `init`."""
        if not bounds_of(formula) or not self._chances.returns:
            return self._evaluation.holds(formula)

        def atom(part: Formula) -> bool:
            if isinstance(part, Probability) and isinstance(part.bound, Threshold):
                return self._chances.from_start(part, part.bound)
            return self._evaluation.holds(part)

        return is_true(formula, atom)

    @property
    def _is_weak(self) -> bool:
        """Is what a replay shows worth more than the luck of primes?"""
        found = soundness(self._solved.engine)
        return found is not None and (found.error_bound is None or found.error_bound > WEAK_BOUND)

    def _explained(self, formula: Formula, holds: bool, *, at_once: bool) -> Explanation:
        """A verdict stands even where limits leave no room to explain it."""
        if self._labels.confirmed:  # else the same simulation was given up already
            self._model.simulation.budget.restart()
        try:
            return self._explainer.explanation(formula, holds, at_once=at_once)
        except NumbersDisagree:
            raise
        except Undecided as doubt:
            return Explanation(None if holds else not_shown(doubt), is_sure(formula, holds))

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know about how the verdicts came about."""
        notes = [for_all_angles(name) for name in self._confirmation.for_all_angles]
        if not self._labels.confirmed or self._confirmation.given_up:
            notes.append("angles were taken literally: a confirmation in floating point took too long")
        return tuple(notes)

    def assure(self, further: int, *, proof: bool) -> Soundness | None:
        """The error bound of what was decided so far; with further primes, or enough of them for a proof."""
        engine = self._solved.engine
        first = soundness(engine)
        if first is not None and self._chances.numeric:
            first = replace(first, note=PROBABILITIES_APART)
        if first is None or engine.exact is None:
            return first
        if self._chances.numeric and proof:
            return replace(first, note=NOT_CERTIFIED)
        replayed = bool(self._decided) and not self._on_primes
        seeds = further_seeds(self._model.seed)
        return assured(first, engine.exact, self._again, seeds, further, proof=proof, replayed=replayed)

    def _again(self, seed: int) -> Exact:
        """The engine of a run with other numbers that came to the same verdicts; raises UnluckyDraw."""
        sibling = self._model.sibling(seed)
        judge = Judge(sibling, sibling.solved(self._solved.observed))
        for formula, holds in self._decided.items():
            if judge._again_decided(formula, refined=formula in self._refined) != holds:
                reason = f"another prime says {not holds} about '{to_text(formula)}'"
                raise UnluckyDraw(reason, hint="run again with another --seed")
        assert sibling.engine.exact is not None
        return sibling.engine.exact

    def _again_decided(self, formula: Formula, *, refined: bool) -> bool:
        """The bare truth of a formula, by the means that decided it before."""
        holds = self._start_truth(formula)
        return self._refiner.decide(formula, holds).holds if refined else holds

    def certificate(self, results: Iterable[FormulaResult], assurance: Soundness | None) -> dict[str, Any]:
        """The verdicts with what another program needs to check them; raises UsageError."""
        for formula in self._refined:
            raise UsageError(
                f"certificates cover graphs, but the executions decide '{to_text(formula)}' by their states",
                hint="ask the graph with paths='all'",
            )
        return certificate(self._model, self._solved, self._labels.labelled(), results, assurance)

    def to_smv(self, formula: Formula) -> str:
        """The labelled graph and the formula as a NuSMV model."""
        system = self._solved.system
        return to_smv(formula, self._graph, self._labels, lambda k: system.location(k).text)


class GraphDecider:
    """Solves the model and judges formulas about it; where numbers disagree, once more in floating point."""

    def __init__(self, observed: int, how: How) -> None:
        self._observed = observed
        self._how = how

    def can(self, _: Property) -> str | None:
        """It decides everything, if there is time."""
        return None

    def decide(
        self,
        wanted: Sequence[Property],
        attempt: Attempt,
        account: Account,
        _: Callable[[], bool] | None = None,
    ) -> Outcome:
        """Add verdicts to the account; raises Undecided for what no other decider can change."""
        how = self._how
        try:
            judge = self._agreeing(wanted, account, attempt.bound)
            account.notes += judge.notes
            account.assured(judge.assure(how.recheck, proof=how.certify))
        except StoreGrows as grown:
            return Outcome(grew=grown.reason)
        except LimitReached as limit:
            return Outcome(limit=limit)
        if how.certificate is not None:
            found = judge.certificate(account.results.values(), account.assurance)
            write_checked(how.certificate, found, account.model.given_program)
        return Outcome()

    def _agreeing(self, wanted: Sequence[Property], account: Account, bound: Trial | None) -> Judge:
        """The judge whose verdicts agree with numbers: where those disagree, that of floating point."""
        try:
            return self._judged(wanted, account, bound)
        except NumbersDisagree:
            if not account.model.may_settle:
                raise
        unseen = self._unseen(wanted, account)
        rest = [one for one in wanted if one.name not in unseen]
        for one in wanted:
            account.results.pop(one.name, None)
        if unseen:
            judge = self._agreeing(rest, account, None)
        else:
            account.model = account.model.on_floats
            judge = self._judged(rest, account, None)
        account.results |= unseen
        return judge

    def _unseen(self, wanted: Sequence[Property], account: Account) -> dict[str, FormulaResult]:
        """Formulas about which floating point must not decide: it would be wrong for other angles, too."""
        moved, solved = account.model.in_general_position(), account.solved
        if moved is None or solved is None:
            return {}
        judge, found = Judge(moved, solved), dict[str, FormulaResult]()
        for one in wanted:
            likely = has_probability(one.formula)  # then states are all that is compared
            if not moved.simulation.sees(solved) if likely else _is_in_doubt(judge.decide(one)):
                found[one.name] = unknown(one, NumericDoubt(TOO_SMALL, hint=ANGLES_AS_WRITTEN))
        return found

    def _judged(self, wanted: Sequence[Property], account: Account, bound: Trial | None) -> Judge:
        """The judge that added the verdicts; raises NumbersDisagree if floating point must decide."""
        model = account.model
        with model.budget.trying(bound):
            account.solved = model.solved(self._observed)
        if len(account.clock) == BEGUN:
            account.tick()
        judge = Judge(model, account.solved)
        judge.decide_all(wanted, self._how.ctl, account.results)
        return judge


def _is_in_doubt(result: FormulaResult) -> bool:
    """Was a verdict for generic angles not confirmed by numbers?"""
    return result.verdict is Verdict.UNKNOWN and (result.reason or "").startswith(NumericDoubt.kind)


def truth_in(model: Model, observed: int) -> Callable[[Formula], bool]:
    """The bare truth of formulas about a model."""
    return Judge(model, model.solved(observed))._start_truth


def nusmv_model(model: Model, text: str) -> str:
    """A NuSMV model whose specification holds iff the formula does."""
    formula = parse_formula(text)
    model.names.check(formula)
    model = model.asking([formula])
    return Judge(model, model.solved(model.observed([formula]))).to_smv(formula)


def further_seeds(seed: int) -> Iterator[int]:
    """Seeds for further primes."""
    return (seed_of("further", str(seed), str(k)) for k in count())
