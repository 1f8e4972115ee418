"""Events: for which values of the symbols does an execution satisfy `hold U goal`?

Every execution comes to a goal, to a bad location, or to neither; the first of them counts. So each state
carries, for each event, when that is still open, and the goals that come first add up without overlap.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from qismc.stabiliser.functions import Functions, Kind
from qismc.stabiliser.paulis import NotStabiliser
from qismc.stabiliser.solutions import Solution, Solutions
from qismc.stabiliser.state import History, State
from qismc.symbolic import Bool, evaluate, levels_of


@dataclass(frozen=True)
class Arrival:
    """Where the function is true, a goal comes first, at this point."""

    function: Bool
    point: int
    history: History


@dataclass
class Event:
    """`hold U goal`; its number is its place in `State.open`."""

    number: int
    functions: Functions
    arrivals: list[Arrival] = field(default_factory=list)

    def note(self, point: int, state: State, goal: Bool, bad: Bool) -> None:
        """Control is at a point where, as far as it comes there, these functions say goal and bad."""
        logic = self.functions.logic
        open_still = state.open.get(self.number, True)
        first = logic.conjunction(open_still, goal)
        if first is not False:
            self.arrivals.append(Arrival(first, point, state.history))
        state.open[self.number] = logic.conjunction(open_still, logic.negation(goal), logic.negation(bad))

    @property
    def function(self) -> Bool:
        """When the event happens."""
        return self.functions.logic.parity(*(arrival.function for arrival in self.arrivals))

    def probability(self, solutions: Solutions) -> Fraction:
        """The share of the coins for which it happens; raises NotStabiliser if it is not theirs alone."""
        function = self.function
        if any(self.functions.kinds[symbol] is not Kind.COIN for symbol in levels_of(function)):
            raise NotStabiliser("a probability depends on inputs or on the state of the start")
        return solutions.share(function)

    def example(self, solutions: Solutions) -> tuple[Arrival, Solution] | None:
        """An execution on which it happens."""
        for arrival in self.arrivals:
            found = solutions.some(arrival.function)
            if found is not None:
                assert evaluate(arrival.function, found)
                return arrival, found
        return None
