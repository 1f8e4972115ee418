"""Decides the questions of formulas for all values of the symbols at once."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field

from typing_extensions import assert_never

from qismc._core import Strings, Tableau
from qismc.limits import Budget
from qismc.program import Store
from qismc.propositions import Proposition
from qismc.questions import Names, Question
from qismc.stabiliser.codes import Across, Codes, Impossible, Requirement, Within
from qismc.stabiliser.events import Event
from qismc.stabiliser.functions import Functions, mask_of
from qismc.stabiliser.solutions import Solution, Solutions
from qismc.stabiliser.state import History, SymbolicState, start_of
from qismc.stabiliser.walk import Walk, walked
from qismc.symbolic import Asked, BitArithmetic, Bool, evaluate, positions


@dataclass(frozen=True)
class Task:
    """What is asked of a program that starts in `init`."""

    names: Names
    init: Proposition
    questions: Sequence[Question]
    observed: int = 0
    events: Sequence[tuple[int, int]] = ()
    """Pairs of questions, (goal, bad), that are not asked but watched."""


@dataclass(frozen=True)
class Decisive:
    """Values of the symbols for which a question is answered by no at a point."""

    number: int
    point: int
    solution: Solution
    history: History
    no: Bool
    """True of the values of the symbols for which the question is answered by no there."""

    def shown_by(self, other: Decisive) -> bool:
        """Does the execution of another answer show this one, too?"""
        same = self.point == other.point and self.history is other.history
        return same and evaluate(self.no, other.solution)


@dataclass
class Answers:
    """The answers to all questions: those of `decisive` are answered by no. Raises NotSymbolic."""

    task: Task
    codes: Codes
    budget: Budget
    functions: Functions = field(default_factory=Functions)
    decisive: dict[int, Decisive] = field(default_factory=dict)
    solutions: Solutions = field(init=False)
    walk: Walk = field(init=False)
    events: list[Event] = field(init=False)

    def __post_init__(self) -> None:
        program = self.task.names.program
        self._asked = Asked(self.task.names, self.task.questions)
        self._requirements = [
            None if proposition is None else self.codes.requirements(proposition)
            for proposition in self._asked.propositions
        ]
        observed = self.task.names.observed
        self._reads = [positions(observed(question.condition)) for question in self.task.questions]
        self._conditions: dict[Hashable, Bool] = {}
        self._impossible: set[Bool] = set()
        self.solutions = Solutions(self.budget)
        self.events = [Event(k, self.functions) for k in range(len(self.task.events))]
        self._watched = {number for pair in self.task.events for number in pair}
        self.walk = Walk(
            program,
            self.codes.gates,
            self.functions,
            self.solutions,
            self.budget,
            self._ask,
            lambda point: bool(self._asked.at(point)),
            self.task.observed,
            quiet=not self._asked.of_states_anywhere,
        )
        walked(self.walk, self._start())

    @property
    def is_complete(self) -> bool:
        """Does every execution end, and was it followed up to there?"""
        return not self.walk.heads.closed and not self.walk.left_out

    def _start(self) -> SymbolicState:
        program = self.task.names.program
        return start_of(program, self.functions, self.codes.start(self.task.init))

    def _ask(self, point: int, state: SymbolicState, guard: Bool) -> None:
        numbers = self._asked.at(point)
        for number in numbers:
            if number in self.decisive or number in self._watched:
                continue
            condition = self.functions.logic.conjunction(guard, self._condition(number, point, state))
            found = self._against(number, condition, state)
            if found is not None:
                solution, no = found
                self.decisive[number] = Decisive(number, point, solution, state.history, no)
        if self._watched.intersection(numbers):
            self._watch(point, state, guard)

    def _condition(self, number: int, point: int, state: SymbolicState) -> Bool:
        """The condition of a question, worked out once for the same names and the same bits."""
        key = (number, self._asked.selected(point), *map(state.bits.get, self._reads[number]))
        if key not in self._conditions:
            self._conditions[key] = self._asked.condition(number, point, state.arithmetic)
        return self._conditions[key]

    def _watch(self, point: int, state: SymbolicState, guard: Bool) -> None:
        for event, numbers in zip(self.events, self.task.events, strict=True):
            conditions = (self._condition(number, point, state) for number in numbers)
            goal, bad = (self.functions.logic.conjunction(guard, condition) for condition in conditions)
            event.note(point, state, goal, bad)

    def _against(self, number: int, condition: Bool, state: SymbolicState) -> tuple[Solution, Bool] | None:
        """Values for which the condition is true and a state is not as the question wants it.

        With them the function that is true of such values.
        """
        if condition is False:
            return None
        requirements = self._requirements[number]
        if requirements is None:
            found = self._once(condition)
            return None if found is None else (found, condition)
        logic = self.functions.logic
        for requirement in requirements:
            for broken in self._broken(requirement, state.tableau):
                no = logic.conjunction(condition, broken)
                solution = self.solutions.some(no)
                if solution is not None:
                    return solution, no
        return None

    def _once(self, condition: Bool) -> Solution | None:
        """Values for which a function is true; many points ask for the same."""
        if condition in self._impossible:
            return None
        found = self.solutions.some(condition)
        if found is None:
            self._impossible.add(condition)
        return found

    def _broken(self, requirement: Requirement, tableau: Tableau) -> Iterator[Bool]:
        """Functions of which one is true iff some state of the code is not as required."""
        match requirement:
            case Within(generators):
                for difference in tableau.differences(generators):
                    yield True if difference is None else self.functions.function(mask_of(difference))
            case Across(generators):
                yield self._overlaps(generators, tableau)
            case Impossible():
                yield True
            case _:
                assert_never(requirement)

    def shows(self, decisive: Decisive, tableau: Tableau, store: Store) -> bool:
        """Is a question answered by no of one store and the states of a group whose signs are constant?"""
        position = self._asked.condition(
            decisive.number,
            decisive.point,
            BitArithmetic(self.functions.logic, lambda place: bool(store >> place & 1)),
        )
        requirements = self._requirements[decisive.number]
        broken = (broken for r in requirements or () for broken in self._broken(r, tableau))
        return position is True and (requirements is None or any(one is True for one in broken))

    def wanted(self, number: int) -> list[Strings]:
        """The strings that a question wants to stabilise all states."""
        return [r.generators for r in self._requirements[number] or () if isinstance(r, Within)]

    def _overlaps(self, generators: Strings, tableau: Tableau) -> Bool:
        """Have all Paulis that both groups share the same signs?"""
        logic = self.functions.logic
        _, theirs = tableau.group.common(generators)
        agreeing = []
        for difference in tableau.differences(theirs):
            assert difference is not None, "it is in both groups"
            agreeing.append(logic.negation(self.functions.function(mask_of(difference))))
        return logic.conjunction(*agreeing)
