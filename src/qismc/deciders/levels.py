"""Decides formulas with the classical store on levels, and shows why by ordinary executions."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field, replace

from qismc.certify import Soundness, assured, soundness
from qismc.deciders.bounds import Chance, answered
from qismc.deciders.confirmation import for_all_angles, holds_for_all_angles, is_steady
from qismc.deciders.following import OTHER_SEED, Following, Shown
from qismc.deciders.graph import NOT_CERTIFIED, PROBABILITIES_APART, further_seeds, unknown
from qismc.deciders.likely_on_levels import LevelChances, check_likely
from qismc.deciders.vacuity import Goal, Premise, Suspect, at_once, never, suspects
from qismc.engines import Exact, ExactEngine, NativeEngine
from qismc.errors import ANGLES_AS_WRITTEN, NumbersDisagree, NumericDoubt, Undecided, UnluckyDraw
from qismc.evidence import Execution, Later
from qismc.language import Property, Threshold, bounded_path, syntax, to_text
from qismc.levels import Answers, ControlGraph, Task, answer
from qismc.model import Model
from qismc.numbers import FieldForm, FieldScalars
from qismc.probability import Likelihood, Undecidable
from qismc.questions import (
    AtStart,
    Claim,
    Combination,
    Ends,
    Likely,
    Names,
    Never,
    NoQuestions,
    OnPaths,
    Question,
    asked_by,
    at_the_end,
    is_classical,
    is_existential,
    mentions_post,
    on_some_path,
    questions,
    responsible,
    truth,
)
from qismc.results import FormulaResult, LevelSizes
from qismc.symbolic import NotOnLevels, at_start
from qismc.verdict import Verdict


@dataclass
class Wanted:
    """A formula with its questions; `numbers[k]` are those of its k-th claim."""

    property: Property
    combination: Combination
    numbers: list[range] = field(default_factory=list)
    suspects: list[tuple[Suspect, int | None]] = field(default_factory=list)
    """Why it may say nothing, with the number of the question that tells."""


class LevelJudge:
    """Everything that is decided about formulas with the store on levels."""

    def __init__(self, model: Model) -> None:
        """Raises NotOnLevels where the model needs the explicit store."""
        self._model = model
        self._engine = exact_engine(model)
        self._wanted: dict[str, Wanted] = {}
        self._questions: list[Question] = []
        self._observed = 0
        self.answers: Answers | None = None
        self._following = Following(model, self._engine)
        self._likely: list[int] = []
        """The numbers of the questions about probabilities."""
        self._chances: LevelChances | None = None
        self._for_all_angles: list[str] = []

    def take(self, wanted: Property) -> None:
        """Note the questions of a formula; raises NotOnLevels if it asks for more."""
        formula = wanted.formula
        try:
            combination = questions(formula, self._model.scope.props, likely=True, paths=True)
        except NoQuestions as reason:
            raise NotOnLevels(str(reason)) from None
        if mentions_post(formula, self._model.scope):
            raise NotOnLevels(f"'{wanted.name}' speaks of sp(…)")
        if self._engine.assumed.tentative and not is_steady(self._model, formula):
            raise NotOnLevels(f"the subspaces of '{wanted.name}' must be compared with floating point")
        if any(isinstance(claim, Likely) for claim in combination.claims):
            check_likely(self._model, wanted.name)
        ends = any(isinstance(claim, Ends | OnPaths | Likely) for claim in combination.claims)
        if ends and not ControlGraph(self._model.program).is_acyclic:
            raise NotOnLevels(f"'{wanted.name}' asks whether loops end")
        entry = Wanted(wanted, combination)
        for claim in combination.claims:
            first = len(self._questions)
            self._questions += at_the_end(claim) if isinstance(claim, Likely) else asked_by(claim)
            entry.numbers.append(range(first, len(self._questions)))
            self._likely += entry.numbers[-1] if isinstance(claim, Likely) else ()
        entry.suspects += suspected(formula, self._model.scope.props, self._questions)
        self._wanted[wanted.name] = entry
        self._observed |= self._model.names.observed(formula)

    def answer(self, meanwhile: Callable[[], None] = lambda: None) -> None:
        """Answer the questions of all formulas together; executions are then followed in the same order.

        Where that takes long, `meanwhile` is called now and then: it may raise what makes an answer needless.
        """
        model = self._model
        asked = task(model, self._engine, self._questions, self._observed)
        self.answers = answer(asked, model.budget, meanwhile)
        order = [level for level in self.answers.engine.order if level < model.program.num_qubits]
        model.simulation.reorder(order)
        form = FieldForm(self._engine.field)
        follower = ExactEngine(NativeEngine(form, order, model.budget, seed=model.seed))
        self._following = Following(model, follower)

    # --- verdicts ----------------------------------------------------------------------------------------

    def decide(self, wanted: Property) -> FormulaResult:
        """The verdict on a formula whose questions were answered, with its evidence.

        Raises NumbersDisagree if floating point must decide.
        """
        entry = self._wanted[wanted.name]
        self._model.simulation.budget.restart()
        try:
            claims = [self._claim(entry, k) for k in range(len(entry.combination.claims))]
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
        if holds:
            if holds_for_all_angles(self._model, self._engine.assumed, wanted.formula):
                self._for_all_angles.append(wanted.name)
            warnings = warned(entry, self._model.names, self._may_be_true)
            found = FormulaResult(wanted.name, wanted.text, verdict, witness=evidence, probability=likelihood)
            return found.but(truths=answered(wanted.formula), warnings=warnings)
        missing = Execution("none", claim=f"no execution satisfies {to_text(wanted.formula)}")
        shown = evidence or missing
        return FormulaResult(wanted.name, wanted.text, verdict, counterexample=shown, probability=likelihood)

    def _claim(self, entry: Wanted, number: int) -> bool:
        claim = entry.combination.claims[number]
        if isinstance(claim, AtStart):
            return self._at_start(claim.condition)
        if isinstance(claim, Likely):
            return self._chance(entry, number, claim).meets(claim.formula.bound)
        refuted = self._refuted(entry, number) is not None
        return refuted if is_existential(claim) else not refuted

    def _chance(self, entry: Wanted, number: int, claim: Likely) -> Chance:
        """How likely the path of a claim is."""
        assert self.answers is not None
        if self._chances is None:
            self._chances = LevelChances(self._model, self.answers, self._likely)
        return self._chances.chance(claim, entry.numbers[number])

    def _likelihood(self, entry: Wanted) -> Likelihood | None:
        """The probability that a formula asks for or bounds, if it speaks of one path."""
        if bounded_path(entry.property.formula) is None:
            return None
        numbered = enumerate(entry.combination.claims)
        chances = [self._chance(entry, k, claim) for k, claim in numbered if isinstance(claim, Likely)]
        return chances[0].likelihood if chances else None

    def _refuted(self, entry: Wanted, number: int) -> int | None:
        """The first question of a claim that is answered by no."""
        assert self.answers is not None
        found = (question for question in entry.numbers[number] if self._is_refuted(question))
        return next(found, None)

    def _is_refuted(self, question: int) -> bool:
        assert self.answers is not None
        if question in self.answers.doubts and question not in self.answers.decisive:
            raise self.answers.doubts[question]
        return question in self.answers.decisive

    def _may_be_true(self, question: int | None) -> bool:
        assert self.answers is not None
        return question in self.answers.decisive or question in self.answers.doubts

    def _at_start(self, condition: syntax.Formula) -> bool:
        assert self.answers is not None
        return self.answers.at_start(condition)

    # --- evidence ----------------------------------------------------------------------------------------

    def _evidence(self, entry: Wanted, claims: Sequence[bool], holds: bool) -> Shown | None:
        """An execution for the first claim on which the verdict rests and that one can show.

        With unknown angles, every answer "not zero" must be confirmed by the numbers on some execution.
        """
        causes = responsible(entry.combination.formula, list(claims), holds)
        tentative = self._engine.assumed.tentative
        shown: Shown | None = None
        for number in causes:
            claim = entry.combination.claims[number]
            if isinstance(claim, Likely):
                shown = shown or (None if holds else self._unlikely(entry, number, claim))
                continue
            question = self._refuted(entry, number) if entry.numbers[number] else None
            if question is not None and (shown is None or tentative):
                execution = self._shown(claim, question)
                shown = shown or execution
        return shown

    def _unlikely(self, entry: Wanted, number: int, claim: Likely) -> Shown:
        """An execution for or against the path of a bound that fails, with the probability in words."""
        chance = self._chance(entry, number, claim)
        text = f"{to_text(claim.formula)} fails: the probability is {chance.likelihood.text}"
        bound = claim.formula.bound
        for_it = isinstance(bound, Threshold) and bound.relation in ("<=", "<")
        some = on_some_path(claim, satisfied=for_it)
        question = entry.numbers[number][at_the_end(claim).index(some.question)]
        if not self._is_refuted(question):
            return Execution("none", claim=text)

        def look() -> Execution:
            self._model.budget.restart()
            self._model.simulation.budget.restart()
            try:
                shown = self._shown(some, question)
            except Undecided as reason:
                return Execution("none", claim=f"{text} (no execution could be shown: {reason})")
            found = shown() if isinstance(shown, Later) else shown
            return replace(found, claim=f"{text}; an execution {'in favour of' if for_it else 'against'} it")

        return Later(look)

    def _shown(self, claim: Claim, question: int) -> Shown:
        assert self.answers is not None
        earlier = self._following.once_more(claim)
        if earlier is not None:
            return earlier
        doubt: NumericDoubt | None = None
        for decisive in self.answers.decisive[question]:
            try:
                return self._following.along(claim, self.answers.execution(decisive))
            except NumbersDisagree as reason:
                doubt = reason
            except (NumericDoubt, UnluckyDraw):
                raise
            except Undecided as reason:
                return Execution("none", claim=f"decided, but the execution could not be shown ({reason})")
        assert doubt is not None
        raise NumbersDisagree(doubt.reason, hint=ANGLES_AS_WRITTEN)

    # --- sizes and assurance -----------------------------------------------------------------------------

    @property
    def sizes(self) -> LevelSizes:
        """With levels, locations are points: each stands for all stores."""
        assert self.answers is not None
        graph, spread = self.answers.translation.graph, self.answers.spread
        return LevelSizes(
            len(graph.following),
            graph.num_edges,
            self.answers.level_bits,
            spread.max_dimension,
            self.answers.engine.statistics(),
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know about how the verdicts came about."""
        return tuple(map(for_all_angles, self._for_all_angles))

    def assure(self, further: int, *, proof: bool) -> Soundness | None:
        """The error bound of the answers; with further primes, or enough of them for a proof."""
        assert self.answers is not None
        first = soundness(self.answers.engine)
        if first is None:
            return None
        if self._chances is not None and self._chances.numeric:
            first = replace(first, note=NOT_CERTIFIED if proof else PROBABILITIES_APART)
            if proof:
                return first
        seeds = further_seeds(self._model.seed)
        return assured(first, self.answers.engine, self._again, seeds, further, proof=proof)

    def _again(self, seed: int) -> Exact:
        """The engine of a run with other numbers that came to the same answers; raises UnluckyDraw."""
        assert self.answers is not None
        field = self._engine.field
        other = FieldScalars(field.needs, seed, conjugating=field.conjugating)
        again = self.answers.over(FieldForm(other))
        if again.decisive.keys() != self.answers.decisive.keys():
            raise UnluckyDraw("another prime gave other answers", hint=OTHER_SEED)
        return again.engine


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


def task(model: Model, engine: Exact, asked: Sequence[Question], observed: int) -> Task:
    """Questions about a model, for whoever answers them."""
    return Task(
        model.names,
        model.init,
        asked,
        observed,
        FieldForm(engine.field),
        model.seed,
        model.engines.order_seed,
        model.engines.natural_order,
    )


def exact_engine(model: Model) -> Exact:
    """The model's engine, if it is one for levels."""
    if model.needs_graph:
        raise NotOnLevels("annotations and paths='all' need the graph of all locations")
    engine = model.engine.exact
    if engine is None:
        raise NotOnLevels("floating point cannot tell a small block of a vector from none")
    if engine.assumed.rooted:
        raise NotOnLevels("the numbers of the program must be compared with floating point everywhere")
    return engine
