"""How likely runs are, with the store on levels: the lengths of what functions of the outcomes keep.

A program without loops is one script, and its factors are isometries: gates, copies of outcomes on fresh
levels, levels that resets leave behind. So the vector at the end has length 1, and what is kept of it where a
run satisfied `hold U goal` has the probability of that as its squared length. Floating point is enough for
it: an error d of a unit vector changes a squared length by 2 |d| + |d|^2 at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from qismc.engines import DenseEngine, NativeEngine, Numeric, Vector
from qismc.errors import NumericDoubt
from qismc.levels.decide import Answers
from qismc.levels.script import Factors, Probe
from qismc.levels.spread import Steps, is_all_zero, starts
from qismc.levels.translate import Translation
from qismc.limits import REPLAYS, Budget
from qismc.numbers import ComplexForm
from qismc.probability import DENSE_ROUNDING, MOST_ARRAY_QUBITS, TRAIN_ROUNDING, making
from qismc.program import Apply, Channel, Factor, Havoc, Program
from qismc.propositions import Proposition
from qismc.symbolic import And, Bool, Literal, NotSymbolic, levels_of

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
    """Raise NotSymbolic if something is left to chance, or to the environment, that levels give no weight."""
    for statement in program.code:
        if isinstance(statement, Channel | Havoc):
            raise NotSymbolic("Kraus channels and values that are left open have no weight on levels")
        if isinstance(statement, Apply) and not statement.operator.unitary:
            raise NotSymbolic("an operator that is not unitary")


def measured(
    translation: Translation,
    init: Proposition,
    numbers: Iterable[int],
    order: Sequence[int],
    budget: Budget,
) -> dict[int, Measured]:
    """By number of a question at the end: the probability of what its probe keeps; 0 where it has none."""
    run = NumericRun(translation.levels.count, order, budget)
    found = {number: Measured(0.0, 0.0) for number in numbers}
    for probe, kept in run.through(translation, init, set(numbers)):
        found[probe.number] = Measured(kept.length**2, run.error(kept.cost))
    return found


class NumericRun:
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
        self._steps = Steps(self.engine)

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
        for part, block in self._steps.compiled(factors):
            self._budget.spend(STAGE)
            vector = self.engine.run(block, vector)
            length *= self.engine.length(vector)
            cost += sum(map(self._cost, part))
            if length == 0:
                break
        return Ended(vector, length, cost)

    def _cost(self, factor: Factor) -> float:
        """Trains may drop something at every bond that a factor spans."""
        if self.engine.dense:
            return factor.base.roundings
        rounded = factor.base.roundings * DENSE_ROUNDING / TRAIN_ROUNDING
        places = [self._place[level] for level in (*factor.targets, *(level for level, _ in factor.controls))]
        return max(1.0, rounded, max(places) - min(places)) if places else 1.0


MOST_LISTED = 20
"""Amplitudes of so many levels are listed: 16 MB of them."""
MOST_VALUES = 1 << 16
"""Largest number of values that are listed; above it NotSymbolic is raised."""
READING = "reading outcomes"
Booleans = npt.NDArray[np.bool_]


ReadValue = tuple[int, float, float]
"""The bits that were read, the first one lowest; how likely they are, and how wrong that may be."""


class Histogram:
    """The possible values of what a probe reads, in no order; raises NotSymbolic where they are too many.

    On few levels amplitudes are listed, and those of the same value are summed up. On many levels bits are
    read one after the other: what is kept of the vector where the first is 0, where it is 1, and of each of
    these where the second is 0, and so on. A branch ends where nothing is kept, so the cost is that of the
    values that are possible. An exact vector tells what is possible; a numeric one beside it has the
    probabilities as squared lengths.
    """

    def __init__(self, answers: Answers, probe: Probe, run: NumericRun) -> None:
        self._answers = answers
        self._reads = probe.reads
        self._run = run

    def values(self, exact: Vector, numeric: Ended) -> Iterator[ReadValue]:
        """`exact` and `numeric` are what the probe keeps."""
        if self._answers.engine.num_qubits <= MOST_LISTED:
            return self._listed(exact, numeric)
        return self._one_by_one(exact, numeric)

    # --- one bit after the other -------------------------------------------------------------------------

    def _one_by_one(self, exact: Vector, numeric: Ended) -> Iterator[ReadValue]:
        steps, engine = self._answers.spread.steps, self._answers.engine
        pending = [(0, 0, exact, numeric)]
        count = 0
        while pending:
            place, number, here, beside = pending.pop()
            if place == len(self._reads):
                count += 1
                if count > MOST_VALUES:
                    raise NotSymbolic(f"more than {MOST_VALUES} values are possible")
                yield number, beside.length**2, self._run.error(beside.cost)
                continue
            self._answers.spread.budget.spend(READING)
            for value, kept in enumerate(self._reads[place].kept):
                if kept is None:
                    continue
                after = steps.run(kept, here) if kept else here
                if not kept or not engine.is_zero(after):
                    further = number | value << place
                    pending.append((place + 1, further, after, self._run.after(kept, beside)))

    # --- all amplitudes at once --------------------------------------------------------------------------

    def _listed(self, exact: Vector, numeric: Ended) -> Iterator[ReadValue]:
        """The levels that no bit depends on are summed over first."""
        engine, simulator = self._answers.engine, self._run.engine
        levels = sorted({level for read in self._reads for level in levels_of(read.function)})
        amplitudes = simulator.listed(numeric.vector)
        chances = np.abs(amplitudes / np.linalg.norm(amplitudes)) ** 2 * numeric.length**2
        weights = self._marginal(chances, levels)
        possible = self._marginal(engine.possible(exact), levels) > 0
        self._answers.spread.budget.spend(READING)
        numbers, found = np.unique(self._numbers(levels), return_inverse=True)
        sums = np.bincount(found, weights=weights)
        seen = np.bincount(found, weights=possible) > 0
        error = self._run.error(numeric.cost + len(self._reads))
        return ((int(numbers[k]), float(sums[k]), error) for k in np.flatnonzero(seen))

    def _marginal(self, values: npt.NDArray[np.generic], levels: list[int]) -> npt.NDArray[np.float64]:
        count = self._answers.engine.num_qubits
        others = tuple(level for level in range(count) if level not in set(levels))
        return np.asarray(values.reshape((2,) * count).sum(axis=others, dtype=float)).reshape(-1)

    def _numbers(self, levels: list[int]) -> npt.NDArray[np.object_]:
        """What the bits are together, for every combination of values of the levels."""
        place = {level: len(levels) - 1 - k for k, level in enumerate(levels)}
        digits = np.arange(1 << len(levels))
        known: dict[Bool, Booleans] = {}

        def truth(function: Bool) -> Booleans:
            if isinstance(function, bool):
                return np.full(len(digits), function)
            if function not in known:
                if isinstance(function, Literal):
                    known[function] = (digits >> place[function.level] & 1) == function.value
                else:
                    parts = [truth(part) for part in function.parts]
                    together = np.logical_and if isinstance(function, And) else np.logical_xor
                    flipped = not isinstance(function, And) and function.flipped
                    known[function] = together.reduce(parts) != flipped
            return known[function]

        wide = len(self._reads) > np.iinfo(np.int64).bits - 2
        found = np.zeros(len(digits), dtype=object if wide else np.int64)
        for k, read in enumerate(self._reads):
            found = found | truth(read.function).astype(found.dtype) << k
        return found
