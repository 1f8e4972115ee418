"""Replays one execution on a tableau whose signs are plain numbers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction

from qismc._core import Finding, Strings, Tableau
from qismc.program.operators import Operator
from qismc.program.program import Program
from qismc.program.statements import Apply, Channel, Initialize, Measure, Reset
from qismc.stabiliser.gates import Gates, refused
from qismc.stabiliser.paulis import Letters, NotStabiliser
from qismc.stabiliser.preparation import Preparations
from qismc.system.columns import crossings
from qismc.system.steered import Step


class Replay:
    """The probability of every step of an execution, and the code of its states at the end.

    Probabilities are None from where on the start leaves them open.
    """

    def __init__(self, program: Program, gates: Gates, start: Tableau, steps: Sequence[Step]) -> None:
        self._program = program
        self._gates = gates
        self._start = start
        self._steps = steps
        course = self._begun()
        self.probabilities: list[Fraction | None] = []
        while course.number + 1 < len(steps):
            chance = course.chance
            self.probabilities += [chance] * course.go(len(steps) - 1)
        self.probabilities.append(course.chance)
        self.tableau = course.tableau
        self._again: _Course | None = None

    def _begun(self) -> _Course:
        return _Course(self._program, self._gates, self._start.copy(), self._steps)

    @property
    def possible(self) -> bool:
        """Can the execution happen?"""
        return self.probabilities[-1] != 0

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
        self.chance: Fraction | None = Fraction(1)

    def go(self, most: int) -> int:
        """Take a step, or as many gates as follow one another, up to a number; how many steps that are."""
        step = self._steps[self.number]
        if isinstance(self._program.code[step.point], Apply):
            end = self._crossings[bisect_left(self._crossings, step.point)]
            taken = min(end - step.point, most - self.number)
            self._apply(step.point, step.point + taken)
        else:
            taken = 1
            self._go(step)
        self.number += taken
        return taken

    def _apply(self, start: int, stop: int) -> None:
        stopped = self._gates.run(self.tableau, self._program.code, start, stop)
        statement = self._program.code[stopped]
        if stopped < stop and isinstance(statement, Apply):
            raise refused(statement.operator)

    def _go(self, step: Step) -> None:
        match self._program.code[step.point]:
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
                self.chance = Fraction(0)
        elif self.chance:
            self.chance = self.chance / 2 if finding is Finding.coin else None

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
