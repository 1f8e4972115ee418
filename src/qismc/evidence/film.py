"""The states along an execution: simulated once more, and written out, when somebody looks at one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from qismc.engines import Numeric
from qismc.errors import Undecided
from qismc.evidence.replaying import Moment
from qismc.propositions import Term

Picture = tuple[tuple[Term, ...] | None, int]
"""The largest terms of a state, and how many others there are; None where it was not simulated."""
UNSEEN: Picture = (None, 0)


class Film:
    """Pictures of the states that `replay` passes, by step."""

    def __init__(self, simulator: Numeric, replay: Callable[[], Iterable[Moment]], terms: int) -> None:
        self._simulator = simulator
        self._replay = replay
        self._terms = terms
        self._pictures: Mapping[int, Picture] | None = None

    def picture(self, step: int) -> Picture:
        """The state at a step; none has one where there is no time to simulate them."""
        if self._pictures is None:
            self._simulator.restart()
            try:
                self._pictures = dict(self._developed())
            except Undecided:
                self._pictures = {}
        return self._pictures.get(step, UNSEEN)

    def _developed(self) -> Iterable[tuple[int, Picture]]:
        for number, moment in enumerate(self._replay()):
            if moment.state is not None:
                terms, left_out = self._simulator.largest(moment.state, self._terms)
                yield number, (tuple(terms), left_out)
