"""The heads of loops: has everything that comes there been there before?

What bits and signs are together is a union of affine spaces. Where all of them are sums of symbols it is one
space. Elsewhere a symbol is split into its two values, again and again, until on each part every function is
a sum, which decision diagrams verify.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from qismc._core import Tableau
from qismc.common.parity import consistent, remainder
from qismc.program import Program
from qismc.stabiliser.functions import AffineSpace, Functions, linear_sum, mask_of, space_of
from qismc.stabiliser.state import SymbolicState, compared_signs
from qismc.symbolic import And, Bool, NotSymbolic, evaluate, levels_of, positions
from qismc.system import all_bits, live_bits

MOST_PIECES = 256
"""Largest number of affine spaces for the values at one loop head; above it NotSymbolic is raised."""
Equations = dict[int, int]
"""Reduced equations by their pivots: sums (bit 0 is the constant, bit k + 1 symbol k) that are 0."""


@dataclass(frozen=True)
class Pieces:
    """Takes functions apart; raises NotSymbolic where that are too many parts."""

    functions: Functions

    def values(self, guard: Bool, functions: Sequence[Bool]) -> tuple[AffineSpace, ...]:
        """All combinations of values that the functions have where the guard is true."""
        parts = guard.parts if isinstance(guard, And) else (guard,)
        found: list[AffineSpace] = []
        pending: list[list[int]] = [[]]
        while pending:
            if len(found) + len(pending) > MOST_PIECES:
                raise NotSymbolic(f"values at a loop fall into more than {MOST_PIECES} affine spaces")
            equations = pending.pop()
            rows = consistent(equations)
            if rows is None:
                continue
            sums: list[int] = []
            further = self._restricted(rows, parts)
            if further == []:
                further = self._summed(rows, functions, sums)
            if further == []:
                found.append(space_of(sums))
            pending += [[*equations, equation] for equation in further or ()]
        return tuple(found)

    def _restricted(self, rows: Equations, parts: Sequence[Bool]) -> list[int] | None:
        """Equations to go on with, one of which holds; none if all parts are true, None if one is false."""
        for part in parts:
            total = self.sum_on(rows, part)
            if total is None:
                return self._split(rows, part)
            if total == 0:
                return None
            if total != 1:
                return [total ^ 1]
        return []

    def _summed(self, rows: Equations, functions: Sequence[Bool], sums: list[int]) -> list[int]:
        """The functions as sums of symbols, or equations to go on with."""
        for function in functions:
            total = self.sum_on(rows, function)
            if total is None:
                return self._split(rows, function)
            sums.append(total)
        return []

    def _split(self, rows: Equations, function: Bool) -> list[int]:
        """Either value of a symbol that the function depends on."""
        symbol = self._free(rows, function)[0]
        return [2 << symbol, 2 << symbol | 1]

    def sum_on(self, rows: Equations, function: Bool) -> int | None:
        """The sum of free symbols that a function is where the equations hold; None if it is none."""
        linear = linear_sum(function)
        if linear is not None:
            return remainder(linear, rows)
        constant = evaluate(function, _solution(rows, None))
        total = int(constant)
        for symbol in self._free(rows, function):
            if evaluate(function, _solution(rows, symbol)) != constant:
                total |= 2 << symbol
        logic = self.functions.logic
        differs = logic.parity(function, self._function(total))
        held = (logic.negation(self._function(row)) for row in rows.values())
        return total if self.functions.solutions.some(logic.conjunction(differs, *held)) is None else None

    def _free(self, rows: Equations, function: Bool) -> list[int]:
        """The symbols that no equation decides and that the function depends on."""
        seen = 0
        for level in levels_of(function):
            seen |= rows.get(level + 1, 2 << level)
        return [place - 1 for place in positions(seen) if place and place not in rows]

    def _function(self, total: int) -> Bool:
        logic = self.functions.logic
        return logic.parity(*(logic.literal(k - 1) if k else True for k in positions(total)))


def _solution(rows: Equations, one: int | None) -> dict[int, int]:
    """The solution whose free symbols are 0, but for one of them."""
    chosen = 0 if one is None else 2 << one
    found = {pivot - 1: (row & 1) ^ bool(row & chosen) for pivot, row in rows.items()}
    return found if one is None else found | {one: 1}


MOST_TURNS = 1_000
"""Largest number of turns that find something new; above it NotSymbolic is raised."""


class SeenGroup(NamedTuple):
    """A group, and the combinations of live bits and signs that came with it."""

    tableau: Tableau
    values: tuple[AffineSpace, ...]


@dataclass
class Heads:
    """What came to the heads of loops so far."""

    program: Program
    functions: Functions
    observed: int
    closed: bool = False
    """Was a turn left out because it adds nothing to an earlier one?"""
    _seen: dict[int, list[SeenGroup]] = field(default_factory=dict)

    def is_new(self, point: int, state: SymbolicState) -> bool:
        """Note a state that comes back to a point; False if an earlier one covers it."""
        earlier = self._seen.setdefault(point, [])
        if len(earlier) > MOST_TURNS:
            raise NotSymbolic(f"a loop finds something new in each of {MOST_TURNS} turns")
        if any(self._covers(seen, point, state) for seen in earlier):
            self.closed = True
            return False
        tableau = state.tableau
        signs = [mask_of(tableau.generator_sign(row)) for row in tableau.generators]
        earlier.append(SeenGroup(tableau.copy(), self._values(point, state, signs)))
        return True

    def _covers(self, seen: SeenGroup, point: int, state: SymbolicState) -> bool:
        width = len(self._positions(point))
        stores = [space.truncated(width) for space in seen.values]
        if not covered(self._values(point, state, []), stores):
            return False
        signs = compared_signs(seen.tableau, state.tableau)
        if signs is None:
            return False
        return covered(self._values(point, state, [theirs for _, _, theirs in signs]), seen.values)

    def _positions(self, point: int) -> list[int]:
        """The bits whose values may still matter."""
        live = live_bits(self.program, self.observed)
        return positions(live.get(point, all_bits(self.program)))

    def _values(self, point: int, state: SymbolicState, signs: list[int]) -> tuple[AffineSpace, ...]:
        """All combinations of live bits and signs; raises NotSymbolic if there are too many parts."""
        masks = [state.bits.get(position, 0) for position in self._positions(point)]
        functions = [self.functions.function(mask) for mask in (*masks, *signs)]
        return Pieces(self.functions).values(state.guard, functions)


def covered(spaces: Iterable[AffineSpace], known: Iterable[AffineSpace]) -> bool:
    """Is every space inside of a known one?"""
    known = list(known)
    return all(any(space <= other for other in known) for space in spaces)
