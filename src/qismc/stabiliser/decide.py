"""Decides the questions of formulas for all values of the symbols at once."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from typing_extensions import assert_never

from qismc._core import Strings, Tableau
from qismc.common.lazily import cached_method
from qismc.limits import Budget
from qismc.program import Store
from qismc.propositions import Proposition
from qismc.questions import Names, Question
from qismc.stabiliser.codes import Across, Codes, Impossible, Requirement, Within
from qismc.stabiliser.functions import Functions, Solution, mask_of
from qismc.stabiliser.state import History, SymbolicState, start_of
from qismc.stabiliser.walk import Walk
from qismc.symbolic import Asked, BitArithmetic, Bool, evaluate, positions


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


@dataclass(frozen=True)
class GoalArrival:
    """Where the function is true, a goal comes first, at this point."""

    function: Bool
    point: int
    history: History


@dataclass
class Event:
    """`hold U goal`; its number is its place in `SymbolicState.open`.

    Every execution comes to a goal, to a bad location, or to neither; the first of them counts. So each state
    carries, for each event, when that is still open, and the goals that come first add up without overlap.
    """

    number: int
    functions: Functions
    arrivals: list[GoalArrival] = field(default_factory=list)

    def note(self, point: int, state: SymbolicState, goal: Bool, bad: Bool) -> None:
        """Control is at a point where, as far as it comes there, these functions say goal and bad."""
        logic = self.functions.logic
        open_still = state.open.get(self.number, True)
        first = logic.conjunction(open_still, goal)
        if first is not False:
            self.arrivals.append(GoalArrival(first, point, state.history))
        state.open[self.number] = logic.conjunction(open_still, logic.negation(goal), logic.negation(bad))

    @property
    def function(self) -> Bool:
        """When the event happens."""
        return self.functions.logic.parity(*(arrival.function for arrival in self.arrivals))

    @property
    def probability(self) -> Fraction:
        """The share of the coins for which it happens; raises NotSymbolic if it is not theirs alone."""
        function = self.function
        self.functions.check_coins(function)
        return self.functions.solutions.share(function)

    @property
    def example(self) -> tuple[GoalArrival, Solution] | None:
        """An execution on which it happens."""
        for arrival in self.arrivals:
            found = self.functions.solutions.some(arrival.function)
            if found is not None:
                assert evaluate(arrival.function, found)
                return arrival, found
        return None


@dataclass
class Answers:
    """The answers to all questions about a program that starts in `init`; raises NotSymbolic.

    Those of `decisive` are answered by no. `watched` are pairs of questions, (goal, bad), that are not asked:
    each is an event.
    """

    names: Names
    init: Proposition
    questions: Sequence[Question]
    codes: Codes
    budget: Budget
    observed: int = 0
    watched: Sequence[tuple[int, int]] = ()
    decisive: dict[int, Decisive] = field(default_factory=dict)
    functions: Functions = field(init=False)
    walk: Walk = field(init=False)
    events: list[Event] = field(init=False)

    def __post_init__(self) -> None:
        self._asked = Asked(self.names, self.questions)
        self._requirements = [
            None if proposition is None else self.codes.requirements(proposition)
            for proposition in self._asked.propositions
        ]
        self._reads = [positions(self.names.observed(question.condition)) for question in self.questions]
        self._conditions: dict[Hashable, Bool] = {}
        self.functions = Functions(self.budget)
        self.events = [Event(k, self.functions) for k in range(len(self.watched))]
        self._watched = {number for pair in self.watched for number in pair}
        self.walk = Walk(
            self.names.program,
            self.codes.gates,
            self.functions,
            self._ask,
            lambda point: bool(self._asked.at(point)),
            self.observed,
            quiet=not self._asked.of_states_anywhere,
        )
        self.walk.run(start_of(self.names.program, self.functions, self.codes.start(self.init)))

    @property
    def is_complete(self) -> bool:
        """Does every execution end, and was it followed up to there?"""
        return not self.walk.heads.closed and not self.walk.left_out

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
        for event, numbers in zip(self.events, self.watched, strict=True):
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
                solution = self.functions.solutions.some(no)
                if solution is not None:
                    return solution, no
        return None

    @cached_method
    def _once(self, condition: Bool) -> Solution | None:
        """Values for which a function is true; many points ask for the same."""
        return self.functions.solutions.some(condition)

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
