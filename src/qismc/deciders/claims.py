"""Verdicts on formulas whose questions are answered together: what levels and stabilisers share.

A formula is a combination of claims, a claim asks questions about program points. Who answers them decides
claims one by one; the formula, its evidence and its warnings follow from that here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Protocol

from qismc.certify import Soundness
from qismc.deciders.attempts import Account, Attempt, How, Outcome, unknown
from qismc.deciders.bounds import Chance, answered
from qismc.deciders.following import Shown
from qismc.deciders.vacuity import Goal, Premise, Suspect, at_once, never, suspects
from qismc.errors import LimitReached, NumbersDisagree, Undecided
from qismc.evidence import Execution
from qismc.language import Property, bounded_path, to_text
from qismc.model import Model
from qismc.probability import Likelihood, Undecidable
from qismc.questions import (
    AtStart,
    Claim,
    Combination,
    Likely,
    Never,
    NoQuestions,
    Question,
    is_classical,
    is_existential,
    questions,
    responsible,
    truth,
)
from qismc.results import FormulaResult, LevelSizes
from qismc.symbolic import NotSymbolic, at_start
from qismc.verdict import Verdict


@dataclass
class Wanted:
    """A formula with its questions; `numbers[k]` are those of its k-th claim."""

    named: Property
    combination: Combination
    numbers: list[range] = field(default_factory=list)
    suspects: list[tuple[Suspect, int | None]] = field(default_factory=list)
    """Why it may say nothing, with the number of the question that tells."""

    @property
    def claims(self) -> tuple[Claim, ...]:
        return self.combination.claims


class Answered(Protocol):
    """The answers to all questions."""

    @property
    def decisive(self) -> Container[int]:
        """The numbers of the questions that are answered by no."""


class ClaimDecider(ABC):
    """Decides formulas by their claims, without paths of the graph."""

    paths: ClassVar[bool]
    """Can it be asked what happens on the way to the end?"""

    def __init__(self, model: Model, how: How) -> None:
        self._model = model
        self._how = how
        self._reasons: dict[str, str | None] = {}
        self._wanted: dict[str, Wanted] = {}
        self._questions: list[Question] = []
        self._observed = 0
        """The mask of the classical bits that questions read."""

    # --- what is asked -----------------------------------------------------------------------------------

    def can(self, wanted: Property) -> str | None:
        """Why it cannot decide a formula; the questions of others are noted."""
        if wanted.name not in self._reasons:
            self._reasons[wanted.name] = self._refusal(wanted)
        return self._reasons[wanted.name]

    def _refusal(self, wanted: Property) -> str | None:
        try:
            self._check_model()
            asked = questions(wanted.formula, self._model.scope.props, likely=True, paths=self.paths)
            self._check(wanted, asked.claims)
        except (NoQuestions, NotSymbolic) as reason:
            return str(reason)
        self._note(wanted, asked)
        return None

    @abstractmethod
    def _check_model(self) -> None:
        """Raise NotSymbolic if nothing can be decided about the model."""

    @abstractmethod
    def _check(self, wanted: Property, claims: Sequence[Claim]) -> None:
        """Raise NotSymbolic if a formula asks for more than can be answered."""

    def _note(self, wanted: Property, combination: Combination) -> None:
        """Keep a formula with the numbers of its questions."""
        entry = self._wanted[wanted.name] = Wanted(wanted, combination)
        for claim in combination.claims:
            first = len(self._questions)
            self._questions += self._asked_by(claim)
            entry.numbers.append(range(first, len(self._questions)))
        entry.suspects += self._suspected(wanted)
        self._observed |= self._model.names.observed(wanted.formula)

    def _asked_by(self, claim: Claim) -> Sequence[Question]:
        return claim.questions

    def _suspected(self, wanted: Property) -> Iterator[tuple[Suspect, int | None]]:
        """Parts of a formula that may say nothing; premises become questions of their own."""
        props = self._model.scope.props
        for suspect in suspects(wanted.formula):
            match suspect:
                case Premise(premise) if is_classical(premise, props):
                    self._questions.append(Never(premise))
                    yield suspect, len(self._questions) - 1
                case Goal(goal) if is_classical(goal, props):
                    yield suspect, None

    # --- how it is answered ------------------------------------------------------------------------------

    @abstractmethod
    def answer(self, between: Callable[[], bool] | None = None) -> bool:
        """Answer the questions of all formulas together; raises NotSymbolic.

        Where that takes long, `between` may be called now and then. False if it said that no answer is
        needed.
        """

    @property
    @abstractmethod
    def answers(self) -> Answered:
        """What was answered."""

    def _is_refuted(self, question: int) -> bool:
        """Is a question answered by no?"""
        return question in self.answers.decisive

    def _may_be_true(self, question: int) -> bool:
        """May a premise be true somewhere?"""
        return question in self.answers.decisive

    @abstractmethod
    def _chance(self, entry: Wanted, number: int, claim: Likely) -> Chance:
        """How likely the path of a claim is."""

    @abstractmethod
    def _shown(self, claim: Claim, question: int) -> Shown:
        """An execution that shows why a question of a claim is answered by no."""

    @property
    def _must_show_all(self) -> bool:
        """Must every claim on which a verdict rests be confirmed by an execution?"""
        return False

    @abstractmethod
    def _unlikely(self, entry: Wanted, number: int, claim: Likely) -> Shown | None:
        """An execution, or words, for a bound of a probability that is not met; None if it is."""

    @property
    @abstractmethod
    def sizes(self) -> LevelSizes:
        """How large the system became."""

    @abstractmethod
    def _assurance(self) -> Soundness | None:
        """How sure the answers are."""

    def _notes(self, _: Sequence[Property]) -> tuple[str, ...]:
        """What the user should know about formulas that hold."""
        return ()

    # --- verdicts ----------------------------------------------------------------------------------------

    def decide(
        self,
        wanted: Sequence[Property],
        _: Attempt,
        account: Account,
        between: Callable[[], bool] | None = None,
    ) -> Outcome:
        """Answer the questions of all formulas together, then decide them one by one."""
        refused = {one.name: self.can(one) for one in wanted}
        reasons = {name: reason for name, reason in refused.items() if reason is not None}
        taken = [one for one in wanted if one.name not in reasons]
        try:
            if not taken or not self.answer(between):
                return Outcome(reasons)
        except NotSymbolic as reason:
            return Outcome({**reasons, **dict.fromkeys((one.name for one in taken), str(reason))})
        except LimitReached as limit:
            return Outcome(reasons, limit=limit)
        account.tick()
        doubts = self._decided([one for one in taken if one.name not in account.results], account, reasons)
        if doubts or any(one.name in account.results for one in taken):
            account.levels = self.sizes
            account.assured(self._assurance())
        return Outcome({**reasons, **{name: doubt.reason for name, doubt in doubts.items()}}, doubts)

    def _decided(
        self, taken: Sequence[Property], account: Account, reasons: dict[str, str]
    ) -> dict[str, NumbersDisagree]:
        """Add verdicts to the account and reasons to the others; what floating point must decide."""
        held, doubts = list[Property](), dict[str, NumbersDisagree]()
        for one in taken:
            try:
                account.results[one.name] = self._result(self._wanted[one.name])
                held += [one] if account.results[one.name].verdict is Verdict.HOLDS else []
            except NotSymbolic as reason:
                reasons[one.name] = str(reason)
            except NumbersDisagree as doubt:
                doubts[one.name] = doubt
        account.notes += self._notes(held)
        return doubts

    def _result(self, entry: Wanted) -> FormulaResult:
        """The verdict on a formula, with its evidence.

        Raises NumbersDisagree if floating point must decide.
        """
        wanted = entry.named
        self._model.simulation.budget.restart()
        try:
            claims = self._claims(entry)
            holds = truth(entry.combination.formula, claims)
            evidence = self._evidence(entry, claims, holds)
            likelihood = self._likelihood(entry)
        except Undecidable as doubt:
            return replace(unknown(wanted, doubt), probability=doubt.found)
        except Undecided as doubt:
            if isinstance(doubt, NumbersDisagree) and self._model.may_settle:
                raise
            return unknown(wanted, doubt)
        verdict = Verdict.HOLDS if holds else Verdict.VIOLATED
        found = FormulaResult(wanted.name, wanted.text, verdict, probability=likelihood)
        if holds:
            warnings = tuple(dict.fromkeys(self._warnings(entry)))
            return found.but(witness=evidence, truths=answered(wanted.formula), warnings=warnings)
        missing = Execution("none", claim=f"no execution satisfies {to_text(wanted.formula)}")
        return found.but(counterexample=evidence or missing)

    def is_true(self, name: str) -> bool:
        """The bare truth of a formula whose questions were answered."""
        entry = self._wanted[name]
        return truth(entry.combination.formula, self._claims(entry))

    def _claims(self, entry: Wanted) -> list[bool]:
        return [self._claim(entry, k, claim) for k, claim in enumerate(entry.claims)]

    def _claim(self, entry: Wanted, number: int, claim: Claim) -> bool:
        if isinstance(claim, AtStart):
            return at_start(claim.formula, self._model.names)
        if isinstance(claim, Likely):
            return self._chance(entry, number, claim).meets(claim.formula.bound)
        refuted = self._refuted(entry, number) is not None
        return refuted if is_existential(claim) else not refuted

    def _refuted(self, entry: Wanted, number: int) -> int | None:
        """The first question of a claim that is answered by no."""
        return next((question for question in entry.numbers[number] if self._is_refuted(question)), None)

    def _evidence(self, entry: Wanted, claims: list[bool], holds: bool) -> Shown | None:
        """An execution for the first claim on which the verdict rests and that one can show."""
        shown: Shown | None = None
        for number in responsible(entry.combination.formula, claims, holds):
            claim = entry.claims[number]
            if isinstance(claim, Likely):
                shown = shown or self._unlikely(entry, number, claim)
                continue
            question = self._refuted(entry, number)
            if question is not None and (shown is None or self._must_show_all):
                execution = self._shown(claim, question)
                shown = shown or execution
        return shown

    def _likelihood(self, entry: Wanted) -> Likelihood | None:
        """The probability that a formula asks for or bounds, if it speaks of one path."""
        if bounded_path(entry.named.formula) is None:
            return None
        numbered = enumerate(entry.claims)
        chances = (self._chance(entry, k, claim) for k, claim in numbered if isinstance(claim, Likely))
        return next((chance.likelihood for chance in chances), None)

    def _warnings(self, entry: Wanted) -> Iterator[str]:
        """Premises that are never true, goals that are true at the start."""
        for suspect, question in entry.suspects:
            match suspect:
                case Goal(goal) if at_start(goal, self._model.names):
                    yield at_once(suspect)
                case Premise() if question is not None and not self._may_be_true(question):
                    yield never(suspect, "at no location that an execution reaches")
