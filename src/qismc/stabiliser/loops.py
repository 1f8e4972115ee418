"""The heads of loops: has everything that comes there been there before?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from qismc._core import Tableau
from qismc.program import Program
from qismc.stabiliser.affine import AffineSpace
from qismc.stabiliser.functions import Functions, mask_of
from qismc.stabiliser.paulis import NotStabiliser
from qismc.stabiliser.pieces import Pieces
from qismc.stabiliser.solutions import Solutions
from qismc.stabiliser.state import State
from qismc.symbolic import positions
from qismc.system import Runs, live_bits

MOST_TURNS = 1_000
"""Loops that find something new so often are left to other engines."""


class Seen(NamedTuple):
    """A group, and the combinations of live bits and signs that came with it."""

    tableau: Tableau
    rows: list[int]
    values: tuple[AffineSpace, ...]


@dataclass
class Heads:
    """What came to the heads of loops so far."""

    program: Program
    functions: Functions
    solutions: Solutions
    observed: int
    closed: bool = False
    """Was a turn left out because it adds nothing to an earlier one?"""
    _seen: dict[int, list[Seen]] = field(default_factory=dict)
    _live: dict[int, int] | None = None

    def is_new(self, point: int, state: State) -> bool:
        """Note a state that comes back to a point; False if an earlier one covers it."""
        earlier = self._seen.setdefault(point, [])
        if len(earlier) > MOST_TURNS:
            raise NotStabiliser(f"a loop finds something new in each of {MOST_TURNS} turns")
        for seen in earlier:
            if self._covers(seen, point, state):
                self.closed = True
                return False
        rows = state.tableau.generators
        signs = [mask_of(state.tableau.generator_sign(row)) for row in rows]
        earlier.append(Seen(state.tableau.copy(), rows, self._values(point, state, signs)))
        return True

    def _covers(self, seen: Seen, point: int, state: State) -> bool:
        width = len(self._positions(point))
        stores = [space.truncated(width) for space in seen.values]
        if not covered(self._values(point, state, []), stores):
            return False
        if len(state.tableau.generators) != len(seen.rows):
            return False
        signs = []
        for row in seen.rows:
            sign = state.tableau.sign(seen.tableau.generator(row))
            if sign is None:
                return False
            signs.append(mask_of(sign))
        return covered(self._values(point, state, signs), seen.values)

    def _positions(self, point: int) -> list[int]:
        """The bits whose values may still matter."""
        if self._live is None:
            self._live = live_bits(self.program, Runs(self.program), self.observed)
        return positions(self._live.get(point, (1 << self.program.store_width) - 1))

    def _values(self, point: int, state: State, signs: list[int]) -> tuple[AffineSpace, ...]:
        """All combinations of live bits and signs; raises NotStabiliser if there are too many parts."""
        masks = [state.bits.get(position, 0) for position in self._positions(point)]
        functions = [self.functions.function(mask) for mask in (*masks, *signs)]
        return Pieces(self.functions.logic, self.solutions).values(state.guard, functions)


def covered(spaces: Iterable[AffineSpace], known: Iterable[AffineSpace]) -> bool:
    """Is every space inside of a known one?"""
    known = list(known)
    return all(any(space <= other for other in known) for space in spaces)
