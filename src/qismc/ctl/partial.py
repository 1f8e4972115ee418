"""CTL on a graph whose edges are not all certain: what must be true, and what may be.

`certain` edges can be taken for sure, all `possible` edges together leave nothing out. A formula *must* hold
if it holds whichever of the uncertain edges are there, as far as this follows by induction over the formula:
paths that have to exist take certain edges, paths that have to be excluded take possible ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from qismc.ctl.evaluation import Cost, as_conjunction, as_until
from qismc.ctl.graph import Graph, Mask, until_on_all_paths, until_on_some_path
from qismc.language import Formula, syntax
from qismc.language import cost as cost_of


class Bounds(NamedTuple):
    """Where a formula must hold, and where it may."""

    must: Mask
    may: Mask

    def __invert__(self) -> Bounds:
        return Bounds(~self.may, ~self.must)

    def __and__(self, other: Bounds) -> Bounds:
        return Bounds(self.must & other.must, self.may & other.may)

    def __or__(self, other: Bounds) -> Bounds:
        return Bounds(self.must | other.must, self.may | other.may)


Atoms = Callable[[Formula, Mask], Bounds]
"""atoms(atomic formula, where): its bounds; only the values at `where` are used."""


class PartialEvaluation:
    """Bounds of every sub-formula, by location; `graph` has the certain edges.

    Locations without a certain edge lead to `nowhere`, a location of which nothing is known.
    """

    def __init__(
        self, certain: Graph, possible: Graph, nowhere: int, atoms: Atoms, cost: Cost = cost_of
    ) -> None:
        self.graph = certain
        self._possible = possible
        self._nowhere = nowhere
        self._atoms = atoms
        self._cost = cost
        self._bounds: dict[Formula, Bounds] = {}

    def bounds(self, formula: Formula, where: Mask | None = None) -> Bounds:
        """Where the formula must and may hold; an atom is asked for at `where` only (default: everywhere)."""
        if isinstance(formula, syntax.Atomic):
            return self._guarded(self._atoms(formula, self.graph.everywhere if where is None else where))
        if formula not in self._bounds:
            self._bounds[formula] = self._guarded(self._compute(formula))
        return self._bounds[formula]

    def _guarded(self, bounds: Bounds) -> Bounds:
        must, may = bounds.must.copy(), bounds.may.copy()
        must[self._nowhere], may[self._nowhere] = False, True
        return Bounds(must, may)

    # --- what evidence asks for ---

    def holds(self, formula: Formula, location: int | None = None) -> bool:
        """Must the formula hold at a location (default: the initial one)?"""
        return bool(self.bounds(formula).must[self.graph.initial if location is None else location])

    def says(self, formula: Formula, truth: bool, location: int) -> bool:
        """Is the formula's truth at a location known to be this one?"""
        bounds = self.bounds(formula)
        return bool(bounds.must[location] if truth else not bounds.may[location])

    def truth(self, formula: Formula, needed: Mask | None = None) -> Mask:  # noqa: ARG002 - as Evaluation
        """Where the formula must hold."""
        return self.bounds(formula).must

    def known(self, formula: Formula) -> Mask:
        """Where the formula's truth is known."""
        bounds = self.bounds(formula)
        return bounds.must | ~bounds.may

    # --- connectives ---

    def _compute(self, formula: Formula) -> Bounds:
        match formula:
            case syntax.Constant(value):
                mask = np.full(self.graph.size, value)
                return Bounds(mask, mask)
            case syntax.Not(operand):
                return ~self.bounds(operand)
            case syntax.And() | syntax.Or() | syntax.Implies():
                negated, left, right = as_conjunction(formula)
                both = self._both(left, right)
                return ~both if negated else both
            case syntax.Iff(left, right):
                p, q = self.bounds(left), self.bounds(right)
                return (p & q) | (~p & ~q)
            case syntax.Temporal():
                return self._temporal(formula)
        raise TypeError(f"{formula!r} is no formula")

    def _both(self, left: Formula, right: Formula) -> Bounds:
        """The conjunction, with the dearer operand asked only where the cheaper one may hold."""
        cheap, dear = sorted((left, right), key=self._cost)
        first = self._value(cheap)
        return first & self._value(dear, first.may)

    def _value(self, formula: Formula, where: Mask | None = None) -> Bounds:
        """As `bounds`, but a negation at the top is not remembered: it may be our own."""
        return (
            ~self.bounds(formula.operand, where)
            if isinstance(formula, syntax.Not)
            else self.bounds(formula, where)
        )

    # --- temporal operators ---

    def _temporal(self, formula: syntax.Temporal) -> Bounds:
        operands = [self.bounds(operand) for operand in formula.operands]
        every = formula.quantifier == "A"
        if formula.op == "X":
            (p,) = operands
            return ~self._next(~p) if every else self._next(p)
        everywhere = self.graph.everywhere
        negated, hold, goal = as_until(formula.op, operands, Bounds(everywhere, everywhere))
        found = self._on_all_paths(hold, goal) if every != negated else self._on_some_path(hold, goal)
        return ~found if negated else found

    def _on_some_path(self, hold: Bounds, goal: Bounds) -> Bounds:
        must = until_on_some_path(self.graph, hold.must, goal.must)
        return Bounds(must, until_on_some_path(self._possible, hold.may, goal.may))

    def _on_all_paths(self, hold: Bounds, goal: Bounds) -> Bounds:
        must = until_on_all_paths(self._possible, hold.must, goal.must)
        return Bounds(must, until_on_all_paths(self.graph, hold.may, goal.may))

    def _next(self, p: Bounds) -> Bounds:
        """Where some edge leads to p."""
        return Bounds(_before(self.graph, p.must), _before(self._possible, p.may))


def _before(graph: Graph, mask: Mask) -> Mask:
    """Where some edge leads into the set."""
    return np.asarray(np.logical_or.reduceat(mask[graph.targets], graph.offsets[:-1]), dtype=bool)
