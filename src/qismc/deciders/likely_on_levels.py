"""How likely the paths of bounds are, with the store on levels.

0 and 1 are decided exactly: nothing is kept of the vector at the end where a run satisfies `hold U goal`, or
where it does not. Between them lengths are measured in floating point, and a fraction f that they cannot be
told from is compared over the field: it is the probability iff (1 - f) <u|u> = f <w|w> for these two parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from qismc.common.lazily import cached_property
from qismc.deciders.bounds import Chance
from qismc.engines import Vector
from qismc.errors import NumbersDisagree, Undecided
from qismc.language import Threshold, rational
from qismc.levels import Answers, Measured, check_isometric, measured
from qismc.model import Model
from qismc.probability import REPRESENTATION, Field, Likelihood, recognised
from qismc.propositions import SpanOf
from qismc.questions import Likely
from qismc.symbolic import NotSymbolic as NotOnLevels

DISAGREE = "what is possible for generic angles has no probability in floating point"


def check_likely(model: Model, name: str) -> None:
    """Raise NotOnLevels where probabilities need the explicit store."""
    check_isometric(model.program)
    init, count = model.init, model.program.num_qubits
    if not isinstance(init, SpanOf) or len(init.states) != 1 or len(init.qubits or range(count)) < count:
        raise NotOnLevels(f"'{name}' asks for probabilities from several states")


class LevelChances:
    """The probabilities of claims whose questions were answered: `numbers` are those of all of them."""

    def __init__(self, model: Model, answers: Answers, numbers: Sequence[int]) -> None:
        self._model = model
        self._answers = answers
        self._numbers = numbers
        self._found: dict[Likely, Chance] = {}

    @cached_property
    def _measured(self) -> dict[int, Measured]:
        model, answers = self._model, self._answers
        order = answers.engine.order
        return measured(answers.translation, model.init, self._numbers, order, model.budget)

    @property
    def numeric(self) -> bool:
        """Was something measured in floating point?"""
        return "_measured" in self.__dict__

    def chance(self, claim: Likely, numbers: Sequence[int]) -> Chance:
        """How likely the path of a bound is; its questions have these two numbers."""
        if claim not in self._found:
            self._found[claim] = self._chance(claim, *numbers)
        return self._found[claim]

    def _chance(self, claim: Likely, number: int, against: int) -> Chance:
        satisfied, other = self._part(number), self._part(against)
        if satisfied is None or other is None:
            found = Chance.exactly(Fraction(int(other is None)))
        else:
            found = self._between(claim, number, satisfied, other)
        return found.complement if claim.negated else found

    def _part(self, number: int) -> Vector | None:
        """What is kept of the vector at the end; None if it is nothing."""
        if number in self._answers.doubts:
            raise self._answers.doubts[number]
        decisive = self._answers.decisive.get(number)
        return decisive[0].kept if decisive else None

    def _between(self, claim: Likely, number: int, satisfied: Vector, other: Vector) -> Chance:
        value, error = self._measured[number]
        if self._answers.engine.assumed.tentative and not error < value < 1 - error:
            raise NumbersDisagree(DISAGREE)
        for wanted in (recognised(value, error), _bound(claim)):
            near = wanted is not None and abs(float(wanted) - value) <= error + REPRESENTATION
            if wanted is not None and near and self._is_exactly(wanted, satisfied, other):
                return Chance.exactly(wanted)
        return Chance(Likelihood.within(value, value, error), self._model.zero)

    def _is_exactly(self, wanted: Fraction, satisfied: Vector, other: Vector) -> bool:
        field = Field.of(self._answers.engine)
        if field is None:
            return False
        try:
            here, there = field.gram([satisfied]), field.gram([other])
        except Undecided:
            return False
        algebra = field.algebra
        difference = algebra.plus(field.scaled(here, 1 - wanted), algebra.minus(field.scaled(there, wanted)))
        return not difference.any()


def _bound(claim: Likely) -> Fraction | None:
    """The fraction that `hold U goal` is compared with."""
    bound = claim.formula.bound
    value = rational(bound.number) if isinstance(bound, Threshold) else None
    return 1 - value if value is not None and claim.negated else value
