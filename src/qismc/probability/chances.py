"""The truth of probability formulas at locations.

`P=1` and `P>0` are decided exactly (`certainty.py`), other thresholds by floating point with an error bound
(`likelihood.py`). Where a threshold lies within that bound, the probability is compared with it exactly
(`exact_forms.py`). Floating point never decides about 0 and 1.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np

from qismc.common.graphs import on_cycles
from qismc.common.lazily import cached_property
from qismc.ctl import Mask, as_until
from qismc.errors import NumericDoubt
from qismc.fixpoint import Arrival, LocatedState, Solved, strongest_dropped
from qismc.language import rational, syntax
from qismc.limits import Budget
from qismc.probability.certainty import ExactUntil
from qismc.probability.coordinates import Coordinates, taken_ahead
from qismc.probability.exact_forms import Field, Forms
from qismc.probability.likelihood import Likelihood, Undecidable, recognised
from qismc.probability.until import NumericUntil, Until

DEAR = 16
"""Largest dimension of sp for which floating point is tried before the exact decision about 0 and 1."""
CLEAR = 1e-6
"""Largest distance from 0 or 1 (and largest error) of a probability in floating point that confirms it."""
FAINT = 1e-12
"""Largest amplitude that rounding may leave of zero; above it the verdict is UNKNOWN(numeric)."""
WORTHLESS = 0.1
"""Largest error accepted for `P=?`; above it the verdict is UNKNOWN(numeric)."""
Where = int | None
"""A location, or the start of the program in the states of `init`."""


@dataclass
class _Path:
    """A path formula as [not] hold U goal, with what was found out about it."""

    until: Until
    negated: bool
    exactly: ExactUntil
    numbers: NumericUntil | None = None
    decided: dict[tuple[Where, bool], bool] = field(default_factory=dict)
    """By location: is it certain (True), is it possible (False)?"""
    culprits: dict[bool, Arrival] = field(default_factory=dict)
    """What decided that at the first location."""
    forms: Forms | None = None
    """For exact fractions, once they are asked for."""
    exact: dict[Where, Likelihood] = field(default_factory=dict)
    """What was found to be exactly a fraction, by location."""
    compared: dict[tuple[Where, Fraction], bool] = field(default_factory=dict)
    """Which fractions were compared with the probability at which location, and whether they are it."""

    def first_decisive(self, culprit: Arrival) -> int:
        """The point where a culprit decides; its first one where that is a trap."""
        node, point = culprit.station
        index = self.until.first(node, node.start)
        return int(point) if index is None else self.until.system.node_of(index).point


class Chances:
    """The truth of probability formulas at locations."""

    def __init__(
        self, solved: Solved, budget: Budget, truth: Callable[[syntax.Formula], Mask], *, zero: float = 0.0
    ) -> None:
        self._solved = solved
        self._zero = zero
        """Thresholds that are no farther than this are in doubt: states were taken for others as near."""
        self._coordinates = Coordinates(solved, budget)
        self._truth = truth
        self._paths: dict[tuple[str, tuple[syntax.Formula, ...]], _Path] = {}
        self.culprits: dict[syntax.Probability, tuple[Arrival, int]] = {}
        """What decided a formula at the start of the program, and at which point."""

    def asking(self, truth: Callable[[syntax.Formula], Mask]) -> Chances:
        """The same where other labels hold."""
        other = copy(self)
        other._truth, other._paths, other.culprits = truth, {}, {}
        return other

    def __call__(self, formula: syntax.Probability, where: Mask) -> Mask:
        """The formula's truth at the locations of `where`; it speaks of all states of sp there."""
        path = self._path(formula)
        found = np.zeros(len(where), dtype=bool)
        for index in np.flatnonzero(where).tolist():
            match formula.bound:
                case "=1":
                    found[index] = self._holds(path, index, surely=True)
                case ">0":
                    found[index] = self._holds(path, index, surely=False)
                case "=?":
                    found[index] = True  # a question is no claim
                case threshold:
                    found[index] = self._satisfies(path, threshold, index)
        culprit = path.culprits.get((formula.bound == "=1") != path.negated)
        if culprit is not None:
            self.culprits[formula] = culprit, path.first_decisive(culprit)
        return found

    def likelihood(self, formula: syntax.Probability) -> Likelihood:
        """The probability of a formula's path from the start of the program, in the states of `init`."""
        path = self._path(formula)
        found = self._likelihood(path, None)
        assert found is not None, "some state is at the start"
        fraction = recognised(found.low, found.error) if found.low == found.high and found.error else None
        if fraction is not None and self._is(path, None, fraction):
            return Likelihood.exactly(fraction)
        return found

    def answer(self, formula: syntax.Probability) -> Likelihood:
        """The same for those who ask for the number; raises NumericDoubt where it is hardly known."""
        found = self.likelihood(formula)
        if found.error > WORTHLESS:
            raise NumericDoubt(f"rounding adds up, and leaves the probability open by {found.error:.2g}")
        return found

    @property
    def numeric(self) -> bool:
        """Was something decided by numbers, in floating point?"""
        return any(path.numbers is not None for path in self._paths.values())

    @property
    def returns(self) -> bool:
        """Do other states than those of `init` come to the first location?"""
        return self._dimension(0) > self._dimension(None)

    def from_start(self, formula: syntax.Probability, threshold: syntax.Threshold) -> bool:
        """Does a threshold hold in all states of `init`, whatever else comes to the first location later?"""
        return self._satisfies(self._path(formula), threshold, None)

    def path(self, formula: syntax.Probability) -> tuple[NumericUntil, bool]:
        """The effects of `hold U goal`, and whether the formula speaks of the opposite."""
        path = self._path(formula)
        return self._numeric(path), path.negated

    # --- zero and one, exactly ---------------------------------------------------------------------------

    def _holds(self, path: _Path, index: Where, *, surely: bool) -> bool:
        """Does the formula's path have probability 1, or (not surely) more than 0?"""
        return self._decide(path, index, certain=surely != path.negated) != path.negated

    def _decide(self, path: _Path, index: Where, *, certain: bool) -> bool:
        """Is hold U goal certain, or is it possible?"""
        key = index, certain
        if key not in path.decided:
            location, states = self._solved.system.node_of(index or 0), self._states(index)
            decide = path.exactly.certain if certain else path.exactly.possible
            path.decided[key] = decide(location, states, blame=not index) if states else certain
            if states and not self._is_exact and path.exactly.loops(location.node):
                self._check_dropped()
                if path.decided[key] == certain:
                    self._check_loops(path, index, certain=certain)
            if index == 0 and path.exactly.culprit is not None:
                path.culprits[certain] = path.exactly.culprit
        return path.decided[key]

    @property
    def _is_exact(self) -> bool:
        return self._solved.engine.exact is not None

    @cached_property
    def _strongest_dropped(self) -> float:
        """The largest amplitude that floating point has dropped inside of loops."""
        solved = self._solved
        looping = on_cycles(solved.system.nodes, taken_ahead)
        return strongest_dropped(solved, solved.engine, looping)  # type: ignore[arg-type]

    def _check_dropped(self) -> None:
        """Raise NumericDoubt where an outcome inside of a loop is so faint that it passes for impossible."""
        if not self._solved.explorer.took_all and self._strongest_dropped > FAINT:
            raise NumericDoubt("rounding decides whether a loop is left: an outcome of it is zero or tiny")

    def _check_loops(self, path: _Path, index: Where, *, certain: bool) -> None:
        """Raise NumericDoubt where floating point says 1 or 0, and what it drops in each turn adds up."""
        found = self._numeric(path).at(index)
        if (
            found is None
            or found.error > CLEAR
            or abs((found.low if certain else found.high) - certain) > CLEAR
        ):
            raise NumericDoubt("rounding decides whether a loop is left")

    # --- in between, with an error bound -----------------------------------------------------------------

    def _satisfies(self, path: _Path, threshold: syntax.Threshold, index: Where) -> bool:
        lower, number = threshold.relation in (">=", ">"), rational(threshold.number)
        if number == (0 if lower else 1) and "=" in threshold.relation:
            return True
        if number == (1 if lower else 0):
            return self._holds(path, index, surely=lower) == lower and "=" in threshold.relation
        if number in (0, 1) and self._dimension(index) == 1:  # P>0, P<1
            return self._holds(path, index, surely=not lower) == lower
        found = self._likelihood(path, index)
        if found is not None:
            found = replace(found, error=max(found.error, self._zero))
        try:
            return found is None or found.satisfies(threshold)
        except Undecidable:
            if number is not None and self._is(path, index, number):
                return "=" in threshold.relation
            raise

    def _is(self, path: _Path, index: Where, number: Fraction) -> bool:
        """Are the eigenvalues that numbers cannot tell from a fraction exactly that fraction?"""
        key = index, number
        if key not in path.compared:
            path.compared[key] = self._compared(path, index, number)
        return path.compared[key]

    def _compared(self, path: _Path, index: Where, number: Fraction) -> bool:
        field = Field.of(self._solved.engine)
        if field is None:
            return False
        wanted = 1 - number if path.negated else number
        near = self._numeric(path).near(index, float(wanted), self._zero)
        vectors = [found.vector for found in self._states(index)]
        if path.forms is None:
            path.forms = Forms(self._coordinates, field, path.until)
        if path.forms.kernel(self._solved.system.node_of(index or 0), vectors, wanted) != near:
            return False
        if len(vectors) == 1:
            path.exact[index] = Likelihood.exactly(number)
        return True

    def _states(self, index: Where) -> list[LocatedState]:
        """The states at a location, or those of `init`."""
        if index is not None:
            return self._solved.posts.at(*self._solved.system.node_of(index))
        arrivals = self._solved.posts.spread.arrivals(self._solved.explorer.start)
        return [LocatedState(arrival.vector, arrival) for arrival in arrivals if arrival.parent is None]

    def _dimension(self, index: Where) -> int:
        if index is None:
            return len(self._states(index))
        return self._solved.posts.dimension(*self._solved.system.node_of(index))

    def _likelihood(self, path: _Path, index: Where) -> Likelihood | None:
        """What numbers say, and at the ends of the scale what is exactly so; None where no state arrives."""
        if index in path.exact:
            return path.exact[index]
        if path.numbers is None and self._solved.posts.spread.max_dimension > DEAR:
            certain = self._certain(path, index)
            if certain is not None:
                return certain
        try:
            numeric = self._numeric(path)
        except NumericDoubt:
            certain = self._certain(path, index)
            if certain is not None:
                return certain
            raise
        found = numeric.at(index)
        if found is None:
            return None
        if path.negated:
            found = found.complement
        ends = found.low + found.error >= 1 or found.high - found.error <= 0
        return (self._certain(path, index) if ends else None) or found

    def _certain(self, path: _Path, index: Where) -> Likelihood | None:
        """0 or 1, if it is exactly that, without numbers; floating point knows nothing exactly."""
        if not self._is_exact:
            return None
        if self._holds(path, index, surely=True):
            return Likelihood.exactly(1.0)
        return None if self._holds(path, index, surely=False) else Likelihood.exactly(0.0)

    def _numeric(self, path: _Path) -> NumericUntil:
        if path.numbers is None:
            if not self._is_exact:
                self._check_dropped()
            path.numbers = NumericUntil(self._coordinates.frames, path.until)
            self._check_traps(path.numbers)
        return path.numbers

    def _check_traps(self, until: NumericUntil) -> None:
        """The dimensions of what never leaves a loop must be those that exact arithmetic finds."""
        if self._solved.pres is not None:
            return  # annotations cut nodes into stations, which exact coordinates do not know
        system = self._solved.system
        for _, exits in until.effects.components.values():
            if exits.traps:  # also where numbers see no way out: it may be hidden by rounding
                nodes = [until.frames.stations[k].node for k in exits.rows]
                inside = set(nodes)
                away = system.spread(np.array([node not in inside for node in system.nodes]))
                stay = ExactUntil(self._coordinates, Until(system, ~away, away))
                ranks = stay.constrained(nodes)
                if any(len(rows) != rank for rows, rank in zip(exits.rows.values(), ranks, strict=True)):
                    raise NumericDoubt("rounding hides which states never leave a loop")

    def _path(self, formula: syntax.Probability) -> _Path:
        key = formula.op, formula.operands
        if key not in self._paths:
            system = self._solved.system
            everywhere = np.ones(system.num_locations, dtype=bool)
            operands = [self._truth(operand) for operand in formula.operands]
            negated, hold, goal = as_until(formula.op, operands, everywhere)
            until = Until(system, hold, goal)
            self._paths[key] = _Path(until, negated, ExactUntil(self._coordinates, until))
        return self._paths[key]
