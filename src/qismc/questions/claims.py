"""Claims that formulas make about single program points, and what their combinations say.

A question is about the points and stores that can be reached and the states there. A claim rests on the
answers to its questions; a combination is a Boolean formula over claims.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from typing_extensions import assert_never

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

    @property
    def condition(self) -> syntax.Formula:
        """Where it is asked."""
        return LEAF


@dataclass(frozen=True)
class Response:
    """On all executions that end, from every point on where `trigger` is true: `left U right` is true, or, if
    it is `weak`, `left` is true up to the end; all parts are classical."""

    trigger: syntax.Formula
    left: syntax.Formula
    right: syntax.Formula
    weak: bool

    @property
    def condition(self) -> syntax.Formula:
        """Where it is asked."""
        return LEAF


@dataclass(frozen=True)
class Reading:
    """No execution ends. Who asks this wants to read the given positions of the store where one does."""

    positions: tuple[int, ...]

    @property
    def condition(self) -> syntax.Formula:
        """Where it is asked."""
        return LEAF


Question = Never | Inside | NoRun | Response | Reading


@dataclass(frozen=True)
class Always:
    """`AG body`: every question is answered by yes. `invariant` is the formula that says so."""

    questions: tuple[Question, ...]
    invariant: syntax.Formula


@dataclass(frozen=True)
class Possible:
    """`EF condition`."""

    condition: syntax.Formula
    reachability: syntax.Formula


@dataclass(frozen=True)
class Ends:
    """Every execution ends, and then the condition is true: decided where control has no cycle."""

    at_the_end: Always


@dataclass(frozen=True)
class OnPaths:
    """`A` or `E` of a path formula over classical ones, or of a response to classical ones anywhere: decided
    where control has no cycle.

    `A` needs the question answered by yes, `E` by no.
    """

    question: NoRun | Response
    formula: syntax.Temporal

    @property
    def existential(self) -> bool:
        return self.formula.quantifier == "E"


@dataclass(frozen=True)
class AtStart:
    """A classical formula about the start."""

    condition: syntax.Formula


@dataclass(frozen=True)
class Likely:
    """A probability operator: [not] `hold U goal` of classical formulas is as likely as its bound says."""

    hold: syntax.Formula
    goal: syntax.Formula
    negated: bool
    formula: syntax.Probability


Claim = Always | Possible | Ends | OnPaths | AtStart | Likely


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


def asked_by(claim: Claim) -> tuple[Question, ...]:
    """The questions of a claim; `Possible` holds if its question is answered by no.

    Those of `Likely` are about its goals and its bad locations.
    """
    match claim:
        case Always(asked, _):
            return asked
        case Ends(at_the_end):
            return at_the_end.questions
        case Possible(condition, _):
            return (Never(condition),)
        case OnPaths(question, _):
            return (question,)
        case AtStart():
            return ()
        case Likely(hold, goal, _, _):
            return (Never(goal), Never(syntax.And(syntax.Not(hold), syntax.Not(goal))))
    assert_never(claim)


def at_the_end(claim: Likely) -> tuple[NoRun, NoRun]:
    """The questions of `Likely` where all executions end: about those that satisfy `hold U goal`, then about
    the others. Answered by yes, there are none."""
    return NoRun(claim.hold, claim.goal, satisfied=True), NoRun(claim.hold, claim.goal, satisfied=False)


def on_some_path(claim: Likely, *, satisfied: bool) -> OnPaths:
    """That an execution satisfies the path formula of a bound, or (`satisfied` is False) does not."""
    formula = claim.formula
    quantifier: Literal["A", "E"] = "E" if satisfied else "A"
    asked = at_the_end(claim)[int(claim.negated == satisfied)]
    return OnPaths(asked, syntax.Temporal(quantifier, formula.op, formula.operands))


def is_existential(claim: Claim) -> bool:
    """Does an execution show that the claim is true? Others are shown to be false by one."""
    return isinstance(claim, Possible) or (isinstance(claim, OnPaths) and claim.existential)


def refuted_by(claim: Claim) -> syntax.Formula:
    """The invariant that an execution breaks."""
    match claim:
        case Always(_, invariant):
            return invariant
        case Ends(at_the_end):
            return at_the_end.invariant
        case Possible(condition, _):
            return syntax.Temporal("A", "G", (syntax.Not(condition),))
        case OnPaths(_, formula):
            return syntax.Not(formula) if claim.existential else formula
        case AtStart(condition):
            return condition
        case Likely(_, _, _, formula):
            return formula
    assert_never(claim)


def shown_by(claim: Claim) -> str:
    """What an execution shows."""
    match claim:
        case Possible(_, reachability):
            return f"{to_text(reachability)} holds on it"
        case Always(_, invariant):
            return f"{to_text(invariant)} fails at its end"
        case Ends(at_the_end):
            return f"{to_text(at_the_end.invariant)} fails at its end"
        case AtStart(condition):
            return to_text(condition)
        case Likely(_, _, _, formula) | OnPaths(_, formula):
            return to_text(formula)
    assert_never(claim)
