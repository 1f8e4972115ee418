"""From values of the symbols to one execution, replayed on a tableau whose signs are plain numbers."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from qismc._core import Finding, Strings, Tableau
from qismc.common.paulis import Letters
from qismc.program import (
    Apply,
    Channel,
    Havoc,
    Initialize,
    Measure,
    Program,
    Reset,
    Statement,
    Store,
)
from qismc.stabiliser.amplitudes import recipe_of
from qismc.stabiliser.functions import Functions, Solution
from qismc.stabiliser.gates import Gates, refused
from qismc.stabiliser.state import History, HistoryEntry, Joined
from qismc.symbolic import Bool, NotSymbolic, evaluate
from qismc.system import Waypoint, crossings, next_point, next_store


def journey(
    program: Program, functions: Functions, solution: Solution, history: History, end: int
) -> list[Waypoint]:
    """The execution with this history, for these values of the symbols, up to a point."""
    return list(_waypoints(program, functions, solution, history, end))


def _waypoints(
    program: Program, functions: Functions, solution: Solution, history: History, end: int
) -> Iterator[Waypoint]:
    known: dict[Bool, bool] = {}
    true = functions.true_atoms(solution, known)
    chosen = [
        (entry.point, [(digit & true).bit_count() & 1 for digit in entry.digits])
        for entry in _entries(history, lambda function: evaluate(function, solution, known))
    ]
    point, store, turns = program.entry, program.initial_store, crossings(program)
    while chosen or point != end:
        if isinstance(program.code[point], Apply):  # and so are those up to the next crossing
            crossing = turns[bisect_left(turns, point)]
            stop = end if not chosen and point < end < crossing else crossing
            yield from (Waypoint(gate, store, None) for gate in range(point, stop))
            last, target = stop - 1, program.settle(stop)
        else:
            step = _step(program, point, store, chosen)
            yield step
            last, target = point, next_point(program, point, store)
            store = next_store(program.code[point], store, step.outcome)
        if target <= last:
            _taken(chosen, target)
        point = target
    yield Waypoint(point, store, None)


def _step(program: Program, point: int, store: Store, chosen: list[tuple[int, list[int]]]) -> Waypoint:
    """A step that is no gate."""
    match program.code[point]:
        case Measure() | Havoc():
            return Waypoint(point, store, sum(digit << k for k, digit in enumerate(_taken(chosen, point))))
        case Reset():
            return Waypoint(point, store, None, tuple(_taken(chosen, point)))
        case Initialize():
            return Waypoint(point, store, None, (*_taken(chosen, point), 0))
    return Waypoint(point, store, None)


def _taken(chosen: list[tuple[int, list[int]]], point: int) -> list[int]:
    """What the history says next; it is about this point."""
    at, digits = chosen.pop()
    assert at == point, "an execution takes the choices of its history in turn"
    return digits


def _entries(history: History, holds: Callable[[Bool], bool]) -> Iterator[HistoryEntry]:
    """What happened, the last first, for the values of the symbols for which functions hold."""
    while history is not None:
        if isinstance(history, Joined):
            history = history.first if holds(history.condition) else history.second
            continue
        if holds(history.guard):
            yield history
        history = history.before


IMPOSSIBLE = -1
"""Instead of a number of halvings: the probability is 0."""


class Replay:
    """The probability of every step of an execution, and the code of its states at the end."""

    def __init__(self, program: Program, gates: Gates, start: Tableau, steps: Sequence[Waypoint]) -> None:
        self._begun = partial(_Course, program, gates, steps)
        self._start = start
        course = self._begun(start.copy())
        self._begins: list[int] = [0]
        self._halvings: list[int | None] = [0]
        """Of the probability, from each of the beginnings on."""
        while course.number < len(steps) - 1:
            course.go(len(steps) - 1)
            self._begins.append(course.number)
            self._halvings.append(course.halvings)
        self.tableau = course.tableau
        self._again: _Course | None = None

    @property
    def possible(self) -> bool:
        """Can the execution happen?"""
        return self._halvings[-1] != IMPOSSIBLE

    def probability(self, number: int) -> Fraction | None:
        """Of coming to a step; None from where on the start leaves it open."""
        halvings = self._halvings[bisect_right(self._begins, number) - 1]
        if halvings == IMPOSSIBLE:
            return Fraction(0)
        return None if halvings is None else Fraction(1, 1 << halvings)

    def news(self, number: int) -> Strings:
        """The generators of the states before a step that did not stabilise those before the last step."""
        if number == 0:
            return self._start.beyond(Tableau(self._start.qubits, open=True))
        if self._again is None or self._again.number >= number:
            self._again = self._begun(self._start.copy())
        while self._again.number < number - 1:
            self._again.go(number - 1)
        before = self._again.tableau.copy()
        self._again.go(number)
        return self._again.tableau.beyond(before)


@dataclass
class _Course:
    """The states of an execution before one step after the other."""

    program: Program
    gates: Gates
    steps: Sequence[Waypoint]
    tableau: Tableau
    number: int = 0
    halvings: int | None = 0

    def go(self, most: int) -> None:
        """Take the next step, or as many gates as follow one another, up to a number."""
        step, code = self.steps[self.number], self.program.code
        if not isinstance(code[step.point], Apply):
            self._go(code[step.point], step)
            self.number += 1
            return
        turns = crossings(self.program)
        stop = min(turns[bisect_left(turns, step.point)], step.point + most - self.number)
        stopped = self.gates.run(self.tableau, code, step.point, stop)
        statement = code[stopped]
        if stopped < stop and isinstance(statement, Apply):
            raise refused(statement.operator)
        self.number += stop - step.point

    def _go(self, statement: Statement, step: Waypoint) -> None:
        match statement:
            case Measure(qubit, _):
                self._find(((qubit, 2),), bool(step.outcome))
            case Reset(qubit):
                self._reset(qubit, bool(step.choices and step.choices[0]))
            case Initialize(qubits, preparation):
                for qubit, was in zip(qubits, step.choices, strict=False):
                    self._reset(qubit, bool(was))
                recipe = recipe_of(preparation)
                if recipe is None:
                    raise NotSymbolic("a preparation of no stabiliser state")
                for generator, correction in recipe.on(qubits):
                    self.tableau.measure(generator.letters, [])
                    if bool(self.tableau.sign(generator.letters)) != generator.minus:
                        self.tableau.flip(correction, [0])
            case Channel():
                raise NotSymbolic("channels are not replayed")

    def _find(self, pauli: Letters, outcome: bool) -> None:
        """Measure, with a given outcome."""
        finding = self.tableau.measure(pauli, [0] if outcome else [])
        if finding is Finding.fixed:
            if bool(self.tableau.sign(pauli)) != outcome:
                self.halvings = IMPOSSIBLE
        elif self.halvings is not None and self.halvings != IMPOSSIBLE:
            self.halvings = self.halvings + 1 if finding is Finding.coin else None

    def _reset(self, qubit: int, was: bool) -> None:
        self._find(((qubit, 2),), was)
        if was:
            self.tableau.flip([(qubit, 1)], [0])
