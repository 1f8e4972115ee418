"""How likely a path formula is, from a location on: the interval of the eigenvalues of its effect on sp."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, log10

import numpy as np

from qismc.errors import NumericDoubt
from qismc.language import Relation, Threshold, rational
from qismc.limits import Tolerance
from qismc.probability.chain import Matrix, spectrum
from qismc.probability.effects import Effects, solve_effects
from qismc.probability.frames import Frames
from qismc.probability.until import Until
from qismc.program import Leaf
from qismc.system import At

LARGEST_DENOMINATOR = 4096
COINCIDENCE = 1e-4
"""Largest accepted chance that a random number is taken for a fraction."""
FINEST = 1e-14
"""Smallest error that is assumed of a computed number."""


def recognised(value: float, error: float) -> Fraction | None:
    """The simplest fraction within the error, unless some fraction would be there by chance.

    >>> recognised(0.0625, 1e-14), recognised(0.6180339887498949, 1e-14)
    (Fraction(1, 16), None)
    """
    room = max(error, FINEST)
    size = 1
    while size <= LARGEST_DENOMINATOR and size * size * room < COINCIDENCE:
        found = Fraction(value).limit_denominator(size)
        if abs(value - found) <= room:
            return found
        size *= 2
    return None


def number_text(value: float, error: float, digits: int = 6) -> str:
    """The number as far as it is known, with the fraction that was recognised in it."""
    found, text = recognised(value, error), f"{value:.{digits}g}"
    if found is None or found.denominator == 1:
        return text if found is None else str(found)
    return f"{text} (recognised as {found})"


def bound_text(error: float) -> str:
    """The next larger power of ten as a text.

    >>> bound_text(3e-13)
    '1e-12'
    """
    return f"1e{ceil(log10(error)):+03d}" if error > 0 else "0"


REPRESENTATION = 4 * float(np.finfo(float).eps)
"""Thresholds such as 1/3 are rounded, too."""


@dataclass(frozen=True)
class Likelihood:
    """The probability lies between `low` and `high`, which are known up to `error`.

    `low` and `high` differ only where several states are possible: they belong to the least and the most
    favourable one.
    """

    low: float
    high: float
    error: float
    exact: Fraction | None = field(default=None, compare=False)
    """The number itself, where that is known."""

    @classmethod
    def exactly(cls, value: Fraction | float) -> Likelihood:
        """A fraction; those that are no floating-point numbers have an error."""
        exact, found = Fraction(value), float(value)
        rounded = max(sys.float_info.min, found * sys.float_info.epsilon)
        return cls(found, found, 0.0 if Fraction(found) == exact else rounded, exact)

    @classmethod
    def within(cls, low: float, high: float, error: float) -> Likelihood:
        """Clipped to what a probability can be; one number if the ends cannot be told apart."""
        low, high = max(0.0, min(1.0, low)), max(0.0, min(1.0, high))
        error = min(1.0, error)
        if high - low <= error:
            low = high = (low + high) / 2
        return cls(low, high, error)

    def __float__(self) -> float:
        if self.low != self.high:
            raise ValueError(f"the probability depends on the state: between {self.low} and {self.high}")
        return self.low

    @property
    def text(self) -> str:
        """The number, or the interval, with its error."""
        if self.exact is not None:
            return _exact_text(self.exact)
        ends = number_text(self.low, self.error, 12)
        if self.low != self.high:
            ends = f"between {ends} and {number_text(self.high, self.error, 12)}"
        return f"{ends}, error < {bound_text(self.error)}" if self.error else ends

    @property
    def complement(self) -> Likelihood:
        """That of the opposite event."""
        if self.exact is not None:
            return Likelihood.exactly(1 - self.exact)
        return Likelihood(1 - self.high, 1 - self.low, self.error)

    def satisfies(self, threshold: Threshold) -> bool:
        """`>=` and `>` speak of the least favourable state, `<=` and `<` of the most favourable one."""
        bound = rational(threshold.number)
        if self.exact is not None and bound is not None:
            return compared(self.exact, threshold.relation, bound)
        lower = threshold.relation in (">=", ">")
        distance = (self.low if lower else self.high) - threshold.value
        if abs(distance) <= self.error + REPRESENTATION:
            raise Undecidable(self, threshold)
        return (distance > 0) == lower


def compared(value: Fraction, relation: Relation, bound: Fraction) -> bool:
    """Does a number stand in a relation to another one?"""
    return {">=": value >= bound, ">": value > bound, "<=": value <= bound, "<": value < bound}[relation]


def _exact_text(exact: Fraction) -> str:
    short = 1 < exact.denominator <= LARGEST_DENOMINATOR
    return f"exactly {exact} ({float(exact):.12g})" if short else f"exactly {float(exact):.12g}"


class Undecidable(NumericDoubt):
    """A threshold lies within the error bound of a probability."""

    def __init__(self, found: Likelihood, threshold: Threshold) -> None:
        self.found = found
        super().__init__(
            f"the probability is {found.text}, which does not decide about "
            f"{threshold.relation} {threshold.value:.12g}",
            hint="choose a threshold outside of the interval",
        )


class NumericUntil:
    """`hold U goal` with its effects at all stations."""

    def __init__(self, frames: Frames, until: Until) -> None:
        self.frames = frames
        self._solved = frames.solved
        self._until = until
        self.decided = {
            k: value
            for k, station in enumerate(frames.stations)
            if (value := self.first(station, station.point)) is not None
        }
        self.effects: Effects = solve_effects(frames.chain, self.decided, Tolerance())

    def first(self, station: At, point: int) -> float | None:
        """1 or 0 if a goal or a bad location comes first from a point on; None if neither, up to the next.

        0 at the end, which is never left; and where no execution arrives and only an annotation does: no
        likelihood of a location depends on it.
        """
        if not self._solved.system.has(station.node):
            return 0.0
        index = self._first_decisive(station, point)
        if index is not None:
            return float(self._until.goal[index])
        return 0.0 if isinstance(self._solved.explorer.program.code[station.node.last], Leaf) else None

    def decisive_point(self, station: At) -> int:
        """The first point from a station on that decides; the end decides by being the end."""
        index = self._first_decisive(station, station.point)
        if index is None:
            return station.point
        return index - self._solved.system.first(station.node) + station.node.start

    def _first_decisive(self, station: At, point: int) -> int | None:
        cut = self._solved.posts.cuts.after(*station)
        return self._until.first(station.node, point, None if cut is None else cut.point)

    def at(self, index: int) -> Likelihood | None:
        """The likelihood at a location; None where no state arrives."""
        node, point = self._solved.system.node_of(index)
        station = self._solved.posts.cuts.station_at_or_before(node, point)
        k = self.frames.number.get(station)
        if k is None:
            return None
        value = self.first(station, point)
        if value is not None:
            return Likelihood.exactly(value)
        if not self.frames.is_whole(k):
            raise NumericDoubt("rounding hides some of the states that arrive at a location")
        effect, error = self.effects.onwards(k)
        return Likelihood.within(*spectrum(effect), spectrum(error)[1])

    def from_start(self) -> Likelihood:
        """The likelihood from `init` on: l0 may be visited again later, with other states."""
        if self.frames.entry in self.decided:
            return Likelihood.exactly(self.decided[self.frames.entry])
        effect, error = self._from_start()
        return Likelihood.within(*spectrum(effect), spectrum(error)[1])

    def _from_start(self) -> tuple[Matrix, Matrix]:
        start = self.frames.start
        effect, error = self.effects.onwards(self.frames.entry)
        return start.conj().T @ effect @ start, start.conj().T @ error @ start

    def near(self, index: int | None, value: float, least: float = 0.0) -> int:
        """How many eigenvalues at an undecided location (None: from `init` on) may equal a value.

        All that differ by no more than `least` count.
        """
        if index is None:
            effect, error = self._from_start()
        else:
            station = self._solved.posts.cuts.station_at_or_before(*self._solved.system.node_of(index))
            effect, error = self.effects.onwards(self.frames.number[station])
        distances = np.abs(np.linalg.eigvalsh(effect) - value)
        return int(np.count_nonzero(distances <= max(spectrum(error)[1], least) + REPRESENTATION))
