"""CTL on a graph whose edges are not all certain: what must be true, and what may be.

`certain` edges can be taken for sure, all `possible` edges together leave nothing out. A formula *must* hold
if it holds whichever of the uncertain edges are there, as far as this follows by induction over the formula:
paths that have to exist take certain edges, paths that have to be excluded take possible ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from qismc.ctl.graph import Graph, Mask
from qismc.ctl.reach import until_on_all_paths, until_on_some_path
from qismc.language import And, Atomic, Constant, Formula, Iff, Implies, Not, Or, Temporal
from qismc.language import cost as cost_of

Cost = Callable[[Formula], int]


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
        if isinstance(formula, Atomic):
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
            case Constant(value):
                mask = np.full(self.graph.size, value)
                return Bounds(mask, mask)
            case Not(operand):
                return ~self.bounds(operand)
            case And(left, right):
                return self._both(left, False, right, False)
            case Or(left, right):
                return ~self._both(left, True, right, True)
            case Implies(left, right):
                return ~self._both(left, False, right, True)
            case Iff(left, right):
                p, q = self.bounds(left), self.bounds(right)
                return (p & q) | (~p & ~q)
            case Temporal():
                return self._temporal(formula)
        raise TypeError(f"{formula!r} is no formula")

    def _both(self, left: Formula, no_left: bool, right: Formula, no_right: bool) -> Bounds:
        """[not] left and [not] right, the dearer one asked only where the cheaper one may hold."""
        cheap, dear = sorted(((left, no_left), (right, no_right)), key=lambda part: self._cost(part[0]))
        first = self.bounds(cheap[0])
        first = ~first if cheap[1] else first
        second = self.bounds(dear[0], first.may)
        return first & (~second if dear[1] else second)

    # --- temporal operators: those with A are negations of those with E ---

    def _temporal(self, formula: Temporal) -> Bounds:
        p, q = self.bounds(formula.operands[0]), self.bounds(formula.operands[-1])
        if formula.quantifier == "E":
            return self._exists(formula.op, p, q)
        dual = {"X": "X", "F": "G", "G": "F", "U": "W~", "W": "U~", "R": "U"}[formula.op]
        if dual.endswith("~"):  # not (p U q) = not q W (neither), not (p W q) = not q U (neither)
            return ~self._exists(dual[0], ~q, ~p & ~q)
        return ~self._exists(dual, ~p, ~q)

    def _exists(self, op: str, p: Bounds, q: Bounds) -> Bounds:
        match op:
            case "X":
                return Bounds(_next(self.graph, p.must), _next(self._possible, p.may))
            case "F":
                everywhere = self.graph.everywhere
                return self._until(Bounds(everywhere, everywhere), p)
            case "G":
                return self._forever(p)
            case "U":
                return self._until(p, q)
            case "W":
                return self._until(p, q) | self._forever(p)
            case "R":
                return self._until(q, p & q) | self._forever(q)
        raise ValueError(op)

    def _until(self, p: Bounds, q: Bounds) -> Bounds:
        must = until_on_some_path(self.graph, p.must, q.must)
        return Bounds(must, until_on_some_path(self._possible, p.may, q.may))

    def _forever(self, p: Bounds) -> Bounds:
        everywhere = self.graph.everywhere
        must = ~until_on_all_paths(self.graph, everywhere, ~p.must)
        return Bounds(must, ~until_on_all_paths(self._possible, everywhere, ~p.may))


def _next(graph: Graph, mask: Mask) -> Mask:
    """Where some edge leads into the set."""
    return np.asarray(np.logical_or.reduceat(mask[graph.targets], graph.offsets[:-1]), dtype=bool)
