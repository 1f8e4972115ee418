"""Claims that formulas make about single program points, and what their combinations say.

A question is about the points and stores that can be reached and the states there. A claim rests on the
answers to its questions; a combination is a Boolean formula over claims.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from qismc.language import syntax, to_text

LEAF = syntax.Atom("leaf")


@dataclass(frozen=True)
class Never:
    """No location is reached where the classical formula is true."""

    condition: syntax.Formula


@dataclass(frozen=True)
class Inside:
    """Where the classical formula is true, all states are in the proposition."""

    condition: syntax.Formula
    proposition: syntax.Quantum


@dataclass(frozen=True)
class NoRun:
    """On no execution that ends `left U right` is true (`satisfied`), or false; both sides are classical."""

    left: syntax.Formula
    right: syntax.Formula
    satisfied: bool
    condition: ClassVar[syntax.Formula] = LEAF


@dataclass(frozen=True)
class Response:
    """On all executions that end, from every point on where `trigger` is true: `left U right` is true, or, if
    it is `weak`, `left` is true up to the end; all parts are classical."""

    trigger: syntax.Formula
    left: syntax.Formula
    right: syntax.Formula
    weak: bool
    condition: ClassVar[syntax.Formula] = LEAF


@dataclass(frozen=True)
class Reading:
    """No execution ends. Who asks this wants to read the given positions of the store where one does."""

    positions: tuple[int, ...]
    condition: ClassVar[syntax.Formula] = LEAF


Question = Never | Inside | NoRun | Response | Reading
"""All have a `condition`, a classical formula: the question is asked at the locations where it is true."""


@dataclass(frozen=True)
class Always:
    """`AG body`: every question is answered by yes; `formula` says the same.

    With `ends` it says that of every execution's end, and that all executions end: decided where control has
    no cycle.
    """

    questions: tuple[Question, ...]
    formula: syntax.Formula
    ends: bool = False


@dataclass(frozen=True)
class Possible:
    """`EF condition`: its question is answered by no."""

    condition: syntax.Formula

    @property
    def questions(self) -> tuple[Question, ...]:
        return (Never(self.condition),)

    @property
    def formula(self) -> syntax.Formula:
        return syntax.Temporal("E", "F", (self.condition,))


@dataclass(frozen=True)
class OnPaths:
    """`A` or `E` of a path formula over classical ones, or of a response to classical ones anywhere: decided
    where control has no cycle.

    `A` needs the question answered by yes, `E` by no.
    """

    question: NoRun | Response
    formula: syntax.Temporal

    @property
    def questions(self) -> tuple[Question, ...]:
        return (self.question,)

    @property
    def existential(self) -> bool:
        return self.formula.quantifier == "E"


@dataclass(frozen=True)
class AtStart:
    """A classical formula about the start."""

    formula: syntax.Formula
    questions: ClassVar[tuple[Question, ...]] = ()


@dataclass(frozen=True)
class Likely:
    """A probability operator: [not] `hold U goal` of classical formulas is as likely as its bound says."""

    hold: syntax.Formula
    goal: syntax.Formula
    negated: bool
    formula: syntax.Probability

    @property
    def questions(self) -> tuple[Question, ...]:
        """Where are goals, and where are locations that are neither goals nor on the way to one?"""
        return Never(self.goal), Never(syntax.And(syntax.Not(self.hold), syntax.Not(self.goal)))

    @property
    def runs(self) -> tuple[NoRun, NoRun]:
        """The questions where all executions end: about those that satisfy `hold U goal`, then about the
        others. Answered by yes, there are none."""
        return NoRun(self.hold, self.goal, satisfied=True), NoRun(self.hold, self.goal, satisfied=False)

    def on_some_path(self, *, satisfied: bool) -> OnPaths:
        """That an execution satisfies the path formula of the bound, or (`satisfied` is False) does not."""
        quantifier: Literal["A", "E"] = "E" if satisfied else "A"
        path = syntax.Temporal(quantifier, self.formula.op, self.formula.operands)
        return OnPaths(self.runs[int(self.negated == satisfied)], path)


Claim = Always | Possible | OnPaths | AtStart | Likely


@dataclass(frozen=True)
class Combination:
    """A formula without temporal operators over claims, which its atoms `#0`, `#1`, … stand for."""

    formula: syntax.Formula
    claims: tuple[Claim, ...]


def truth(formula: syntax.Formula, claims: list[bool]) -> bool:
    """The truth of a combination, given that of its claims."""
    return syntax.is_true(formula, lambda atom: claims[_number(atom)])


def _number(atom: syntax.Formula) -> int:
    assert isinstance(atom, syntax.Atom), "atoms stand for claims"
    return int(atom.name[1:])


def responsible(formula: syntax.Formula, claims: list[bool], holds: bool) -> list[int]:
    """The claims on which the truth of a combination rests: together they imply it."""
    if isinstance(formula, syntax.Atom):
        return [_number(formula)]
    right = [side for side in syntax.signed(formula, holds) if truth(side[0], claims) == side[1]]
    one_is_enough = isinstance(formula, syntax.Or | syntax.Implies) == holds
    if one_is_enough and not isinstance(formula, syntax.Iff):
        right = right[:1]
    return [k for part, wanted in right for k in responsible(part, claims, wanted)]


def is_existential(claim: Claim) -> bool:
    """Does an execution show that the claim is true? Others are shown to be false by one."""
    return isinstance(claim, Possible) or (isinstance(claim, OnPaths) and claim.existential)


def refuted_by(claim: Claim) -> syntax.Formula:
    """The formula that is false on an execution that shows something about a claim."""
    match claim:
        case Possible(condition):
            return syntax.Temporal("A", "G", (syntax.Not(condition),))
        case OnPaths(_, formula) if claim.existential:
            return syntax.Not(formula)
    return claim.formula


def shown_by(claim: Claim) -> str:
    """What an execution shows."""
    text = to_text(claim.formula)
    match claim:
        case Possible():
            return f"{text} holds on it"
        case Always():
            return f"{text} fails at its end"
    return text
