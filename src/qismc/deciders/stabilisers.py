"""Decides formulas on stabiliser groups with symbolic signs, and shows why by ordinary executions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from qismc.certify import Soundness
from qismc.common.lazily import cached_property
from qismc.deciders.attempts import NOTHING_RANDOM, How
from qismc.deciders.bounds import Chance
from qismc.deciders.claims import ClaimDecider, Wanted
from qismc.deciders.following import Shown, seen
from qismc.deciders.graph import Judge
from qismc.errors import Undecided
from qismc.evidence import Execution, Hint, Later, LaterList, on_tableau
from qismc.fixpoint import solve_along
from qismc.language import Property, Threshold, to_text
from qismc.model import Model
from qismc.questions import (
    Always,
    Claim,
    Likely,
    Names,
    Possible,
    Question,
    propositions,
    shown_by,
)
from qismc.results import LevelSizes
from qismc.stabiliser import (
    Answers,
    Codes,
    Decisive,
    Event,
    History,
    Places,
    Replay,
    Solution,
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
    course: list[Waypoint]
    replay: Replay


class StabiliserDecider(ClaimDecider):
    """Decides formulas on stabiliser groups whose signs are functions of the outcomes."""

    paths = False

    def __init__(self, model: Model, how: How) -> None:
        super().__init__(model, how)
        self._events: list[tuple[int, int]] = []
        self._known: dict[tuple[frozenset[int], int, int], Followed] = {}
        """Executions by the symbols that are 1, the history's identity and the point where they end."""
        self._answers: Answers | None = None

    @cached_property
    def _codes(self) -> Codes:
        return Codes(self._model.program.num_qubits)

    @cached_property
    def _names(self) -> Names:
        """Names whose sp(…) are stabiliser codes; with faults they speak of the program without them."""
        model = self._model
        program = model.program if model.faults is None else model.faultless.program
        places = Places(program, self._codes, model.init, model.budget)
        return Names(model.program, replace(model.scope.at(model.scope.moment), post=places.post))

    def _check_model(self) -> None:
        if self._how.ctl != "builtin" or self._how.certificate is not None:
            raise NotStabiliser("NuSMV and certificates need the graph of all locations")
        if self._model.needs_graph:
            raise NotStabiliser("annotations and paths='all' need the graph of all locations")

    def _check(self, wanted: Property, _: Sequence[Claim]) -> None:
        for proposition in propositions(wanted.formula, self._names.scope):
            self._codes.requirements(proposition)

    def _asked_by(self, claim: Claim) -> Sequence[Question]:
        if isinstance(claim, Likely):
            self._events.append((len(self._questions), len(self._questions) + 1))
        return super()._asked_by(claim)

    def answer(self, _: Callable[[], bool] | None = None) -> bool:
        """Answer the questions of all formulas together; raises NotStabiliser."""
        model = self._model
        asked, observed, events = self._questions, self._observed, self._events
        init, budget = model.init, model.budget
        self._answers = Answers(self._names, init, asked, self._codes, budget, observed, events)
        return True

    @property
    def answers(self) -> Answers:
        """What was answered."""
        assert self._answers is not None, "asked after `answer`"
        return self._answers

    # --- verdicts ----------------------------------------------------------------------------------------

    def _claim(self, entry: Wanted, number: int, claim: Claim) -> bool:
        """Raises NotStabiliser where loops were not followed to their end."""
        holds = super()._claim(entry, number, claim)
        if isinstance(claim, Always) and claim.ends and holds and not self.answers.is_complete:
            raise NotStabiliser(f"'{entry.named.name}' asks whether loops end")
        return holds

    def _decisive(self, entry: Wanted, number: int) -> Decisive | None:
        """What answers the first question of a claim that is answered by no."""
        question = self._refuted(entry, number)
        return None if question is None else self.answers.decisive[question]

    # --- probabilities -----------------------------------------------------------------------------------

    def _event(self, entry: Wanted, number: int) -> Event:
        questions = entry.numbers[number]
        return self.answers.events[self._events.index((questions[0], questions[1]))]

    def _chance(self, entry: Wanted, number: int, claim: Likely) -> Chance:
        if not self.answers.is_complete:
            raise NotStabiliser(f"'{entry.named.name}' asks how likely loops end")
        chance = Chance.exactly(self._event(entry, number).probability)
        return chance.complement if claim.negated else chance

    def _unlikely(self, entry: Wanted, number: int, claim: Likely) -> Execution | None:
        """An execution that is one too many, or in words that there are too few; None if the bound is met."""
        chance, bound = self._chance(entry, number, claim), claim.formula.bound
        if chance.meets(bound):
            return None
        said = f"{to_text(claim.formula)} fails: the probability is {chance.likelihood.text}"
        example = None if claim.negated else self._event(entry, number).example
        if example is None or not isinstance(bound, Threshold) or bound.relation in (">=", ">"):
            return Execution("none", claim=said)
        arrival, solution = example
        followed = self._followed(solution, arrival.history, arrival.point)
        return self._replayed(followed, f"{said}, of executions such as this")

    # --- evidence ----------------------------------------------------------------------------------------

    def _sharing(self, decisive: Decisive) -> Decisive:
        """The same answer by the last execution that shows it, which may break several formulas."""
        for entry in reversed(self._wanted.values()):
            for number in range(len(entry.numbers)):
                other = self._decisive(entry, number)
                if other is not None and decisive.shown_by(other):
                    return replace(decisive, solution=other.solution)
        return decisive

    def _shown(self, claim: Claim, question: int) -> Shown:
        """An execution, replayed on a tableau; of few qubits, for those who look, with its amplitudes."""
        decisive = self._sharing(self.answers.decisive[question])
        followed = self._followed(decisive.solution, decisive.history, decisive.point)
        replayed = self._on_tableau(claim, decisive, followed)
        if self._model.program.num_qubits > SIMULATED_QUBITS:
            return replayed
        return Later(lambda: self._with_amplitudes(claim, followed.course, replayed))

    def _with_amplitudes(self, claim: Claim, course: Sequence[Waypoint], otherwise: Execution) -> Execution:
        self._model.budget.restart()
        self._model.simulation.budget.restart()
        try:
            return self._simulated(claim, course)
        except Undecided:  # the tableau needs no room
            return otherwise

    def _followed(self, solution: Solution, history: History, end: int) -> Followed:
        """An execution on a tableau of its own, whose signs are numbers; formulas may share it."""
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
        model = self._model
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
            found = seen(claim, Judge(model, solved))
            if found is not None:
                return found
        raise doubt or Undecided("no state of init shows it")

    def _on_tableau(self, claim: Claim, decisive: Decisive, followed: Followed) -> Execution:
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
        walk = self.answers.walk
        points, edges = walk.control.size
        kinds = self.answers.functions.kinds
        counts = {
            "symbols": len(kinds),
            "diagram_nodes": self.answers.functions.solutions.num_nodes,
            "most_cases": walk.most_states,
        }
        return LevelSizes(points, edges, len(kinds), 1, counts, NAME, "symbols")

    def _assurance(self) -> Soundness:
        return NOTHING_RANDOM


def true_on_stabilisers(model: Model, properties: Sequence[Property]) -> bool | None:
    """Are all formulas true? By stabiliser groups, without evidence; None where they cannot tell.

    They are asked where the options leave the choice and every gate is Clifford: then nothing is quicker.
    One formula that is false is enough for a no.
    """
    free = model.engines.name == "auto" and model.store == "auto"
    if not (free and is_clifford(model.program)) and model.engines.name != NAME:
        return None
    decider = StabiliserDecider(model, How())
    taken = [wanted for wanted in properties if decider.can(wanted) is None]
    try:
        if not taken or not decider.answer():
            return None
        holds = all(decider.is_true(wanted.name) for wanted in taken)
    except NotStabiliser:
        return None
    return None if holds and len(taken) < len(properties) else holds
