"""Verdicts on formulas whose questions are answered together: what levels and stabilisers share.

A formula is a combination of claims, a claim asks questions about program points. Who answers them decides
claims one by one; the formula, its evidence and its warnings follow from that here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field, replace

from qismc.deciders.attempts import unknown
from qismc.deciders.bounds import Chance, answered
from qismc.deciders.following import Shown
from qismc.deciders.vacuity import Goal, Premise, Suspect, at_once, never, suspects
from qismc.errors import NumbersDisagree, Undecided
from qismc.evidence import Execution
from qismc.language import Property, bounded_path, syntax, to_text
from qismc.model import Model
from qismc.probability import Likelihood, Undecidable
from qismc.questions import (
    AtStart,
    Claim,
    Combination,
    Likely,
    Names,
    Never,
    Question,
    asked_by,
    is_classical,
    is_existential,
    truth,
)
from qismc.results import FormulaResult
from qismc.symbolic import at_start
from qismc.verdict import Verdict


@dataclass
class Wanted:
    """A formula with its questions; `numbers[k]` are those of its k-th claim."""

    property: Property
    combination: Combination
    numbers: list[range] = field(default_factory=list)
    suspects: list[tuple[Suspect, int | None]] = field(default_factory=list)
    """Why it may say nothing, with the number of the question that tells."""


class ClaimJudge(ABC):
    """Decides formulas by their claims."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._wanted: dict[str, Wanted] = {}
        self._questions: list[Question] = []
        self._observed = 0
        """The mask of the classical bits that questions read."""

    # --- what is asked -----------------------------------------------------------------------------------

    def _note(self, wanted: Property, combination: Combination) -> Wanted:
        """Keep a formula with the numbers of its questions."""
        entry = Wanted(wanted, combination)
        for claim in combination.claims:
            first = len(self._questions)
            self._questions += self._questions_of(claim)
            entry.numbers.append(range(first, len(self._questions)))
        entry.suspects += suspected(wanted.formula, self._model.scope.props, self._questions)
        self._wanted[wanted.name] = entry
        self._observed |= self._model.names.observed(wanted.formula)
        return entry

    def _questions_of(self, claim: Claim) -> Sequence[Question]:
        return asked_by(claim)

    # --- how it is answered ------------------------------------------------------------------------------

    @abstractmethod
    def _is_refuted(self, question: int) -> bool:
        """Is a question answered by no?"""

    @abstractmethod
    def _may_be_true(self, question: int | None) -> bool:
        """May a premise be true somewhere?"""

    @abstractmethod
    def _chance(self, entry: Wanted, number: int, claim: Likely) -> Chance:
        """How likely the path of a claim is."""

    @abstractmethod
    def _evidence(self, entry: Wanted, claims: Sequence[bool], holds: bool) -> Shown | None:
        """An execution for the first claim on which the verdict rests and that one can show."""

    def _at_start(self, condition: syntax.Formula) -> bool:
        return at_start(condition, self._model.names)

    def _held(self, wanted: Property) -> None:  # noqa: B027 - most need not know
        """Called for every formula that holds."""

    # --- verdicts ----------------------------------------------------------------------------------------

    def decide(self, wanted: Property) -> FormulaResult:
        """The verdict on a formula whose questions were answered, with its evidence.

        Raises NumbersDisagree if floating point must decide.
        """
        entry = self._wanted[wanted.name]
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
            self._held(wanted)
            warnings = warned(entry, self._model.names, self._may_be_true)
            return found.but(witness=evidence, truths=answered(wanted.formula), warnings=warnings)
        missing = Execution("none", claim=f"no execution satisfies {to_text(wanted.formula)}")
        return found.but(counterexample=evidence or missing)

    def is_true(self, name: str) -> bool:
        """The bare truth of a formula whose questions were answered."""
        entry = self._wanted[name]
        return truth(entry.combination.formula, self._claims(entry))

    def _claims(self, entry: Wanted) -> list[bool]:
        return [self._claim(entry, k) for k in range(len(entry.combination.claims))]

    def _claim(self, entry: Wanted, number: int) -> bool:
        claim = entry.combination.claims[number]
        if isinstance(claim, AtStart):
            return self._at_start(claim.condition)
        if isinstance(claim, Likely):
            return self._chance(entry, number, claim).meets(claim.formula.bound)
        refuted = self._refuted(entry, number) is not None
        return refuted if is_existential(claim) else not refuted

    def _refuted(self, entry: Wanted, number: int) -> int | None:
        """The first question of a claim that is answered by no."""
        return next((question for question in entry.numbers[number] if self._is_refuted(question)), None)

    def _likelihood(self, entry: Wanted) -> Likelihood | None:
        """The probability that a formula asks for or bounds, if it speaks of one path."""
        if bounded_path(entry.property.formula) is None:
            return None
        numbered = enumerate(entry.combination.claims)
        chances = [self._chance(entry, k, claim) for k, claim in numbered if isinstance(claim, Likely)]
        return chances[0].likelihood if chances else None


def suspected(
    formula: syntax.Formula, props: Container[str], asked: list[Question]
) -> Iterator[tuple[Suspect, int | None]]:
    """Parts of a formula that may say nothing; premises become questions of their own."""
    for suspect in suspects(formula):
        match suspect:
            case Premise(premise) if is_classical(premise, props):
                asked.append(Never(premise))
                yield suspect, len(asked) - 1
            case Goal(goal) if is_classical(goal, props):
                yield suspect, None


def warned(entry: Wanted, names: Names, is_true: Callable[[int | None], bool]) -> tuple[str, ...]:
    """Premises that are never true, goals that are true at the start; `is_true` knows of premises."""
    found: dict[str, None] = {}
    for suspect, question in entry.suspects:
        match suspect:
            case Goal(goal) if at_start(goal, names):
                found[at_once(suspect)] = None
            case Premise() if not is_true(question):
                found[never(suspect, "at no location that an execution reaches")] = None
    return tuple(found)
