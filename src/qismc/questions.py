"""What a formula asks of single program points, where that is all it asks.

Some formulas need no graph: `AG body` asks the same of every location, `EF F` whether one is reached, and
without loops every execution ends, so that what happened on the way can be asked there. Such a formula is a
Boolean combination of questions, each about the points and stores that can be reached and the states there;
whoever can answer these decides it.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Literal

from typing_extensions import assert_never

from qismc.claims import (
    LEAF,
    Always,
    AtStart,
    Claim,
    Combination,
    Ends,
    Inside,
    Likely,
    Never,
    NoRun,
    OnPaths,
    Possible,
    Question,
)
from qismc.merging import is_classical
from qismc.spec import syntax
from qismc.spec.printer import to_text

TRUE = syntax.Constant(True)


class NoQuestions(Exception):  # noqa: N818 - an answer: the formula needs the graph
    """The formula asks for more than single locations."""


def questions(
    formula: syntax.Formula, propositions: Container[str], *, likely: bool = False, paths: bool = False
) -> Combination:
    """The questions of a formula; names of propositions are given. Raises NoQuestions.

    With `likely`, bounds of probabilities are claims of their own; with `paths`, what happens on the way is.
    """
    reader = _Reader(propositions, likely, paths)
    return Combination(reader.combination(formula), tuple(reader.claims))


class _Reader:
    def __init__(self, propositions: Container[str], likely: bool, paths: bool) -> None:
        self._propositions = propositions
        self._likely = likely
        self._paths = paths
        self.claims: list[Claim] = []

    def combination(self, formula: syntax.Formula) -> syntax.Formula:
        """The formula with claims in the place of its temporal parts."""
        match formula:
            case syntax.Constant():
                return formula
            case syntax.Not(operand):
                return syntax.Not(self.combination(operand))
            case syntax.And(left, right):
                return syntax.And(self.combination(left), self.combination(right))
            case syntax.Or(left, right):
                return syntax.Or(self.combination(left), self.combination(right))
            case syntax.Implies(left, right):
                return syntax.Implies(self.combination(left), self.combination(right))
            case syntax.Iff(left, right):
                return syntax.Iff(self.combination(left), self.combination(right))
            case syntax.Temporal() | syntax.Probability():
                return self._atom(self._temporal(formula))
            case syntax.Atom() | syntax.Bit() | syntax.Compare() | syntax.Quantum():
                return self._atom(AtStart(self._classical(formula)))
        assert_never(formula)

    def _atom(self, claim: Claim) -> syntax.Atom:
        self.claims.append(claim)
        return syntax.Atom(f"#{len(self.claims) - 1}")

    def _temporal(self, formula: syntax.Temporal | syntax.Probability) -> Claim:
        body = formula.operands[-1]
        kind = formula.quantifier if isinstance(formula, syntax.Temporal) else f"P{formula.bound}"
        finally_ = formula.op == "U" and formula.operands[0] == TRUE  # true U body
        match kind, "F" if finally_ else formula.op:
            case ("A", "G"):
                return Always(tuple(self._joint(body, TRUE)), formula)
            case ("P=1", "G"):
                self._classical(body)
                return Always(tuple(self._joint(body, TRUE)), syntax.Temporal("A", "G", (body,)))
            case ("E" | "P>0", "F"):
                return Possible(self._classical(body), syntax.Temporal("E", "F", (body,)))
            case ("A" | "P=1", "F") if not self._paths or LEAF in syntax.conjuncts(self._classical(body)):
                return Ends(self._at_leaf(body))
            case ("A" | "P=1" | "E" | "P>0", "F" | "G" | "U" | "W" | "R") if self._paths:
                return self._on_paths("A" if kind in ("A", "P=1") else "E", formula)
        if self._likely and isinstance(formula, syntax.Probability):
            return Likely(*self._until(formula), formula)
        raise NoQuestions(f"'{to_text(formula)}' asks for paths")

    def _on_paths(
        self, quantifier: Literal["A", "E"], formula: syntax.Temporal | syntax.Probability
    ) -> OnPaths:
        hold, goal, negated = self._until(formula)
        asked = NoRun(hold, goal, satisfied=negated == (quantifier == "A"))
        return OnPaths(asked, syntax.Temporal(quantifier, formula.op, formula.operands))

    def _until(
        self, formula: syntax.Temporal | syntax.Probability
    ) -> tuple[syntax.Formula, syntax.Formula, bool]:
        """F, G, U, W and R as [not] hold U goal."""
        parts = [self._classical(operand) for operand in formula.operands]
        fails = [syntax.Not(part) for part in parts]
        match formula.op:
            case "F":
                return TRUE, parts[0], False
            case "U":
                return parts[0], parts[1], False
            case "G":
                return TRUE, fails[0], True
            case "W":
                return fails[1], syntax.And(*fails), True
            case "R":
                return fails[0], fails[1], True
        raise NoQuestions(f"'{to_text(formula)}' asks for the next step")

    def _at_leaf(self, body: syntax.Formula) -> Always:
        """`leaf`, or `leaf & F`: at the end there is no later chance for F."""
        rest = syntax.conjuncts(self._classical(body))
        if LEAF not in rest:
            raise NoQuestions(f"'{to_text(body)}' may become true before the end")
        rest.remove(LEAF)
        wanted = tuple(Never(syntax.And(LEAF, syntax.Not(part))) for part in rest)
        goal = syntax.Implies(LEAF, body)
        return Always(wanted, syntax.Temporal("A", "G", (goal,)))

    def _joint(self, body: syntax.Formula, condition: syntax.Formula) -> Iterator[Question]:
        """The questions of `condition -> body`."""
        if self._is_classical(body):
            yield Never(_both(condition, syntax.Not(body)))
            return
        match body:
            case syntax.And(left, right):
                yield from self._joint(left, condition)
                yield from self._joint(right, condition)
            case syntax.Or(left, right) if self._is_classical(left):
                yield from self._joint(right, _both(condition, syntax.Not(left)))
            case syntax.Or(left, right) if self._is_classical(right):
                yield from self._joint(left, _both(condition, syntax.Not(right)))
            case syntax.Implies(left, right) if self._is_classical(left):
                yield from self._joint(right, _both(condition, left))
            case syntax.Atom(name) if name in self._propositions:
                yield Inside(condition, syntax.Quantum(syntax.PropName(name)))
            case syntax.Quantum():
                yield Inside(condition, body)
            case _:
                raise NoQuestions(f"'{to_text(body)}' cannot be asked of several stores together")

    def _classical(self, formula: syntax.Formula) -> syntax.Formula:
        if not self._is_classical(formula):
            raise NoQuestions(f"'{to_text(formula)}' does not speak of points and classical values alone")
        return formula

    def _is_classical(self, formula: syntax.Formula) -> bool:
        """Numbers of locations mean nothing without the graph, and what is reached is what is asked."""
        return is_classical(formula, self._propositions)


def _both(left: syntax.Formula, right: syntax.Formula) -> syntax.Formula:
    return right if left == TRUE else syntax.And(left, right)
