"""All values of some bits at the end, each with its probability, off one vector that carries all outcomes.

On few levels amplitudes are listed, and those of the same value are summed up. On many levels bits are read
one by one: what is kept of the vector where the first is 0, where it is 1, and of each of these where the
second is 0, and so on; a branch ends where nothing is kept, so that the cost is that of the values which are
possible, not of all outcomes of the program. What is possible an exact vector tells; a numeric one beside it
has the probabilities as squared lengths.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from qismc.engines import Vector
from qismc.levels.decide import Answers
from qismc.levels.lengths import Ended, Run
from qismc.levels.script import Probe
from qismc.symbolic import And, Bool, Literal, NotOnLevels, levels_of

MOST_LISTED = 20
"""Amplitudes of so many levels are listed: 16 MB of them."""
MOST_VALUES = 1 << 16
"""So many are read one by one; a list of more is no use to anybody, and need not end."""
STAGE = "reading outcomes"
Booleans = npt.NDArray[np.bool_]


class Value(NamedTuple):
    """The bits that were read, the first one lowest; how likely they are, and how wrong that may be."""

    number: int
    chance: float
    error: float


class Histogram:
    """The possible values of what a probe reads, in no order; raises NotOnLevels where they are too many."""

    def __init__(self, answers: Answers, probe: Probe, run: Run) -> None:
        self._answers = answers
        self._reads = probe.reads
        self._run = run

    def values(self, exact: Vector, numeric: Ended) -> Iterator[Value]:
        """`exact` and `numeric` are what the probe keeps."""
        if self._answers.engine.num_qubits <= MOST_LISTED:
            return self._listed(exact, numeric)
        return self._one_by_one(exact, numeric)

    # --- one bit after the other -------------------------------------------------------------------------

    def _one_by_one(self, exact: Vector, numeric: Ended) -> Iterator[Value]:
        steps, engine = self._answers.spread.steps, self._answers.engine
        pending = [(0, 0, exact, numeric)]
        count = 0
        while pending:
            place, number, here, beside = pending.pop()
            if place == len(self._reads):
                count += 1
                if count > MOST_VALUES:
                    raise NotOnLevels(f"more than {MOST_VALUES} values are possible")
                yield Value(number, beside.length**2, self._run.error(beside.cost))
                continue
            self._answers.spread.budget.spend(STAGE)
            for value, kept in enumerate(self._reads[place].kept):
                if kept is None:
                    continue
                after = steps.run(kept, here) if kept else here
                if not kept or not engine.is_zero(after):
                    further = number | value << place
                    pending.append((place + 1, further, after, self._run.after(kept, beside)))

    # --- all amplitudes at once --------------------------------------------------------------------------

    def _listed(self, exact: Vector, numeric: Ended) -> Iterator[Value]:
        """The levels that no bit depends on are summed over first."""
        engine, simulator = self._answers.engine, self._run.engine
        levels = sorted({level for read in self._reads for level in levels_of(read.function)})
        amplitudes = simulator.listed(numeric.vector)
        chances = np.abs(amplitudes / np.linalg.norm(amplitudes)) ** 2 * numeric.length**2
        weights = self._marginal(chances, levels)
        possible = self._marginal(engine.possible(exact), levels) > 0
        self._answers.spread.budget.spend(STAGE)
        numbers, found = np.unique(self._numbers(levels), return_inverse=True)
        sums = np.bincount(found, weights=weights)
        seen = np.bincount(found, weights=possible) > 0
        error = self._run.error(numeric.cost + len(self._reads))
        return (Value(int(numbers[k]), float(sums[k]), error) for k in np.flatnonzero(seen))

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
