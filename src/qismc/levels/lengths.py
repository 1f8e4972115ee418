"""How likely runs are, with the store on levels: the lengths of what functions of the outcomes keep.

A program without loops is one script, and its factors are isometries: gates, copies of outcomes on fresh
levels, levels that resets leave behind. So the vector at the end has length 1, and what is kept of it where a
run satisfied `hold U goal` has the probability of that as its squared length. Floating point is enough for
it: an error d of a unit vector changes a squared length by 2 |d| + |d|^2 at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from qismc.engines import Block, DenseEngine, NativeEngine, Numeric, Vector
from qismc.errors import NumericDoubt
from qismc.levels.script import Factors, Probe
from qismc.levels.spread import LONGEST_BLOCK, whole
from qismc.levels.starts import is_all_zero, starts
from qismc.levels.translate import Translation
from qismc.limits import REPLAYS, Budget
from qismc.numbers import ComplexForm
from qismc.probability import DENSE_ROUNDING, MOST_ARRAY_QUBITS, TRAIN_ROUNDING, making
from qismc.program import Apply, Channel, Factor, Havoc, Program
from qismc.propositions import Proposition
from qismc.symbolic import NotOnLevels

STAGE = "probabilities on levels"


class Ended(NamedTuple):
    """The vector at the end, how long it is, and what it has cost so far."""

    vector: Vector
    length: float
    cost: float


class Measured(NamedTuple):
    """A probability, and how wrong it may be."""

    value: float
    error: float


def check_isometric(program: Program) -> None:
    """Raise NotOnLevels if something is left to chance, or to the environment, that levels give no weight."""
    for statement in program.code:
        if isinstance(statement, Channel | Havoc):
            raise NotOnLevels("Kraus channels and values that are left open have no weight on levels")
        if isinstance(statement, Apply) and not statement.operator.unitary:
            raise NotOnLevels("an operator that is not unitary")


def measured(
    translation: Translation,
    init: Proposition,
    numbers: Iterable[int],
    order: Sequence[int],
    budget: Budget,
) -> dict[int, Measured]:
    """By number of a question at the end: the probability of what its probe keeps; 0 where it has none."""
    run = Run(translation.levels.count, order, budget)
    found = {number: Measured(0.0, 0.0) for number in numbers}
    for probe, kept in run.through(translation, init, set(numbers)):
        found[probe.number] = Measured(kept.length**2, run.error(kept.cost))
    return found


class Run:
    """One vector on its way through a script, with its length and the rounding so far."""

    def __init__(self, levels: int, order: Sequence[int], budget: Budget) -> None:
        small = levels <= MOST_ARRAY_QUBITS
        self.engine: Numeric = (
            DenseEngine(levels, budget)
            if small
            else NativeEngine(ComplexForm(), order, budget, tolerance=REPLAYS)
        )
        self._budget = budget
        self._rounding = DENSE_ROUNDING if small else TRAIN_ROUNDING
        self._place = {level: k for k, level in enumerate(order)}
        self._blocks: dict[int, tuple[Factors, Block]] = {}

    def through(
        self, translation: Translation, init: Proposition, numbers: set[int]
    ) -> Iterator[tuple[Probe, Ended]]:
        """The probes of questions at the end, each with what it keeps of the vector there."""
        program = translation.graph.program
        clean = is_all_zero(init, program.num_qubits)
        (vector,) = starts(self.engine, init, program.num_qubits)
        made = 0.0 if clean else making(self.engine.sub(range(program.num_qubits)), init)
        here = self.after(translation.start, Ended(vector, 1.0, made + 1))._replace(length=1.0)
        for piece in translation.scripts[program.entry].pieces:
            here = self.after(piece.factors, here)
            for probe in (probe for probe in piece.probes if probe.number in numbers):
                kept = self.after(probe.factors, here)
                if abs(here.length - 1) > self.error(kept.cost):
                    raise NumericDoubt("rounding has changed the length of a state by more than expected")
                yield probe, kept

    def error(self, cost: float) -> float:
        """How wrong the probability of what is kept may be."""
        return 4 * self._rounding * cost

    def after(self, factors: Factors, before: Ended) -> Ended:
        """What factors leave of a vector, how long it is, and what it has cost."""
        vector, length, cost = before
        for first in range(0, len(factors), LONGEST_BLOCK):
            part = factors[first : first + LONGEST_BLOCK]
            self._budget.spend(STAGE)
            vector = self.engine.run(self._block(part), vector)
            length *= self.engine.length(vector)
            cost += sum(map(self._cost, part))
            if length == 0:
                break
        return Ended(vector, length, cost)

    def _block(self, part: Factors) -> Block:
        """What is read again and again is compiled once. (Factors are kept: no others take their id.)"""
        if id(part) not in self._blocks:
            self._blocks[id(part)] = part, self.engine.compile([whole(self.engine, part)])
        return self._blocks[id(part)][1]

    def _cost(self, factor: Factor) -> float:
        """Trains may drop something at every bond that a factor spans."""
        if self.engine.dense:
            return factor.base.roundings
        rounded = factor.base.roundings * DENSE_ROUNDING / TRAIN_ROUNDING
        places = [self._place[level] for level in (*factor.targets, *(level for level, _ in factor.controls))]
        return max(1.0, rounded, max(places) - min(places)) if places else 1.0
