"""Which angles are simple multiples of others, up to multiples of pi/48: found by sorting into buckets.

A circuit with literal angles has hundreds of them, and nearly all are on their own. So angles that are known
beforehand are compared at once: only multiples that one of them may be are noted.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Container, Iterator, Sequence
from fractions import Fraction
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Reals = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

GRID = Fraction(1, 96)
"""Transpilers add and subtract multiples of pi/24, or divide such sums by 2, 4, 8."""
GRID_RADIANS = 2 * math.pi * float(GRID)
DENOMINATORS = {1: 16, 2: 7, 3: 4, 4: 5, 8: 3}
"""Denominators of the factors that are tried, each with its largest numerator."""
MULTIPLES = tuple(
    sorted({Fraction(top, bottom) for bottom, tops in DENOMINATORS.items() for top in range(1, tops + 1)})
)
"""An angle that is one of these times another angle, up to a multiple of pi/48, is expressed by it."""
NEAR = 2e-14
"""Largest difference between an angle and a combination that it may be, relative to the largest part."""
BUCKET = 1e-11
"""Width of a bucket in radians: wider than any accepted difference, so that neighbours are enough."""
BUCKETS = round(GRID_RADIANS / BUCKET)
BESIDE = (0, -1, 1)
"""A bucket and its neighbours."""
SIGNS = (1, -1)


class Multiple(NamedTuple):
    """`factor` times the angle `of`."""

    value: float
    factor: Fraction
    of: float


Met = tuple[int, Fraction, Multiple]
"""(sign, turn, multiple): sign * (multiple + 2 pi turn) is the angle that was asked for."""


class AngleMultiples:
    """The multiples of some angles; with `sought` only those that may be met by one of these angles."""

    def __init__(
        self, factors: Sequence[Fraction] = MULTIPLES, sought: Reals | None = None, near: float = NEAR
    ) -> None:
        self._factors = factors
        self._allowed = near
        self._near: dict[int, list[Multiple]] = {}
        self._sought = None if sought is None else np.sort(_asked(sought))
        self._followed = 0

    def up_to_date(self, angles: Collection[float]) -> AngleMultiples:
        """The same with the multiples of these angles; those that are new since the last time come last."""
        for angle in islice(angles, self._followed, None):
            self.add(angle)
        self._followed = len(angles)
        return self

    def add(self, angle: float) -> None:
        for factor in self._factors:
            value = angle * float(factor)
            self._near.setdefault(_bucket(value), []).append(Multiple(value, factor, angle))

    def add_all(self, angles: Sequence[float]) -> None:
        """Add the multiples of many angles, but only those that may meet a sought angle."""
        values = np.multiply.outer(np.array(angles, dtype=np.float64), np.array([*map(float, self._factors)]))
        buckets = _buckets(values)
        rows, columns = np.nonzero(self._may_be_met(buckets))
        kept = values[rows, columns].tolist(), buckets[rows, columns].tolist()
        for value, bucket, row, column in zip(*kept, rows.tolist(), columns.tolist(), strict=True):
            self._near.setdefault(bucket, []).append(Multiple(value, self._factors[column], angles[row]))

    def _may_be_met(self, buckets: Integers) -> npt.NDArray[np.bool_]:
        if self._sought is None:
            return np.ones(buckets.shape, dtype=np.bool_)
        places = np.searchsorted(self._sought, buckets)
        met: npt.NDArray[np.bool_] = self._sought[np.minimum(places, len(self._sought) - 1)] == buckets
        return met

    def may_meet(self, angles: Reals) -> bool:
        """Might one of many angles be one of the multiples?"""
        return not self._near.keys().isdisjoint(_asked(angles).tolist())

    def alone(self, angles: Reals) -> npt.NDArray[np.bool_]:
        """Which of these angles, whose multiples were added, can be multiples of none but themselves?"""
        buckets = np.array([bucket for bucket, near in self._near.items() for _ in near], dtype=np.int64)
        buckets.sort()
        asked = _asked(angles)
        met = np.searchsorted(buckets, asked, "right") - np.searchsorted(buckets, asked, "left")
        found: npt.NDArray[np.bool_] = met.reshape(-1, len(angles)).sum(axis=0) <= 1
        return found

    def meeting(self, angle: float, known: Container[float]) -> Iterator[Met]:
        """The multiples of known angles that an angle is, up to a sign and a multiple of pi/48."""
        for sign in SIGNS:
            bucket = _bucket(sign * angle)
            for beside in BESIDE:
                for multiple in self._near.get(bucket + beside, ()):
                    if multiple.of not in known:
                        continue
                    scale = max(abs(angle), multiple.value, 1.0)
                    turn = _grid_turn(sign * angle - multiple.value, self._allowed * scale)
                    if turn is not None:
                        yield sign, turn, multiple


def _asked(angles: Reals) -> Integers:
    """The buckets of all multiples that one of these angles, or its negative, may be."""
    buckets = _buckets(np.concatenate([sign * angles for sign in SIGNS]))
    return np.concatenate([buckets + beside for beside in BESIDE])


def _bucket(angle: float) -> int:
    """Angles that differ by about a multiple of pi/48 are in the same or in neighbouring buckets."""
    return int(angle % GRID_RADIANS / BUCKET) % BUCKETS


def _buckets(angles: Reals) -> Integers:
    """`_bucket` of many angles."""
    found: Integers = (angles % GRID_RADIANS / BUCKET).astype(np.int64) % BUCKETS
    return found


def _grid_turn(angle: float, error: float) -> Fraction | None:
    """The multiple of the grid that an angle is, to within an error."""
    steps = round(angle / GRID_RADIANS)
    return steps * GRID if abs(angle - steps * GRID_RADIANS) <= error else None
