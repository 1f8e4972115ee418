"""Formulas about paths inside of `AG`, as questions about single executions.

`AG (trigger -> A path)` says G (trigger -> path) of every execution, if the trigger is no formula about paths
itself. `EF (trigger & E path)` is the opposite of such a formula.
"""

from __future__ import annotations

from qismc.language import syntax
from qismc.questions.claims import LEAF, Response

TRUE, FALSE = syntax.Constant(True), syntax.Constant(False)
Path = syntax.Temporal | syntax.Probability


def quantifier(path: Path) -> str:
    """`A` or `E`, or the bound of a probability behind a P."""
    return path.quantifier if isinstance(path, syntax.Temporal) else f"P{path.bound}"


def is_end(path: Path) -> bool:
    """Does it say that the end is reached? Without loops it is, on all paths and on some."""
    last = path.op == "F" or (path.op == "U" and path.operands[0] == TRUE)
    return last and path.operands[-1] == LEAF and quantifier(path) in ("A", "E", "P=1", "P>0")


def response(path: Path, trigger: syntax.Formula) -> Response | None:
    """The question of `AG (trigger -> path)`; None if it is about the next step, or not about all paths."""
    if quantifier(path) not in ("A", "P=1"):
        return None
    first, last = path.operands[0], path.operands[-1]
    match path.op:
        case "F":
            return Response(trigger, TRUE, last, weak=False)
        case "G":
            return Response(trigger, last, FALSE, weak=True)
        case "U" | "W":
            return Response(trigger, first, last, weak=path.op == "W")
        case "R":
            return Response(trigger, last, syntax.And(first, last), weak=True)
    return None


def opposite(path: Path) -> syntax.Temporal | None:
    """What all paths satisfy if none satisfies the given formula; None if that is about the next step."""
    if quantifier(path) not in ("E", "P>0"):
        return None
    fails = tuple(syntax.Not(operand) for operand in path.operands)
    match path.op:
        case "F":
            return syntax.Temporal("A", "G", fails)
        case "G":
            return syntax.Temporal("A", "F", fails)
        case "U":
            return syntax.Temporal("A", "R", fails)
        case "R":
            return syntax.Temporal("A", "U", fails)
        case "W":
            return syntax.Temporal("A", "U", (fails[1], syntax.And(*fails)))
    return None


def without_chance(formula: syntax.Formula) -> syntax.Formula:
    """The same with `A` for `P=1` and `E` for `P>0`, wherever a body of `AG` or `EF` has them: one execution
    that is followed by itself shows nothing about probabilities."""
    match formula:
        case syntax.Probability("=1", op, operands):
            return syntax.Temporal("A", op, operands)
        case syntax.Probability(">0", op, operands):
            return syntax.Temporal("E", op, operands)
        case syntax.Not(operand):
            return syntax.Not(without_chance(operand))
        case syntax.And(left, right):
            return syntax.And(without_chance(left), without_chance(right))
        case syntax.Or(left, right):
            return syntax.Or(without_chance(left), without_chance(right))
        case syntax.Implies(left, right):
            return syntax.Implies(without_chance(left), without_chance(right))
    return formula
