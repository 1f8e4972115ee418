"""Spans of arrays in floating point, which fall into blocks where amplitudes are exactly zero."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from qismc.limits import Budget, Tolerance
from qismc.numbers import unit

Array = npt.NDArray[np.complex128]
Indices = npt.NDArray[np.intp]
TOGETHER = 32
"""Number of vectors that are added in one call of NumPy; a span of no more vectors has one block."""
MOST_MOVES = 8
"""How often, on average, a vector may be copied to a larger block before all blocks become one."""
MOST_WORK = 1 << 24
"""Multiplications, or copied numbers, between two checks of the time limit: some hundredths of a second."""


class Pace:
    """Cuts long work into slices, and checks the time limit before each."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget

    def look(self) -> None:
        self._budget.spend("comparing states")

    def slices(self, begin: int, end: int, cost: int) -> Iterator[slice]:
        """The items from one number to another, each of which costs so much."""
        step = max(1, MOST_WORK // max(1, cost))
        for first in range(begin, end, step):
            self.look()
            yield slice(first, min(first + step, end))


class SpanBlock:
    """An orthonormal basis of vectors that are zero outside of some places of the array."""

    def __init__(self, pace: Pace, places: Indices | None = None) -> None:
        self._pace = pace
        self.places = places
        """None: all of them, in their order."""
        self.numbers: list[int] = []
        """Which of all vectors that were offered to the span are kept here."""
        self._rows = np.empty((2, 0, 0), dtype=complex)
        """The basis and the unit vectors that it comes from; rows beyond those of kept vectors are room."""
        self._triangle: Array | None = None
        """Entry (j, i): the coefficient of unit vector i on row j of the basis, which is 0 for i < j."""

    @property
    def rows(self) -> Array:
        return self._rows[:, : len(self.numbers)]

    def part(self, vectors: Array) -> Array:
        """What vectors are at the places of the block."""
        return vectors if self.places is None else vectors[..., self.places]

    def is_full(self, part: Array) -> bool:
        """Is it everything? Then nothing needs to be asked."""
        return len(self.numbers) == int(part.shape[-1])

    def cleared(self, parts: Array, first: int = 0) -> Array:
        """What the basis, from a row on, leaves of parts."""
        for _ in range(2):  # twice is enough (Kahan): the second pass removes the rounding of the first
            for some in self._pace.slices(first, len(self.numbers), parts.size):
                known = self.rows[0, some]
                parts = parts - (parts.conj() @ known.T).conj() @ known
        return parts

    def append(self, number: int, rows: Array) -> None:
        """Keep a vector: a row of the basis, and the unit vector that it comes from."""
        self.extend([number], rows[:, None])

    def extend(self, numbers: Sequence[int], rows: Array) -> None:
        """Keep several."""
        count, needed = len(self.numbers), len(self.numbers) + len(numbers)
        if needed > self._rows.shape[1]:
            grown = np.empty((2, max(4, 2 * count, needed), rows.shape[2]), dtype=complex)
            for some in self._pace.slices(0, count, rows[:, 0].size):
                grown[:, some] = self._rows[:, some]
            self._rows = grown
        self._rows[:, count:needed] = rows
        self.numbers += numbers
        self._triangle = None

    def coordinates(self, part: Array) -> Array:
        """The coefficients on the kept vectors."""
        if self._triangle is None:
            self._triangle = self._on_basis(self.rows[1])
        found = self._on_basis(part[None])[:, 0]
        for end in range(len(found), 0, -TOGETHER):
            some = slice(max(0, end - TOGETHER), end)
            rest = found[some] - self._triangle[some, end:] @ found[end:]
            found[some] = np.linalg.solve(self._triangle[some, some], rest)
        return found

    def _on_basis(self, vectors: Array) -> Array:
        """The coefficients of vectors on the basis, one column for each vector."""
        found = np.empty((len(self.numbers), len(vectors)), dtype=complex)
        for begin in range(0, len(vectors), TOGETHER):
            group = vectors[begin : begin + TOGETHER]
            for some in self._pace.slices(0, len(self.numbers), group.size):
                found[some, begin : begin + TOGETHER] = (group.conj() @ self.rows[0, some].T).conj().T
        return found


class DenseSpan:
    """An orthonormal basis; membership is the length of what the basis does not explain.

    Vectors whose non-zero amplitudes are at different places are orthogonal, without rounding. So they fall
    into blocks that share no place: after a measurement there is one for each outcome.
    """

    def __init__(self, tolerance: Tolerance, budget: Budget) -> None:
        self._tolerance = tolerance
        self._pace = Pace(budget)
        self.dimension = 0
        self._offered = 0
        self._blocks = {0: SpanBlock(self._pace)}
        self._home: Indices | None = None
        """The block of each place, -1 where all vectors are zero; None where there is one block."""
        self._may_split = True
        self._moved = 0
        """How many vectors were copied to larger blocks."""

    def add(self, vector: Array) -> bool:
        return self.add_all([vector])[0]

    def add_all(self, vectors: Sequence[Array]) -> list[bool]:
        fresh: list[bool] = []
        for begin in range(0, len(vectors), TOGETHER):
            self._pace.look()
            units = np.array([unit(vector) for vector in vectors[begin : begin + TOGETHER]])
            fresh += self._add_some(units)
            self._offered += len(units)
        return fresh

    def _add_some(self, units: Array) -> list[bool]:
        if self._may_split and self.dimension + len(units) > TOGETHER:
            self._split(units.shape[1])
        fresh = [False] * len(units)
        for block, members in self._grouped(units):
            parts = block.part(units[members])
            first, rests = len(block.numbers), block.cleared(parts)
            for k, part, rest in zip(members, parts, rests, strict=True):
                fresh[k] = self._join(block, self._offered + k, part, rest, first)
        return fresh

    def _join(self, block: SpanBlock, number: int, part: Array, rest: Array, first: int) -> bool:
        """Add a unit vector, given what the basis before row `first` leaves of it."""
        if block.is_full(part):
            return False
        before = float(np.linalg.norm(rest))
        rest = block.cleared(rest, first)
        length = float(np.linalg.norm(rest))
        if self._tolerance.is_zero(length, "does a new state enlarge the span"):
            return False
        if length < before / 2:  # digits were lost
            rest = block.cleared(rest)
        block.append(number, np.array([rest / np.linalg.norm(rest), part]))
        self.dimension += 1
        return True

    # --- blocks ------------------------------------------------------------------------------------------

    def _split(self, size: int) -> None:
        """Let the vectors so far, which are one block, fall into blocks."""
        self._may_split = False
        whole = self._blocks.pop(0)
        self._home = np.full(size, -1, dtype=np.intp)
        for number, basis, vector in zip(whole.numbers, *whole.rows, strict=True):
            block = self._settled((basis != 0) | (vector != 0))
            block.append(number, block.part(np.array([basis, vector])))

    def _grouped(self, units: Array) -> list[tuple[SpanBlock, list[int]]]:
        """The vectors by their blocks, which are made such that each is inside of one; zero is in none."""
        if self._home is not None:
            for row in units:
                self._settled(row != 0)
            if self._moved > MOST_MOVES * (self.dimension + TOGETHER):
                self._settled(np.ones(units.shape[1], dtype=bool))
        if self._home is None:
            return [(self._blocks[0], list(range(len(units))))]
        found: dict[int, list[int]] = {}
        for k, row in enumerate(units):
            if row.any():
                found.setdefault(int(self._home[np.argmax(row != 0)]), []).append(k)
        return [(self._blocks[home], members) for home, members in found.items()]

    def _settled(self, wanted: npt.NDArray[np.bool_]) -> SpanBlock:
        """The block with the wanted places; blocks that have some of them become one."""
        assert self._home is not None
        places = np.flatnonzero(wanted)
        homes = self._home[places]
        if len(places) and homes[0] >= 0 and (homes == homes[0]).all():
            return self._blocks[int(homes[0])]
        tied = [self._blocks.pop(int(home)) for home in np.unique(homes) if home >= 0]
        parts = [block.places for block in tied if block.places is not None]
        new = places[homes < 0]
        found = SpanBlock(self._pace, np.concatenate([*parts, new]))
        begins = [0, *accumulate(map(len, [*parts, new]))]
        for block, part, begin in zip(tied, parts, begins, strict=False):
            for some in self._pace.slices(0, len(block.numbers), 2 * begins[-1]):
                numbers = block.numbers[some]
                wide = np.zeros((2, len(numbers), begins[-1]), dtype=complex)
                wide[:, :, begin : begin + len(part)] = block.rows[:, some]
                found.extend(numbers, wide)
                self._moved += len(numbers)
        if len(places):
            self._blocks[int(places[0])] = found
            self._home[found.places] = places[0]
        return found

    def _parts(self, vector: Array) -> tuple[list[tuple[SpanBlock, Array]], float]:
        """What a vector is on every block that it touches, and the square of what lies on no block."""
        if self._home is None:
            return [(self._blocks[0], vector)], 0.0
        places = np.flatnonzero(vector)
        homes = self._home[places]
        outside = vector[places[homes < 0]]
        blocks = [self._blocks[int(home)] for home in np.unique(homes) if home >= 0]
        return [(block, block.part(vector)) for block in blocks], float(np.vdot(outside, outside).real)

    # --- questions ---------------------------------------------------------------------------------------

    def contains(self, vector: Array) -> bool:
        parts, square = self._parts(unit(vector))
        for block, part in parts:
            if not block.is_full(part):
                square += float(np.linalg.norm(block.cleared(part))) ** 2
        return self._tolerance.is_zero(float(np.sqrt(square)), "does a state lie in the span")

    def coordinates(self, vector: Array) -> Array | None:
        """The coefficients on the unit vectors along the kept ones."""
        found = np.zeros(self.dimension, dtype=complex)
        if not np.any(vector):
            return found
        if not self.contains(vector):
            return None
        kept = sorted(number for block in self._blocks.values() for number in block.numbers)
        for block, part in self._parts(vector)[0]:
            if block.numbers:
                found[np.searchsorted(kept, block.numbers)] = block.coordinates(part)
        return found
