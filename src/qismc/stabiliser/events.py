"""Events: for which values of the symbols does an execution satisfy `hold U goal`?

Every execution comes to a goal, to a bad location, or to neither; the first of them counts. So each state
carries, for each event, when that is still open, and the goals that come first add up without overlap. The
distribution of classical bits at the first visit of a place is a count of coins.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from qismc.limits import Budget
from qismc.program import Program
from qismc.propositions import Proposition
from qismc.stabiliser.codes import Codes
from qismc.stabiliser.functions import Functions, SymbolKind
from qismc.stabiliser.solutions import Solution, Solutions
from qismc.stabiliser.state import History, SymbolicState, start_of
from qismc.stabiliser.walk import Walk, walked
from qismc.symbolic import Bool, NotSymbolic, evaluate, levels_of
from qismc.system import crossed, points_of


@dataclass(frozen=True)
class GoalArrival:
    """Where the function is true, a goal comes first, at this point."""

    function: Bool
    point: int
    history: History


@dataclass
class Event:
    """`hold U goal`; its number is its place in `SymbolicState.open`."""

    number: int
    functions: Functions
    arrivals: list[GoalArrival] = field(default_factory=list)

    def note(self, point: int, state: SymbolicState, goal: Bool, bad: Bool) -> None:
        """Control is at a point where, as far as it comes there, these functions say goal and bad."""
        logic = self.functions.logic
        open_still = state.open.get(self.number, True)
        first = logic.conjunction(open_still, goal)
        if first is not False:
            self.arrivals.append(GoalArrival(first, point, state.history))
        state.open[self.number] = logic.conjunction(open_still, logic.negation(goal), logic.negation(bad))

    @property
    def function(self) -> Bool:
        """When the event happens."""
        return self.functions.logic.parity(*(arrival.function for arrival in self.arrivals))

    def probability(self, solutions: Solutions) -> Fraction:
        """The share of the coins for which it happens; raises NotSymbolic if it is not theirs alone."""
        function = self.function
        _check_coins([function], self.functions)
        return solutions.share(function)

    def example(self, solutions: Solutions) -> tuple[GoalArrival, Solution] | None:
        """An execution on which it happens."""
        for arrival in self.arrivals:
            found = solutions.some(arrival.function)
            if found is not None:
                assert evaluate(arrival.function, found)
                return arrival, found
        return None


MOST_VALUES = 1 << 14
"""Largest number of values in a distribution; above it NotSymbolic is raised."""


@dataclass(frozen=True)
class FirstVisit:
    """Where the function is true, the place is visited first, with these bits."""

    function: Bool
    bits: tuple[Bool, ...]


@dataclass
class OutcomeCounts:
    """The first visits of a place in a program that starts in `init`; raises NotSymbolic."""

    program: Program
    codes: Codes
    init: Proposition
    budget: Budget

    def distribution(self, where: str, bits: Sequence[int]) -> dict[tuple[int, ...], Fraction]:
        """values of the bits -> probability."""
        if any(s.loop for s in crossed(self.program)):
            raise NotSymbolic("the expected turns of loops are computed by other engines")
        functions, solutions = Functions(), Solutions(self.budget)
        visits = self._visits(where, bits, functions, solutions)
        found: dict[tuple[int, ...], Fraction] = {}
        for visit in visits:
            _check_coins((visit.function, *visit.bits), functions)
            for values, share in self._split(visit, functions, solutions):
                found[values] = found.get(values, Fraction(0)) + share
                if len(found) > MOST_VALUES:
                    raise NotSymbolic(f"more than {MOST_VALUES} values are possible")
        return dict(sorted(found.items()))

    def _visits(
        self, where: str, bits: Sequence[int], functions: Functions, solutions: Solutions
    ) -> list[FirstVisit]:
        event, wanted = Event(0, functions), frozenset(points_of(where, self.program))
        visits: list[FirstVisit] = []

        def ask(point: int, state: SymbolicState, guard: Bool) -> None:
            if point in wanted:
                before = len(event.arrivals)
                event.note(point, state, guard, False)
                seen = tuple(state.bit(bit) for bit in bits)
                visits.extend(FirstVisit(arrival.function, seen) for arrival in event.arrivals[before:])

        budget, gates = self.budget, self.codes.gates
        walk = Walk(self.program, gates, functions, solutions, budget, ask, wanted.__contains__, quiet=True)
        walked(walk, start_of(self.program, functions, self.codes.start(self.init)))
        return visits

    def _split(
        self, visit: FirstVisit, functions: Functions, solutions: Solutions
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
                raise NotSymbolic(f"more than {MOST_VALUES} values are possible")
        return [(values, solutions.share(function)) for function, values in cases]


def _check_coins(wanted: Iterable[Bool], functions: Functions) -> None:
    """Raise NotSymbolic unless all functions depend on coins alone."""
    for function in wanted:
        if any(functions.kinds[symbol] is not SymbolKind.COIN for symbol in levels_of(function)):
            raise NotSymbolic("a probability depends on inputs or on the state of the start")
