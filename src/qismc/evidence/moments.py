"""The moments of a replayed path, kept as its legs."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import overload

from qismc.evidence.path import Visit
from qismc.evidence.replaying import Leg, Moment


class Moments(Sequence[Moment]):
    """What a replay of visits passes, which may end before them: made when somebody looks."""

    def __init__(self, visits: Sequence[Visit], legs: Iterable[Leg]) -> None:
        self._visits = visits
        self._legs = list(legs)
        self._begins = [leg.begin for leg in self._legs]

    def __len__(self) -> int:
        return self._legs[-1].end

    @overload
    def __getitem__(self, index: int) -> Moment: ...
    @overload
    def __getitem__(self, index: slice) -> list[Moment]: ...

    def __getitem__(self, index: int | slice) -> Moment | list[Moment]:
        where = range(len(self))[index]
        return self._one(where) if isinstance(where, int) else [self._one(k) for k in where]

    def _one(self, step: int) -> Moment:
        leg = self._legs[bisect_right(self._begins, step) - 1]
        return Moment(
            self._visits[step], leg.store, leg.state if step == leg.begin else None, leg.probability
        )
