"""The truth of CTL formulas at the locations of a graph, asking for atoms only where they matter.

All temporal operators but X reduce to E[hold U goal] and A[hold U goal] (`as_until`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from qismc.ctl.graph import Graph, Mask, forward, until_on_all_paths, until_on_some_path
from qismc.language import QUANTUM, Formula, conjuncts, subformulas, syntax
from qismc.language import cost as cost_of

V = TypeVar("V", bound=Any)
"""Truth values by location, with the operators ~ and &."""


def as_until(op: str, operands: Sequence[V], true: V) -> tuple[bool, V, V]:
    """(negated, hold, goal): the paths of an operator are those of hold U goal, or all others.

    Negating a path formula exchanges the quantifiers A and E: AG p = !E[true U !p].
    """
    p, q = operands[0], operands[-1]
    match op:
        case "F":
            return False, true, p
        case "G":
            return True, true, ~p
        case "U":
            return False, p, q
        case "W":
            return True, ~q, ~p & ~q
        case "R":
            return True, ~p, ~q
    raise ValueError(op)


def as_conjunction(formula: syntax.And | syntax.Or | syntax.Implies) -> tuple[bool, Formula, Formula]:
    """(negated, left, right): the formula is left & right, or its negation."""
    match formula:
        case syntax.Or(left, right):
            return True, syntax.Not(left), syntax.Not(right)
        case syntax.Implies(left, right):
            return True, left, syntax.Not(right)
    return False, formula.left, formula.right


Atoms = Callable[[Formula, Mask], Mask]
"""atoms(atomic formula, where): its truth; only the values at `where` are used."""

Cost = Callable[[Formula], int]

Together = Callable[[Sequence[Formula], Mask], None]
"""together(formulas, where): all of them are about to be asked for there, as long as they hold."""


def evaluate(formula: Formula, graph: Graph, atoms: Atoms, needed: Mask | None = None) -> Mask:
    """Where the formula holds; meaningful at the `needed` locations (default: all)."""
    return Evaluation(graph, atoms).truth(formula, needed)


class Evaluation:
    """Remembers the truth of every sub-formula and where it is known."""

    def __init__(
        self, graph: Graph, atoms: Atoms, cost: Cost = cost_of, together: Together | None = None
    ) -> None:
        self.graph = graph
        self._atoms = atoms
        self._cost = cost
        self._together = together
        self._truth: dict[Formula, tuple[Mask, Mask]] = {}  # formula -> (where it is known, where it holds)

    def holds(self, formula: Formula, location: int | None = None) -> bool:
        """The formula's truth at a location (default: the initial one)."""
        place = self.graph.initial if location is None else location
        return bool(self.truth(formula, self.graph.only(place))[place])

    def says(self, formula: Formula, truth: bool, location: int) -> bool:
        """Is the formula's truth at a location this one?"""
        return self.holds(formula, location) == truth

    def truth(self, formula: Formula, needed: Mask | None = None) -> Mask:
        """Where the formula holds; false wherever its truth is not known."""
        need = self.graph.everywhere if needed is None else needed
        found = self._truth.get(formula)
        if found is None:
            scope = self._scope(formula, need)
            holds = self._compute(formula, scope) & scope
            self._truth[formula] = scope, holds
            return holds
        known, holds = found
        missing = need & ~known
        if np.count_nonzero(missing):
            scope = self._scope(formula, missing)
            holds = holds | (self._compute(formula, scope) & scope)
            self._truth[formula] = known | scope, holds
        return holds

    def _scope(self, formula: Formula, missing: Mask) -> Mask:
        """Where an answer costs nothing more: F and G are decided at everything that can be reached.

        (Where it is known it comes out the same again.)
        """
        if isinstance(formula, syntax.Temporal) and formula.op in "FG":
            return forward(self.graph, missing)
        return missing

    def found(self, formula: Formula) -> tuple[Mask, Mask]:
        """Where the formula's truth has been computed, and where it holds."""
        return self._truth.get(formula) or (self.graph.nowhere(), self.graph.nowhere())

    def known(self, formula: Formula) -> Mask:
        """Where the formula's truth has been computed; that of constants needs none."""
        return self.graph.everywhere if isinstance(formula, syntax.Constant) else self.found(formula)[0]

    def _compute(self, formula: Formula, need: Mask) -> Mask:
        if isinstance(formula, syntax.Atomic):
            return np.asarray(self._atoms(formula, need), dtype=bool)
        match formula:
            case syntax.Constant(value):
                return np.full(self.graph.size, value)
            case syntax.Not(operand):
                return ~self.truth(operand, need)
            case syntax.And():
                return self._all(formula, need)
            case syntax.Or() | syntax.Implies():
                _, left, right = as_conjunction(formula)
                return ~self._both(left, right, need)
            case syntax.Iff(left, right):
                return ~(self.truth(left, need) ^ self.truth(right, need))
            case syntax.Temporal():
                return self._temporal(formula, need)
        raise TypeError(f"{formula!r} is no formula")

    def _all(self, formula: syntax.And, need: Mask) -> Mask:
        """As `_both`; where the dearer operand is a conjunction that nobody asked for, at once with that."""
        inner: list[tuple[Formula, Mask]] = []
        tell, first, rest = self._together, need, cast(Formula, formula)
        while isinstance(rest, syntax.And) and (rest is formula or rest not in self._truth):
            inner.append((rest, first))
            cheap, dear = self._sides(rest.left, rest.right)
            if tell is not None and self._cost(cheap) >= QUANTUM:
                tell(conjuncts(rest), first)
                tell = None
            rest = dear
            first = first & self._value(cheap, first)
            if not np.count_nonzero(first):
                break
        else:
            first = first & self._value(rest, first)
        for conjunction, scope in inner[1:]:
            self._truth[conjunction] = scope, first
        return first

    def _both(self, left: Formula, right: Formula, need: Mask) -> Mask:
        """The conjunction, with the dearer operand asked only where the cheaper one holds."""
        cheap, dear = self._sides(left, right)
        first = need & self._value(cheap, need)
        return first & self._value(dear, first) if np.count_nonzero(first) else first

    def _sides(self, left: Formula, right: Formula) -> tuple[Formula, Formula]:
        """The cheaper one first."""
        return (left, right) if self._cost(left) <= self._cost(right) else (right, left)

    def _value(self, formula: Formula, need: Mask) -> Mask:
        """As `truth`, but a negation at the top is not remembered: it may be our own."""
        return (
            ~self.truth(formula.operand, need)
            if isinstance(formula, syntax.Not)
            else self.truth(formula, need)
        )

    # --- temporal operators ---

    def _temporal(self, formula: syntax.Temporal, need: Mask) -> Mask:
        every = formula.quantifier == "A"
        if formula.op == "X":
            return self._next(formula.operands[0], every, need)
        region = need if formula.op in "FG" else forward(self.graph, need)  # as `_scope` left it
        operands = self._operands(formula, need, region)
        negated, hold, goal = as_until(formula.op, operands, self.graph.everywhere)
        until = until_on_all_paths if every != negated else until_on_some_path
        found = until(self.graph, region & hold, region & goal)
        return ~found if negated else found

    def _operands(self, formula: syntax.Temporal, need: Mask, region: Mask) -> list[Mask]:
        """The operands' truth as far as it matters: behind where the cheaper one ends the path, nothing does.

        A path of p U q and p W q goes on where p & !q holds, one of p R q where !p & q does.
        """
        if formula.op in "FG":
            return [self.truth(formula.operands[0], region)]
        p, q = formula.operands
        is_release = formula.op == "R"
        if self._cost(q) <= self._cost(p):
            second = self.truth(q, region)
            onwards = region & (second if is_release else ~second)
            return [self.truth(p, forward(self.graph, need, onwards) & onwards), second]
        first = self.truth(p, region)
        onwards = region & (~first if is_release else first)
        return [first, self.truth(q, forward(self.graph, need, onwards))]

    def _next(self, operand: Formula, every: bool, need: Mask) -> Mask:
        graph = self.graph
        after = graph.nowhere()
        after[graph.targets[np.repeat(need, graph.degrees)]] = True
        value = self.truth(operand, after)[graph.targets]
        combine = np.logical_and if every else np.logical_or
        return np.asarray(combine.reduceat(value, graph.offsets[:-1]), dtype=bool)


class Truth(NamedTuple):
    """Where a formula's truth was needed, and where it holds (meaningful there only)."""

    known: Mask
    holds: Mask

    def values(self) -> list[bool | None]:
        """Per location; None where the value was not needed."""
        pairs = zip(self.known.tolist(), self.holds.tolist(), strict=True)
        return [holds if known else None for known, holds in pairs]


def truths(evaluation: Evaluation, formula: Formula) -> dict[Formula, Truth]:
    """What is known by now; nothing new is computed."""
    return {part: Truth(*evaluation.found(part)) for part in subformulas(formula)}


def of_executions(
    found: Mapping[Formula, Truth], formula: Formula, initial: int, holds: bool
) -> dict[Formula, Truth]:
    """The same where executions decided otherwise than the graph: its word on paths counts no more.

    What speaks of single locations stays; of the rest only the verdict at the start is known.
    """
    kept: dict[Formula, Truth] = {}
    for part, truth in found.items():
        if not any(isinstance(inner, syntax.Temporal | syntax.Probability) for inner in subformulas(part)):
            kept[part] = truth
            continue
        known, values = np.zeros_like(truth.known), np.zeros_like(truth.holds)
        if part == formula:
            known[initial], values[initial] = True, holds
        kept[part] = Truth(known, values)
    return kept
