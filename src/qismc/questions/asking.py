"""What a formula asks of single program points, where that is all it asks.

Some formulas need no graph: `AG body` asks the same of every location, `EF F` whether one is reached, and
without loops every execution ends, so that what happened on the way can be asked there. Such a formula is a
Boolean combination of questions, each about the points and stores that can be reached and the states there;
whoever can answer these decides it.

`AG (trigger -> A path)` says G (trigger -> path) of every execution, if the trigger is no formula about paths
itself. `EF (trigger & E path)` is the opposite of such a formula.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import reduce
from typing import Literal, NamedTuple

from qismc.language import syntax, to_text
from qismc.questions.claims import (
    LEAF,
    Always,
    AtStart,
    Claim,
    Combination,
    Inside,
    Likely,
    Never,
    NoRun,
    OnPaths,
    Possible,
    Question,
    Response,
)
from qismc.questions.formulas import is_classical

TRUE, FALSE = syntax.Constant(True), syntax.Constant(False)
PathFormula = syntax.Temporal | syntax.Probability


def quantifier(path: PathFormula) -> str:
    """`A` or `E`, or the bound of a probability behind a P."""
    return path.quantifier if isinstance(path, syntax.Temporal) else f"P{path.bound}"


def is_end(path: PathFormula) -> bool:
    """Does it say that the end is reached? Without loops it is, on all paths and on some."""
    last = path.op == "F" or (path.op == "U" and path.operands[0] == TRUE)
    return last and path.operands[-1] == LEAF and quantifier(path) in ("A", "E", "P=1", "P>0")


class UntilForm(NamedTuple):
    """`left U right`, or, if it is `weak`, `left W right`."""

    left: syntax.Formula
    right: syntax.Formula
    weak: bool

    @classmethod
    def of(cls, path: PathFormula) -> UntilForm | None:
        """What a path formula says, its quantifier left aside; None if it is about the next step."""
        first, last = path.operands[0], path.operands[-1]
        match path.op:
            case "F":
                return cls(TRUE, last, weak=False)
            case "G":
                return cls(last, FALSE, weak=True)
            case "U" | "W":
                return cls(first, last, weak=path.op == "W")
            case "R":
                return cls(last, syntax.And(first, last), weak=True)
        return None

    @property
    def opposite(self) -> UntilForm:
        """True of the executions of which this is not."""
        left, right = (
            syntax.negation(side) if side in (TRUE, FALSE) else syntax.Not(side)
            for side in (self.left, self.right)
        )
        return UntilForm(right, syntax.conjunction(right, left), not self.weak)


def response(path: PathFormula, trigger: syntax.Formula) -> Response | None:
    """The question of `AG (trigger -> path)`; None if it is about the next step, or not about all paths."""
    form = UntilForm.of(path)
    return None if form is None or quantifier(path) not in ("A", "P=1") else Response(trigger, *form)


def opposite(path: PathFormula) -> syntax.Temporal | None:
    """What all paths satisfy if none satisfies the given formula; None if that is about the next step."""
    form = UntilForm.of(path)
    if form is None or quantifier(path) not in ("E", "P>0"):
        return None
    left, right, weak = form.opposite
    return syntax.Temporal("A", "W" if weak else "U", (left, right))


def without_chance(formula: syntax.Formula) -> syntax.Formula:
    """The same with `A` for `P=1` and `E` for `P>0`, wherever a body of `AG` or `EF` has them: one execution
    that is followed by itself shows nothing about probabilities."""
    match formula:
        case syntax.Probability("=1", op, operands):
            return syntax.Temporal("A", op, operands)
        case syntax.Probability(">0", op, operands):
            return syntax.Temporal("E", op, operands)
        case syntax.Iff():
            return formula
    return syntax.rebuilt(formula, without_chance)


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
        self._ends: list[syntax.Formula] = []
        """What nested formulas say of the end: that it comes."""

    def combination(self, formula: syntax.Formula) -> syntax.Formula:
        """The formula with claims in the place of its temporal parts."""
        match formula:
            case syntax.Temporal() | syntax.Probability():
                return self._temporal(formula)
            case syntax.Atom() | syntax.Bit() | syntax.Compare() | syntax.Quantum():
                return self._atom(AtStart(self._classical(formula)))
        return syntax.rebuilt(formula, self.combination)

    def _atom(self, claim: Claim) -> syntax.Formula:
        self.claims.append(claim)
        return syntax.Atom(f"#{len(self.claims) - 1}")

    def _temporal(self, formula: PathFormula) -> syntax.Formula:
        body = formula.operands[-1]
        kind = quantifier(formula)
        finally_ = formula.op == "U" and formula.operands[0] == TRUE  # true U body
        match kind, "F" if finally_ else formula.op:
            case ("A", "G"):
                return self._always(body)
            case ("P=1", "G"):
                return self._always(self._classical(body))
            case ("E" | "P>0", "F") if self._paths and not self._is_classical(body):
                return self._some(body)
            case ("E" | "P>0", "F"):
                claim: Claim = Possible(self._classical(body))
            case ("A" | "P=1", "F") if not self._paths or LEAF in syntax.conjuncts(self._classical(body)):
                claim = self._at_leaf(body)
            case ("A" | "P=1" | "E" | "P>0", "F" | "G" | "U" | "W" | "R") if self._paths:
                claim = self._on_paths("A" if kind in ("A", "P=1") else "E", formula)
            case _ if self._likely and isinstance(formula, syntax.Probability):
                claim = Likely(*self._until(formula), formula)
            case _:
                raise NoQuestions(f"'{to_text(formula)}' asks for paths")
        return self._atom(claim)

    def _always(self, body: syntax.Formula) -> syntax.Formula:
        """`AG body`: what is asked of single locations is one claim, every response on paths another."""
        formula = syntax.Temporal("A", "G", (without_chance(body),))
        ends_before, asked = len(self._ends), list(self._joint(body, TRUE))
        responses = [question for question in asked if isinstance(question, Response)]
        others = [question for question in asked if not isinstance(question, Response)]
        claims: list[Claim] = [OnPaths(question, formula) for question in responses]
        if others or not claims:
            whole = formula if not claims else syntax.Temporal("A", "G", (_said_of_locations(others),))
            claims.insert(0, Always(tuple(others), whole))
        claims += [Always((), end, ends=True) for end in self._ends[ends_before:]]
        return reduce(syntax.And, map(self._atom, claims))

    def _some(self, body: syntax.Formula) -> syntax.Formula:
        """`EF body` where the body speaks of paths: the opposite of `AG !body`, question by question."""
        formula = syntax.Temporal("E", "F", (without_chance(body),))
        asked = list(self._joint(syntax.Not(body), TRUE))
        claims = [OnPaths(question, formula) for question in asked if isinstance(question, Response)]
        if len(claims) < len(asked) or not claims:
            raise NoQuestions(f"'{to_text(formula)}' does not ask for paths alone")
        return reduce(syntax.Or, map(self._atom, claims))

    def _on_paths(self, letter: Literal["A", "E"], formula: PathFormula) -> OnPaths:
        hold, goal, negated = self._until(formula)
        asked = NoRun(hold, goal, satisfied=negated == (letter == "A"))
        return OnPaths(asked, syntax.Temporal(letter, formula.op, formula.operands))

    def _until(self, formula: PathFormula) -> tuple[syntax.Formula, syntax.Formula, bool]:
        """F, G, U, W and R as [not] hold U goal: both sides, and whether it is negated."""
        for operand in formula.operands:
            self._classical(operand)
        form = UntilForm.of(formula)
        if form is None:
            raise NoQuestions(f"'{to_text(formula)}' asks for the next step")
        hold, goal, _ = form.opposite if form.weak else form
        return hold, goal, form.weak

    def _at_leaf(self, body: syntax.Formula) -> Always:
        """`leaf`, or `leaf & F`: at the end there is no later chance for F."""
        rest = syntax.conjuncts(self._classical(body))
        if LEAF not in rest:
            raise NoQuestions(f"'{to_text(body)}' may become true before the end")
        rest.remove(LEAF)
        wanted = tuple(Never(syntax.And(LEAF, syntax.Not(part))) for part in rest)
        goal = syntax.Implies(LEAF, body)
        return Always(wanted, syntax.Temporal("A", "G", (goal,)), ends=True)

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
            case syntax.Not(operand) if self._paths:
                yield from self._joint(self._negated(operand), condition)
            case syntax.Temporal() | syntax.Probability() if self._paths:
                yield from self._response(body, condition)
            case _:
                raise NoQuestions(f"'{to_text(body)}' cannot be asked of several stores together")

    # --- responses ---------------------------------------------------------------------------------------

    def _response(self, path: PathFormula, trigger: syntax.Formula) -> Iterator[Question]:
        """The question of `AG (trigger -> path)`; nothing is left to ask of the end, if it always comes."""
        if is_end(path):
            self._ends.append(syntax.Temporal("A", "F", (LEAF,)))
            return
        found = response(path, trigger)
        if found is None:
            raise NoQuestions(f"'{to_text(path)}' cannot be asked of single executions")
        for operand in path.operands:
            self._classical(operand)
        yield found

    def _negated(self, formula: syntax.Formula) -> syntax.Formula:
        """The opposite of a formula, without a negation in front where paths are spoken of."""
        if self._is_classical(formula):
            return syntax.Not(formula)
        match formula:
            case syntax.Not(operand):
                return operand
            case syntax.And(left, right):
                return syntax.Or(self._negated(left), self._negated(right))
            case syntax.Or(left, right):
                return syntax.And(self._negated(left), self._negated(right))
            case syntax.Implies(left, right):
                return syntax.And(left, self._negated(right))
            case syntax.Temporal() | syntax.Probability():
                found = opposite(formula)
                if found is not None:
                    return found
        raise NoQuestions(f"'{to_text(formula)}' cannot be asked of several stores together")

    def _classical(self, formula: syntax.Formula) -> syntax.Formula:
        if not self._is_classical(formula):
            raise NoQuestions(f"'{to_text(formula)}' does not speak of points and classical values alone")
        return formula

    def _is_classical(self, formula: syntax.Formula) -> bool:
        """Numbers of locations mean nothing without the graph, and what is reached is what is asked."""
        return is_classical(formula, self._propositions)


def _both(left: syntax.Formula, right: syntax.Formula) -> syntax.Formula:
    return right if left == TRUE else syntax.And(left, right)


def _said_of_locations(asked: Sequence[Question]) -> syntax.Formula:
    """What questions about single locations say together."""
    parts: list[syntax.Formula] = [
        syntax.Implies(question.condition, question.proposition)
        if isinstance(question, Inside)
        else syntax.Not(question.condition)
        for question in asked
    ]
    return reduce(syntax.And, parts)
