"""Replays one execution on a tableau whose signs are plain numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from qismc._core import Finding, Tableau
from qismc.program.operators import Operator
from qismc.program.program import Program
from qismc.program.statements import Apply, Channel, Initialize, Measure, Reset
from qismc.stabiliser.gates import Gates, refused
from qismc.stabiliser.paulis import Letters, NotStabiliser
from qismc.stabiliser.preparation import Preparations
from qismc.system.steered import Step


class Replay:
    """The probability of every step of an execution, and the code of its states at the end.

    Probabilities are None from where on the start leaves them open.
    """

    def __init__(self, program: Program, gates: Gates, start: Tableau, steps: Sequence[Step]) -> None:
        self._program = program
        self._gates = gates
        self._preparations = Preparations()
        self.tableau = start
        self.probabilities: list[Fraction | None] = []
        self._chance: Fraction | None = Fraction(1)
        for step in steps[:-1]:
            self.probabilities.append(self._chance)
            self._go(step)
        self.probabilities.append(self._chance)

    @property
    def possible(self) -> bool:
        """Can the execution happen?"""
        return self._chance != 0

    def _go(self, step: Step) -> None:
        match self._program.code[step.point]:
            case Apply(operator, qubits):
                action = self._gates.action(operator)
                if action is None:
                    raise refused(operator)
                for gate, local in action.steps:
                    self.tableau.apply(gate, [qubits[k] for k in local])
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
                self._chance = Fraction(0)
        elif self._chance:
            self._chance = self._chance / 2 if finding is Finding.coin else None

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
