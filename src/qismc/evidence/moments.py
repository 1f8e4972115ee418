"""The moments of a replayed path, kept as what changes from one to the next."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import overload

from qismc.evidence.path import Visit
from qismc.evidence.replay import Moment
from qismc.program.classical import Store
from qismc.subspace.engine import Vector


class Moments(Sequence[Moment]):
    """What a replay of visits passes, which may end before them.

    Gates change neither the store nor the probability: of most steps nothing is kept but their number.
    """

    def __init__(self, visits: Sequence[Visit], replayed: Iterable[Moment]) -> None:
        self._visits = visits
        self._since: list[int] = []
        """The steps from which on store and probability are those of the same place in `_facts`."""
        self._facts: list[tuple[Store, float]] = []
        self._states: dict[int, Vector] = {}
        self._count = 0
        for moment in replayed:
            self._note(moment)

    def _note(self, moment: Moment) -> None:
        fact = moment.store, moment.probability
        if not self._facts or self._facts[-1] != fact:
            self._since.append(self._count)
            self._facts.append(fact)
        if moment.state is not None:
            self._states[self._count] = moment.state
        self._count += 1

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Moment: ...
    @overload
    def __getitem__(self, index: slice) -> list[Moment]: ...

    def __getitem__(self, index: int | slice) -> Moment | list[Moment]:
        where = range(self._count)[index]
        return self._one(where) if isinstance(where, int) else [self._one(k) for k in where]

    def _one(self, step: int) -> Moment:
        store, probability = self._facts[bisect_right(self._since, step) - 1]
        return Moment(self._visits[step], store, self._states.get(step), probability)
