"""The distribution of classical bits when a place is visited first: counts of coins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from qismc.limits import Budget
from qismc.program import Program
from qismc.propositions import Proposition
from qismc.stabiliser.codes import Codes
from qismc.stabiliser.events import Event
from qismc.stabiliser.functions import Functions, Kind
from qismc.stabiliser.paulis import NotStabiliser
from qismc.stabiliser.solutions import Solutions
from qismc.stabiliser.state import State, start_of
from qismc.stabiliser.walk import Walk, walked
from qismc.symbolic import Bool, levels_of
from qismc.system import crossed, points_of

MOST_VALUES = 1 << 14
"""Distributions over more values are not written down."""


@dataclass(frozen=True)
class Visit:
    """Where the function is true, the place is visited first, with these bits."""

    function: Bool
    bits: tuple[Bool, ...]


@dataclass
class Survey:
    """The first visits of a place in a program that starts in `init`; raises NotStabiliser."""

    program: Program
    codes: Codes
    init: Proposition
    budget: Budget

    def distribution(self, where: str, bits: Sequence[int]) -> dict[tuple[int, ...], Fraction]:
        """values of the bits -> probability."""
        if any(s.loop for s in crossed(self.program)):
            raise NotStabiliser("the expected turns of loops are computed by other engines")
        functions, solutions = Functions(), Solutions(self.budget)
        visits = self._visits(where, bits, functions, solutions)
        found: dict[tuple[int, ...], Fraction] = {}
        for visit in visits:
            _check_coins(visit, functions)
            for values, share in self._split(visit, functions, solutions):
                found[values] = found.get(values, Fraction(0)) + share
                if len(found) > MOST_VALUES:
                    raise NotStabiliser(f"more than {MOST_VALUES} values are possible")
        return dict(sorted(found.items()))

    def _visits(
        self, where: str, bits: Sequence[int], functions: Functions, solutions: Solutions
    ) -> list[Visit]:
        event, wanted = Event(0, functions), frozenset(points_of(where, self.program))
        visits: list[Visit] = []

        def ask(point: int, state: State, guard: Bool) -> None:
            if point in wanted:
                before = len(event.arrivals)
                event.note(point, state, guard, False)
                seen = tuple(state.bit(bit) for bit in bits)
                visits.extend(Visit(arrival.function, seen) for arrival in event.arrivals[before:])

        budget, gates = self.budget, self.codes.gates
        walk = Walk(self.program, gates, functions, solutions, budget, ask, wanted.__contains__, quiet=True)
        walked(walk, start_of(self.program, functions, self.codes.start(self.init)))
        return visits

    def _split(
        self, visit: Visit, functions: Functions, solutions: Solutions
    ) -> list[tuple[tuple[int, ...], Fraction]]:
        """The possible values of the bits on a visit, one bit after the other."""
        cases: list[tuple[Bool, tuple[int, ...]]] = [(visit.function, ())]
        logic = functions.logic
        for bit in visit.bits:
            self.budget.spend("the distribution of outcomes")
            following = []
            for function, values in cases:
                for value, digit in ((0, logic.negation(bit)), (1, bit)):
                    kept = logic.conjunction(function, digit)
                    if solutions.some(kept) is not None:
                        following.append((kept, (*values, value)))
            cases = following
            if len(cases) > MOST_VALUES:
                raise NotStabiliser(f"more than {MOST_VALUES} values are possible")
        return [(values, solutions.share(function)) for function, values in cases]


def _check_coins(visit: Visit, functions: Functions) -> None:
    for function in (visit.function, *visit.bits):
        if any(functions.kinds[symbol] is not Kind.COIN for symbol in levels_of(function)):
            raise NotStabiliser("a probability depends on inputs or on the state of the start")
