"""Decides formulas on stabiliser groups with symbolic signs, and shows why by ordinary executions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from qismc.certify import Soundness
from qismc.deciders.attempts import Account, Attempt, How, Outcome
from qismc.deciders.bounds import Chance
from qismc.deciders.claims import ClaimJudge, Wanted
from qismc.deciders.following import Shown
from qismc.deciders.graph import Judge
from qismc.errors import Undecided
from qismc.evidence import Execution, Hint, Later, LaterList, on_tableau
from qismc.fixpoint import solve_along
from qismc.language import Property, Threshold, to_text
from qismc.model import Model
from qismc.questions import (
    Claim,
    Ends,
    Likely,
    Names,
    NoQuestions,
    Possible,
    propositions,
    questions,
    refuted_by,
    responsible,
    shown_by,
)
from qismc.results import FormulaResult, LevelSizes
from qismc.stabiliser import (
    Answers,
    CodePosts,
    Codes,
    Decisive,
    Event,
    History,
    Journey,
    Replay,
    Solution,
    Task,
    is_clifford,
    journey,
)
from qismc.symbolic import NotSymbolic as NotStabiliser
from qismc.system import Course, Waypoint

NAME = "stabiliser"
SIMULATED_QUBITS = 12
"""Up to here executions are replayed with all their amplitudes, beyond on a tableau."""
MOST_STARTS = 64
"""So many states of `init` are tried for an execution that shows something."""


class Followed(NamedTuple):
    """An execution with its replay; its history is kept, so that no other one gets its identity."""

    history: History
    course: Journey
    replay: Replay


class StabiliserJudge(ClaimJudge):
    """Everything that is decided about formulas on stabiliser groups."""

    def __init__(self, model: Model) -> None:
        """Raises NotStabiliser where the model needs more."""
        if model.needs_graph:
            raise NotStabiliser("annotations and paths='all' need the graph of all locations")
        super().__init__(model)
        self._codes = Codes(model.program.num_qubits)
        self._names = _with_own_posts(model, self._codes)
        self._events: list[tuple[int, int]] = []
        self._known: dict[tuple[frozenset[int], int, int], Followed] = {}
        """Executions by the symbols that are 1, the history's identity and the point where they end."""
        self.answers: Answers | None = None

    def take(self, wanted: Property) -> None:
        """Note the questions of a formula; raises NotStabiliser if it asks for more."""
        formula, model = wanted.formula, self._model
        try:
            combination = questions(formula, model.scope.props, likely=True)
        except NoQuestions as reason:
            raise NotStabiliser(str(reason)) from None
        for proposition in propositions(formula, self._names.scope):
            self._codes.requirements(proposition)
        entry = self._note(wanted, combination)
        for claim, numbers in zip(combination.claims, entry.numbers, strict=True):
            if isinstance(claim, Likely):
                self._events.append((numbers.start, numbers.start + 1))

    def answer(self) -> None:
        """Answer the questions of all formulas together; raises NotStabiliser."""
        model = self._model
        task = Task(self._names, model.init, self._questions, self._observed, self._events)
        self.answers = Answers(task, self._codes, model.budget)

    # --- verdicts ----------------------------------------------------------------------------------------

    def _claim(self, entry: Wanted, number: int) -> bool:
        """Raises NotStabiliser where loops were not followed to their end."""
        assert self.answers is not None
        holds = super()._claim(entry, number)
        if isinstance(entry.combination.claims[number], Ends) and holds and not self.answers.is_complete:
            raise NotStabiliser(f"'{entry.property.name}' asks whether loops end")
        return holds

    def _is_refuted(self, question: int) -> bool:
        assert self.answers is not None
        return question in self.answers.decisive

    def _may_be_true(self, question: int | None) -> bool:
        assert self.answers is not None
        return question in self.answers.decisive

    def _decisive(self, entry: Wanted, number: int) -> Decisive | None:
        """What answers the first question of a claim that is answered by no."""
        assert self.answers is not None
        question = self._refuted(entry, number)
        return None if question is None else self.answers.decisive[question]

    # --- probabilities -----------------------------------------------------------------------------------

    def _event(self, entry: Wanted, number: int) -> Event:
        assert self.answers is not None
        questions = entry.numbers[number]
        return self.answers.events[self._events.index((questions[0], questions[1]))]

    def _chance(self, entry: Wanted, number: int, claim: Likely) -> Chance:
        assert self.answers is not None
        if not self.answers.is_complete:
            raise NotStabiliser(f"'{entry.property.name}' asks how likely loops end")
        chance = Chance.exactly(self._event(entry, number).probability(self.answers.solutions))
        return chance.complement if claim.negated else chance

    def _unlikely(self, entry: Wanted, number: int, claim: Likely) -> Execution | None:
        """An execution that is one too many, or in words that there are too few."""
        assert self.answers is not None
        text, chance = to_text(claim.formula), self._chance(entry, number, claim)
        holds = chance.meets(claim.formula.bound)
        said = f"{text} {'holds' if holds else 'fails'}: the probability is {chance.likelihood.text}"
        example = None if claim.negated else self._event(entry, number).example(self.answers.solutions)
        bound = claim.formula.bound
        if holds or example is None or not isinstance(bound, Threshold) or bound.relation in (">=", ">"):
            return None if holds else Execution("none", claim=said)
        arrival, solution = example
        followed = self._followed(solution, arrival.history, arrival.point)
        return self._replayed(followed, f"{said}, of executions such as this")

    # --- evidence ----------------------------------------------------------------------------------------

    def _evidence(self, entry: Wanted, claims: Sequence[bool], holds: bool) -> Shown | None:
        """An execution for the first claim on which the verdict rests and that one can show."""
        for number in responsible(entry.combination.formula, list(claims), holds):
            claim = entry.combination.claims[number]
            if isinstance(claim, Likely):
                shown = self._unlikely(entry, number, claim)
                if shown is not None:
                    return shown
                continue
            decisive = self._decisive(entry, number)
            if decisive is not None:
                return self._shown(claim, self._sharing(decisive))
        return None

    def _sharing(self, decisive: Decisive) -> Decisive:
        """The same answer by the last execution that shows it, which may break several formulas."""
        for entry in reversed(self._wanted.values()):
            for number in range(len(entry.numbers)):
                other = self._decisive(entry, number)
                if other is not None and decisive.shown_by(other):
                    return replace(decisive, solution=other.solution)
        return decisive

    def _shown(self, claim: Claim, decisive: Decisive) -> Shown:
        """An execution, replayed on a tableau; of few qubits, for those who look, with its amplitudes."""
        followed = self._followed(decisive.solution, decisive.history, decisive.point)
        replayed = self._on_tableau(claim, decisive, followed)
        if self._model.program.num_qubits > SIMULATED_QUBITS:
            return replayed
        return Later(lambda: self._with_amplitudes(claim, followed.course, replayed))

    def _with_amplitudes(self, claim: Claim, course: Journey, otherwise: Execution) -> Execution:
        self._model.budget.restart()
        self._model.simulation.budget.restart()
        try:
            return self._simulated(claim, course)
        except Undecided:  # the tableau needs no room
            return otherwise

    def _followed(self, solution: Solution, history: History, end: int) -> Followed:
        """An execution on a tableau of its own, whose signs are numbers; formulas may share it."""
        assert self.answers is not None
        program, codes = self._model.program, self._codes
        key = frozenset(symbol for symbol, value in solution.items() if value), id(history), end
        if key not in self._known:
            course = journey(program, self.answers.functions, solution, history, end)
            replay = Replay(program, codes.gates, codes.start(self._model.init), course)
            assert replay.possible, "an execution is impossible"
            self._known[key] = Followed(history, course, replay)
        return self._known[key]

    def _simulated(self, claim: Claim, course: Sequence[Waypoint]) -> Execution:
        """The evidence that the explicit store finds on the given execution, from some state of `init`."""
        model, formula = self._model, refuted_by(claim)
        doubt: Undecided | None = None
        for seed in range(MOST_STARTS):
            try:
                along = Course(seed, course)
                solved = solve_along(model.program, model.init, model.engine, model.budget, along)
            except IndexError:
                break
            except Undecided as reason:
                doubt = reason
                continue
            found = Judge(model, solved).refutation(formula)
            if found is not None:
                if isinstance(claim, Possible):
                    return found.without_hints(f"{to_text(claim.reachability)} holds on it")
                return found
        raise doubt or Undecided("no state of init shows it")

    def _on_tableau(self, claim: Claim, decisive: Decisive, followed: Followed) -> Execution:
        assert self.answers is not None
        shown, course, replay = self._replayed(followed, shown_by(claim)), followed.course, followed.replay
        assert self.answers.shows(decisive, replay.tableau, course[-1].store), "the execution shows nothing"
        if isinstance(claim, Possible):
            return shown
        qubits, last = self._model.program.qubits, len(course) - 1
        wanted = self.answers.wanted(decisive.number)

        def hints() -> list[Hint]:
            parts = (on_tableau.failing(replay, strings, qubits, last) for strings in wanted)
            return [hint for hint in parts if hint is not None]

        return replace(shown, hints=LaterList(hints))

    def _replayed(self, followed: Followed, claim: str) -> Execution:
        return on_tableau.execution(self._model.program, followed.course, followed.replay, claim)

    # --- sizes and assurance -----------------------------------------------------------------------------

    @property
    def sizes(self) -> LevelSizes:
        """Locations are points: each stands for all stores."""
        assert self.answers is not None
        walk = self.answers.walk
        points, edges = walk.control.size
        kinds = self.answers.functions.kinds
        counts = {
            "symbols": len(kinds),
            "diagram_nodes": self.answers.solutions.num_nodes,
            "most_cases": walk.most_states,
        }
        return LevelSizes(points, edges, len(kinds), 1, counts, NAME, "symbols")

    def assurance(self) -> Soundness:
        """Nothing is random and nothing is rounded."""
        return Soundness((), 0.0, certified=True)


class StabiliserDecider:
    """Decides formulas on stabiliser groups, once for each check."""

    def __init__(self, model: Model, how: How) -> None:
        self._model = model
        self._judge: StabiliserJudge | None = None
        self._reasons: dict[str, str | None] = {}
        plain = how.ctl == "builtin" and how.certificate is None
        self._why = None if plain else "NuSMV and certificates need the graph of all locations"
        """Why nothing can be decided."""

    @property
    def is_named(self) -> bool:
        """Did somebody ask for stabilisers?"""
        return self._model.engines.name == NAME

    def can(self, wanted: Property) -> str | None:
        """Why a formula cannot be decided on stabilisers."""
        if self._judge is None and self._why is None:
            try:
                self._judge = StabiliserJudge(self._model)
            except NotStabiliser as reason:
                self._why = str(reason)
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
        __: Callable[[], bool] | None = None,
    ) -> Outcome:
        """Answer the questions of all formulas together; whoever asked for this is told why some are open."""
        refused = {one.name: self.can(one) for one in wanted}
        reasons = {name: reason for name, reason in refused.items() if reason is not None}
        if len(reasons) < len(refused):
            taken = [one for one in wanted if one.name not in reasons]
            reasons |= self._decided(taken, account)
        if self.is_named:
            told = dict.fromkeys(reasons.values())
            account.notes += tuple(f"decided without stabiliser groups: {reason}" for reason in told)
        return Outcome(reasons)

    def _decided(self, taken: Sequence[Property], account: Account) -> dict[str, str]:
        """Add verdicts to the account; why some are open."""
        judge, reasons = self._judge, dict[str, str]()
        assert judge is not None
        try:
            judge.answer()
        except NotStabiliser as reason:
            return dict.fromkeys((one.name for one in taken), str(reason))
        account.tick()
        results: dict[str, FormulaResult] = {}
        for one in taken:
            try:
                results[one.name] = judge.decide(one)
            except NotStabiliser as reason:
                reasons[one.name] = str(reason)
        if results:
            account.results |= results
            account.levels = judge.sizes
            account.assured(judge.assurance())
        return reasons


def _refused(judge: StabiliserJudge, wanted: Property) -> str | None:
    try:
        judge.take(wanted)
    except NotStabiliser as reason:
        return str(reason)
    return None


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
        taken = [wanted for wanted in properties if _refused(judge, wanted) is None]
        if not taken:
            return None
        judge.answer()
        holds = all(judge.is_true(wanted.name) for wanted in taken)
        return None if holds and len(taken) < len(properties) else holds
    except NotStabiliser:
        return None


def _with_own_posts(model: Model, codes: Codes) -> Names:
    """Names whose sp(…) are stabiliser codes; with faults they speak of the program without them."""
    program = model.program if model.faults is None else model.faultless.program
    posts = CodePosts(program, codes, model.init, model.budget)
    return Names(model.program, replace(model.scope.at(model.scope.moment), post=posts))
