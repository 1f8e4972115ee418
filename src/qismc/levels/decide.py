"""Decides the questions of formulas with the store on levels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from qismc.engines import Exact, ExactEngine, NativeEngine, TooManyOperations, Vector, beside_partners
from qismc.errors import NoCompactForm, Undecided
from qismc.levels.journey import DecisiveVector, course
from qismc.levels.orders import candidates, race
from qismc.levels.script import Probe, all_factors
from qismc.levels.spread import LevelArrival, LevelSpread, is_all_zero, starts
from qismc.levels.translate import Translation, translate, untranslated
from qismc.limits import Budget
from qismc.numbers import FieldForm
from qismc.propositions import Membership, Proposition, relabel
from qismc.questions import Names, Question
from qismc.symbolic import Asked
from qismc.system import Course


@dataclass(frozen=True)
class Task:
    """What is asked of a program that starts in `init`."""

    names: Names
    init: Proposition
    questions: Sequence[Question]
    observed: int
    form: FieldForm
    seed: int
    order_seed: int = 0
    natural_order: bool = False
    careful: bool = False
    """Let random points decide only where there is no other way."""


TRIES = 4
"""Vectors that answer a question by no that are kept for generic angles: floating point may refuse some."""


class Answers:
    """The answers to all questions: those of `decisive` are answered by no, with vectors that show it."""

    def __init__(
        self,
        task: Task,
        translation: Translation,
        asked: Asked,
        order: Sequence[int],
        budget: Budget,
        *,
        operations: int | None = None,
    ) -> None:
        native = NativeEngine(task.form, order, budget, seed=task.seed, operations=operations)
        self.engine: Exact = ExactEngine(native, careful=task.careful)
        self.translation = translation
        self._task = task
        self._membership = Membership(self.engine)
        self._asked = asked
        self._seen: dict[int, Proposition] = {}
        self.decisive: dict[int, list[DecisiveVector]] = {}
        self.doubts: dict[int, Undecided] = {}
        """Questions about propositions that cannot be asked at this size."""
        self.spread = LevelSpread(self.engine, translation.scripts, budget)
        self.is_complete = self._run()

    def _run(self) -> bool:
        """Answer the questions; False if that takes more than `operations`."""
        try:
            self.spread.run(self._seeds(), self._ask, set(range(len(self._task.questions))))
        except TooManyOperations:
            return False
        self.engine.unhurried()
        return True

    def _seeds(self) -> list[tuple[int, Vector]]:
        program = self._task.names.program
        vectors = starts(self.engine, self._task.init, program.num_qubits)
        return [(program.entry, self.spread.steps.run(self.translation.start, v)) for v in vectors]

    def _ask(self, arrival: LevelArrival, probe: Probe, kept: Vector) -> bool:
        """Note a vector that answers by no; go on if more of them may be needed."""
        try:
            if not self._says_no(probe, kept):
                return True
        except NoCompactForm as doubt:
            self.doubts[probe.number] = doubt
            return False
        found = self.decisive.setdefault(probe.number, [])
        found.append(DecisiveVector(arrival, probe, kept))
        return self.engine.assumed.tentative and len(found) < TRIES

    def _says_no(self, probe: Probe, kept: Vector) -> bool:
        if self.engine.is_zero(kept):
            return False
        return probe.proposition is None or not self._membership.contains(self._view(probe), kept)

    def _view(self, probe: Probe) -> Proposition:
        """The proposition about the levels that stand for the qubits."""
        if id(probe) not in self._seen:
            assert probe.proposition is not None
            self._seen[id(probe)] = relabel(probe.proposition, probe.view)
        return self._seen[id(probe)]

    def over(self, form: FieldForm) -> Answers:
        """The same questions answered once more with other numbers."""
        task = replace(self._task, form=form, careful=True)
        return Answers(task, self.translation, self._asked, self.engine.order, self.spread.budget)

    @property
    def level_bits(self) -> int:
        """How many levels carry outcomes, choices and what resets threw away."""
        return len(self.translation.levels.classical)

    def execution(self, decisive: DecisiveVector) -> Course:
        """An execution that shows why a question is answered by no."""
        return course(
            self._task.names.program,
            self.translation.graph,
            self.spread,
            decisive,
            lambda kept: self._says_no(decisive.probe, kept),
            telling=self._telling(decisive),
        )

    def _telling(self, decisive: DecisiveVector) -> Vector | None:
        """A vector with a component wherever a store is that says no; None where none is at hand."""
        probe = decisive.probe
        if probe.proposition is None:
            return decisive.kept
        return self._membership.moved(self._view(probe), decisive.kept)


def answer(task: Task, budget: Budget, between: Callable[[], bool] | None = None) -> Answers | None:
    """Answer all questions; raises NotSymbolic, and Undecided where limits are too small.

    Where that takes long, `between` is called now and then. None if it said that no answer is needed.
    """
    asked = Asked(task.names, task.questions)
    program = task.names.program
    clean = is_all_zero(task.init, program.num_qubits)
    if task.questions:
        translation = translate(program, asked, task.observed, budget, clean=clean)
    else:  # what the text decides needs nothing that is written on levels
        translation = untranslated(program)
    factors = all_factors(translation.scripts.values())
    found = candidates(translation.levels, factors, task.order_seed, natural=task.natural_order)
    orders = (beside_partners(program, order) for order in found)

    def attempt(order: list[int], operations: int) -> Answers | int:
        found = Answers(task, translation, asked, order, budget, operations=operations)
        return found if found.is_complete else found.spread.steps.done

    return race(orders, attempt, between)
