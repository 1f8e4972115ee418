"""Computed subspaces that other models, or the same one with other numbers, can compute once more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from qismc.engines import Engine, Vector
from qismc.errors import NumericDoubt, UnluckyDraw


@dataclass(eq=False)
class Record:
    """A list of spanning vectors, computed by one engine; `compute` makes it with any other one."""

    width: int
    text: str
    """What was computed, so that records can be told apart."""
    conjugating: bool
    """Are conjugates of computed vectors needed?"""
    engine: Engine
    own: Sequence[Vector]
    compute: Callable[[Engine], Sequence[Vector]]
    note: Callable[[Any], None]
    """Tells a recorder which numbers `compute` uses."""
    independent: bool = False
    """Are the vectors known to be independent for the very angles of the program?"""
    _last: tuple[Engine, Sequence[Vector]] | None = field(default=None, repr=False)

    def vectors(self, engine: Engine) -> Sequence[Vector]:
        """The list on the given engine; as many vectors as on its own, or one of the two is wrong."""
        last = self._last  # threads with other engines may replace it
        if last is None or last[0] is not engine:
            adopted = engine.adopted(self.own, self.engine)
            last = self._last = (engine, self._again(engine) if adopted is None else adopted)
        return last[1]

    def _again(self, engine: Engine) -> Sequence[Vector]:
        found = self.compute(engine)
        if len(found) != len(self.own):
            reason = f"a recorded subspace has {len(found)} states here, {len(self.own)} elsewhere"
            doubt = UnluckyDraw if engine.name == self.engine.name == "exact" else NumericDoubt
            raise doubt(reason, hint="run again with another seed")
        return found
