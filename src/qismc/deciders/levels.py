"""Decides formulas with the classical store on levels, and shows why by ordinary executions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from qismc.certify import Soundness, assured, soundness
from qismc.common.lazily import cached_property
from qismc.deciders.attempts import How
from qismc.deciders.bounds import Chance
from qismc.deciders.claims import ClaimDecider, Wanted
from qismc.deciders.confirmation import for_all_angles, holds_for_all_angles, is_steady
from qismc.deciders.following import OTHER_SEED, Following, Shown
from qismc.deciders.graph import NOT_CERTIFIED, PROBABILITIES_APART, further_seeds
from qismc.deciders.likely_on_levels import LevelChances, check_likely
from qismc.engines import Exact, ExactEngine, NativeEngine
from qismc.errors import ANGLES_AS_WRITTEN, NumbersDisagree, NumericDoubt, Undecided, UnluckyDraw
from qismc.evidence import Execution, Later
from qismc.language import Property, Threshold, to_text
from qismc.levels import Answers, ControlGraph, Task, answer
from qismc.model import Model
from qismc.numbers import FieldForm, FieldScalars
from qismc.questions import Always, Claim, Likely, OnPaths, Question, mentions_post
from qismc.results import LevelSizes
from qismc.symbolic import NotSymbolic as NotOnLevels


class LevelDecider(ClaimDecider):
    """Decides formulas without paths of the graph, all stores at once."""

    paths = True

    def __init__(self, model: Model, how: How) -> None:
        super().__init__(model, how)
        self._answers: Answers | None = None
        self._likely: list[int] = []
        """The numbers of the questions about probabilities."""

    @cached_property
    def _engine(self) -> Exact:
        return exact_engine(self._model)

    @property
    def _must_show_all(self) -> bool:
        """With unknown angles, every answer "not zero" must be confirmed by the numbers on some execution."""
        return self._engine.assumed.tentative

    def _check_model(self) -> None:
        if self._how.ctl != "builtin":
            raise NotOnLevels("NuSMV needs the graph of all locations")
        exact_engine(self._model)

    def _check(self, wanted: Property, claims: Sequence[Claim]) -> None:
        model, name = self._model, wanted.name
        if mentions_post(wanted.formula, model.scope):
            raise NotOnLevels(f"'{name}' speaks of sp(…)")
        if self._engine.assumed.tentative and not is_steady(model, wanted.formula):
            raise NotOnLevels(f"the subspaces of '{name}' must be compared with floating point")
        if any(isinstance(claim, Likely) for claim in claims):
            check_likely(model, name)
        paths = any(isinstance(claim, OnPaths | Likely) for claim in claims)
        ends = paths or any(isinstance(claim, Always) and claim.ends for claim in claims)
        if ends and not ControlGraph(model.program).is_acyclic:
            raise NotOnLevels(f"'{name}' asks whether loops end")

    def _asked_by(self, claim: Claim) -> Sequence[Question]:
        if not isinstance(claim, Likely):
            return claim.questions
        first = len(self._questions)
        self._likely += range(first, first + len(claim.runs))
        return claim.runs

    def answer(self, between: Callable[[], bool] | None = None) -> bool:
        """Answer the questions of all formulas together; executions are then followed in the same order."""
        model = self._model
        asked = task(model, self._engine, self._questions, self._observed)
        self._answers = answer(asked, model.budget, between)
        if self._answers is None:
            return False
        model.simulation.reorder(self._order)
        return True

    @property
    def answers(self) -> Answers:
        """What was answered."""
        assert self._answers is not None, "asked after `answer`"
        return self._answers

    @property
    def _order(self) -> list[int]:
        """The order of the qubits that proved good."""
        return [level for level in self.answers.engine.order if level < self._model.program.num_qubits]

    @cached_property
    def _following(self) -> Following:
        model, form = self._model, FieldForm(self._engine.field)
        follower = ExactEngine(NativeEngine(form, self._order, model.budget, seed=model.seed))
        return Following(model, follower)

    @cached_property
    def _chances(self) -> LevelChances:
        return LevelChances(self._model, self.answers, self._likely)

    # --- verdicts ----------------------------------------------------------------------------------------

    def _chance(self, entry: Wanted, number: int, claim: Likely) -> Chance:
        return self._chances.chance(claim, entry.numbers[number])

    def _is_refuted(self, question: int) -> bool:
        if question in self.answers.doubts and question not in self.answers.decisive:
            raise self.answers.doubts[question]
        return super()._is_refuted(question)

    def _may_be_true(self, question: int) -> bool:
        return super()._may_be_true(question) or question in self.answers.doubts

    # --- evidence ----------------------------------------------------------------------------------------

    def _unlikely(self, entry: Wanted, number: int, claim: Likely) -> Shown | None:
        """An execution for or against the path of a bound that fails, with the probability in words."""
        chance, bound = self._chance(entry, number, claim), claim.formula.bound
        if chance.meets(bound):
            return None
        text = f"{to_text(claim.formula)} fails: the probability is {chance.likelihood.text}"
        for_it = isinstance(bound, Threshold) and bound.relation in ("<=", "<")
        some = claim.on_some_path(satisfied=for_it)
        question = entry.numbers[number][claim.runs.index(some.question)]
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
        graph, spread = self.answers.translation.graph, self.answers.spread
        return LevelSizes(
            len(graph.following),
            graph.num_edges,
            self.answers.level_bits,
            spread.max_dimension,
            self.answers.engine.statistics(),
        )

    def _notes(self, held: Sequence[Property]) -> tuple[str, ...]:
        model, assumed = self._model, self._engine.assumed
        return tuple(
            for_all_angles(one.name) for one in held if holds_for_all_angles(model, assumed, one.formula)
        )

    def _assurance(self) -> Soundness | None:
        """The error bound of the answers; with further primes, or enough of them for a proof."""
        first, proof = soundness(self.answers.engine), self._how.certify
        if first is None:
            return None
        if self._chances.numeric:
            first = replace(first, note=NOT_CERTIFIED if proof else PROBABILITIES_APART)
            if proof:
                return first
        seeds = further_seeds(self._model.seed)
        return assured(first, self.answers.engine, self._again, seeds, self._how.recheck, proof=proof)

    def _again(self, seed: int) -> Exact:
        """The engine of a run with other numbers that came to the same answers; raises UnluckyDraw."""
        field = self._engine.field
        other = FieldScalars(field.needs, seed, conjugating=field.conjugating)
        again = self.answers.over(FieldForm(other))
        if again.decisive.keys() != self.answers.decisive.keys():
            raise UnluckyDraw("another prime gave other answers", hint=OTHER_SEED)
        return again.engine


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
