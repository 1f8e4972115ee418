"""Decides formulas with the classical store on levels, and shows why by ordinary executions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from qismc.certify import Soundness, assured, soundness
from qismc.deciders.attempts import Account, Attempt, How, Outcome
from qismc.deciders.bounds import Chance
from qismc.deciders.claims import ClaimJudge, Wanted
from qismc.deciders.confirmation import for_all_angles, holds_for_all_angles, is_steady
from qismc.deciders.following import OTHER_SEED, Following, Shown
from qismc.deciders.graph import NOT_CERTIFIED, PROBABILITIES_APART, further_seeds
from qismc.deciders.likely_on_levels import LevelChances, check_likely
from qismc.engines import Exact, ExactEngine, NativeEngine
from qismc.errors import (
    ANGLES_AS_WRITTEN,
    LimitReached,
    NumbersDisagree,
    NumericDoubt,
    Undecided,
    UnluckyDraw,
)
from qismc.evidence import Execution, Later
from qismc.language import Property, Threshold, syntax, to_text
from qismc.levels import Answers, ControlGraph, Task, answer
from qismc.model import Model
from qismc.numbers import FieldForm, FieldScalars
from qismc.questions import (
    Claim,
    Ends,
    Likely,
    NoQuestions,
    OnPaths,
    Question,
    asked_by,
    at_the_end,
    mentions_post,
    on_some_path,
    questions,
    responsible,
)
from qismc.results import LevelSizes
from qismc.symbolic import NotSymbolic as NotOnLevels


class LevelJudge(ClaimJudge):
    """Everything that is decided about formulas with the store on levels."""

    def __init__(self, model: Model) -> None:
        """Raises NotOnLevels where the model needs the explicit store."""
        super().__init__(model)
        self._engine = exact_engine(model)
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
        entry = self._note(wanted, combination)
        for claim, numbers in zip(combination.claims, entry.numbers, strict=True):
            self._likely += numbers if isinstance(claim, Likely) else ()

    def _questions_of(self, claim: Claim) -> Sequence[Question]:
        return at_the_end(claim) if isinstance(claim, Likely) else asked_by(claim)

    def answer(self, between: Callable[[], bool] | None = None) -> bool:
        """Answer the questions of all formulas together; executions are then followed in the same order.

        Where that takes long, `between` is called now and then. False if it said that no answer is needed.
        """
        model = self._model
        asked = task(model, self._engine, self._questions, self._observed)
        self.answers = answer(asked, model.budget, between)
        if self.answers is None:
            return False
        order = [level for level in self.answers.engine.order if level < model.program.num_qubits]
        model.simulation.reorder(order)
        form = FieldForm(self._engine.field)
        follower = ExactEngine(NativeEngine(form, order, model.budget, seed=model.seed))
        self._following = Following(model, follower)
        return True

    # --- verdicts ----------------------------------------------------------------------------------------

    def _held(self, wanted: Property) -> None:
        if holds_for_all_angles(self._model, self._engine.assumed, wanted.formula):
            self._for_all_angles.append(wanted.name)

    def _chance(self, entry: Wanted, number: int, claim: Likely) -> Chance:
        assert self.answers is not None
        if self._chances is None:
            self._chances = LevelChances(self._model, self.answers, self._likely)
        return self._chances.chance(claim, entry.numbers[number])

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


class LevelDecider:
    """Decides formulas without paths of the graph, all stores at once."""

    def __init__(self, model: Model, how: How) -> None:
        self._how = how
        self._judge: LevelJudge | None = None
        self._reasons: dict[str, str | None] = {}
        self._why = None if how.ctl == "builtin" else "NuSMV needs the graph of all locations"
        """Why nothing can be decided."""
        if self._why is None:
            try:
                self._judge = LevelJudge(model)
            except NotOnLevels as reason:
                self._why = str(reason)

    def can(self, wanted: Property) -> str | None:
        """Why a formula cannot be decided on levels."""
        if self._judge is None:
            return self._why
        if wanted.name not in self._reasons:
            self._reasons[wanted.name] = _refused(self._judge, wanted)
        return self._reasons[wanted.name]

    def decide(
        self,
        wanted: Sequence[Property],
        _: Attempt,
        account: Account,
        between: Callable[[], bool] | None = None,
    ) -> Outcome:
        """Answer the questions of all formulas together, then decide them one by one."""
        judge, reasons = self._judge, {one.name: self.can(one) for one in wanted}
        assert judge is not None, "asked only where some formula can be decided"
        refused = {name: reason for name, reason in reasons.items() if reason is not None}
        try:
            if not judge.answer(between):
                return Outcome(refused)
        except NotOnLevels as reason:
            return Outcome(dict.fromkeys(reasons, str(reason)))
        except LimitReached as limit:
            return Outcome(refused, limit=limit)
        account.tick()
        doubts: dict[str, NumbersDisagree] = {}
        for one in wanted:
            if one.name not in refused and one.name not in account.results:
                try:
                    account.results[one.name] = judge.decide(one)
                except NumbersDisagree as doubt:
                    doubts[one.name] = doubt
        account.levels = judge.sizes
        account.notes += judge.notes
        account.assured(judge.assure(self._how.recheck, proof=self._how.certify))
        return Outcome({**refused, **{name: doubt.reason for name, doubt in doubts.items()}}, doubts)


def _refused(judge: LevelJudge, wanted: Property) -> str | None:
    try:
        judge.take(wanted)
    except NotOnLevels as reason:
        return str(reason)
    return None


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
