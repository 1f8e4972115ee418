"""Replays one execution on a tableau whose signs are plain numbers."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction

from qismc._core import Finding, Strings, Tableau
from qismc.program import Apply, Channel, Initialize, Measure, Operator, Program, Reset, Statement
from qismc.stabiliser.gates import Gates, refused
from qismc.stabiliser.journeys import Journey
from qismc.stabiliser.paulis import Letters, NotStabiliser
from qismc.stabiliser.preparation import Preparations
from qismc.system import Step, crossings

IMPOSSIBLE = -1
"""Instead of a number of halvings: the probability is 0."""


class Replay:
    """The probability of every step of an execution, and the code of its states at the end."""

    def __init__(self, program: Program, gates: Gates, start: Tableau, steps: Sequence[Step]) -> None:
        self._program = program
        self._gates = gates
        self._start = start
        self._steps = steps
        course = self._begun()
        self._begins: list[int] = []
        self._halvings: list[int | None] = []
        """Of the probability, from each of the beginnings on."""
        for step in _leading(program, steps):
            self._begins.append(course.number)
            self._halvings.append(course.halvings)
            course.take(step, len(steps) - 1)
        self.tableau = course.tableau
        self._again: _Course | None = None

    def _begun(self) -> _Course:
        return _Course(self._program, self._gates, self._start.copy(), self._steps)

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
            self._again = self._begun()
        while self._again.number < number - 1:
            self._again.go(number - 1)
        before = self._again.tableau.copy()
        self._again.go(number)
        return self._again.tableau.beyond(before)


class _Course:
    """The states of an execution before one step after the other."""

    def __init__(self, program: Program, gates: Gates, tableau: Tableau, steps: Sequence[Step]) -> None:
        self._program = program
        self._gates = gates
        self._steps = steps
        self._preparations = Preparations()
        self._crossings = crossings(program)
        self.tableau = tableau
        self.number = 0
        self.halvings: int | None = 0

    def go(self, most: int) -> None:
        """Take the next step, or as many gates as follow one another, up to a number."""
        self.take(self._steps[self.number], most)

    def take(self, step: Step, most: int) -> None:
        """The same where the next step is at hand; at the last one nothing is left to do."""
        if self.number == most:
            return
        statement = self._program.code[step.point]
        if isinstance(statement, Apply):
            end = self._crossings[bisect_left(self._crossings, step.point)]
            taken = min(end - step.point, most - self.number)
            self._apply(step.point, step.point + taken)
            self.number += taken
        else:
            self._go(statement, step)
            self.number += 1

    def _apply(self, start: int, stop: int) -> None:
        stopped = self._gates.run(self.tableau, self._program.code, start, stop)
        statement = self._program.code[stopped]
        if stopped < stop and isinstance(statement, Apply):
            raise refused(statement.operator)

    def _go(self, statement: Statement, step: Step) -> None:
        match statement:
            case Measure(qubit, _):
                self._find(((qubit, 2),), bool(step.outcome))
            case Reset(qubit):
                self._reset(qubit, bool(step.choices and step.choices[0]))
            case Initialize(qubits, preparation):
                for qubit, was in zip(qubits, step.choices, strict=False):
                    self._reset(qubit, bool(was))
                self._prepare(preparation, qubits)
            case Channel():
                raise NotStabiliser("channels are not replayed")

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

    def _prepare(self, preparation: Operator, qubits: Sequence[int]) -> None:
        recipe = self._preparations.recipe(preparation)
        if recipe is None:
            raise NotStabiliser("a preparation of no stabiliser state")
        for generator, correction in zip(*recipe.on(qubits), strict=True):
            self.tableau.measure(generator.letters, [])
            if bool(self.tableau.sign(generator.letters)) != generator.minus:
                self.tableau.flip(correction, [0])


def _leading(program: Program, steps: Sequence[Step]) -> Iterator[Step]:
    """The steps without the gates that follow a gate."""
    if isinstance(steps, Journey):
        yield from steps.leading
        return
    turns, number = crossings(program), 0
    while number < len(steps):
        step = steps[number]
        yield step
        gate = isinstance(program.code[step.point], Apply)
        number += turns[bisect_left(turns, step.point)] - step.point if gate else 1
