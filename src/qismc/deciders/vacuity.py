"""Formulas that hold and say nothing: premises that are never true, goals that are true at the start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from qismc.errors import Undecided
from qismc.language import QUANTUM, cost, syntax, to_text
from qismc.questions import Names, probabilities
from qismc.system import TransitionSystem

Mask = npt.NDArray[np.bool_]
Truth = Callable[[syntax.Formula], Mask]
MOST_QUESTIONS = 2_000
"""Premises about states are looked at in systems of at most so many locations."""
VALUES_SHOWN = 6
REACHED = syntax.Atom("reached")


@dataclass(frozen=True)
class Premise:
    """Of an implication that a formula asks for at many locations; it says nothing if it is never true."""

    premise: syntax.Formula
    implication: syntax.Formula


@dataclass(frozen=True)
class Goal:
    """What is to be reached; it says nothing if it is true at the start."""

    goal: syntax.Formula
    formula: syntax.Formula


Suspect = Premise | Goal


@lru_cache(maxsize=syntax.MOST_FORMULAS)
def suspects(formula: syntax.Formula) -> tuple[Suspect, ...]:
    """The parts of a formula that holds which may be why it does."""
    return (*_goals(formula), *_premises(formula, positive=True, inside=False))


def _goals(formula: syntax.Formula) -> Iterator[Goal]:
    match formula:
        case syntax.And(left, right):
            yield from _goals(left)
            yield from _goals(right)
        case syntax.Temporal(_, "F" | "U", operands) | syntax.Probability(_, "F" | "U", operands):
            yield Goal(operands[-1], formula)


def _premises(formula: syntax.Formula, *, positive: bool, inside: bool) -> Iterator[Premise]:
    """Implications that the formula asks for; `inside` tells whether a temporal operator is around."""
    match formula:
        case syntax.Not(operand):
            yield from _premises(operand, positive=not positive, inside=inside)
        case syntax.And(left, right) | syntax.Or(left, right):
            yield from _premises(left, positive=positive, inside=inside)
            yield from _premises(right, positive=positive, inside=inside)
        case syntax.Implies(left, right):
            if positive and inside:
                yield Premise(left, formula)
            yield from _premises(left, positive=not positive, inside=inside)
            yield from _premises(right, positive=positive, inside=inside)
        case syntax.Temporal(_, _, operands):
            for part in operands:
                yield from _premises(part, positive=positive, inside=True)
        case syntax.Probability(bound, _, operands):
            asked = positive != _is_upper(bound)
            for part in operands:
                yield from _premises(part, positive=asked, inside=True)


def _is_upper(bound: syntax.Bound) -> bool:
    """Does it ask that the path is not too likely?"""
    return isinstance(bound, syntax.Threshold) and bound.relation.startswith("<")


def at_once(suspect: Goal) -> str:
    """The warning for a goal that is true at the start."""
    goal, formula = to_text(suspect.goal), to_text(suspect.formula)
    return f"'{goal}' is true at the start already, so '{formula}' says no more"


def never(suspect: Premise, why: str) -> str:
    """The warning for a premise that is never true."""
    implication = to_text(suspect.implication)
    return f"'{to_text(suspect.premise)}' is never true, so '{implication}' says nothing: {why}"


class Vacuity:
    """Looks at the suspects of formulas about one system."""

    def __init__(self, system: TransitionSystem, names: Names, truth: Truth) -> None:
        self._system = system
        self._names = names
        self._truth = truth

    def warnings(self, formula: syntax.Formula) -> tuple[str, ...]:
        """Why a formula that holds says less than it seems; what cannot be told in time is left out."""
        found: dict[str, None] = {}
        for suspect in suspects(formula):
            try:
                text = self._warning(suspect)
            except Undecided:
                continue
            if text is not None:
                found[text] = None
        return tuple(found)

    def _warning(self, suspect: Suspect) -> str | None:
        match suspect:
            case Goal(goal):
                return at_once(suspect) if self._affordable(goal) and self._truth(goal)[0] else None
            case Premise(premise):
                if not self._affordable(premise) or self._visited(premise).any():
                    return None
                return never(suspect, self._why(premise))

    def _affordable(self, formula: syntax.Formula) -> bool:
        if probabilities(formula):
            return False
        dear = cost(formula, self._names.scope.props) >= QUANTUM
        return not dear or self._system.num_locations <= MOST_QUESTIONS

    def _visited(self, formula: syntax.Formula) -> Mask:
        """The locations where it is true of some state."""
        return self._truth(formula) & self._truth(REACHED)

    def _why(self, premise: syntax.Formula) -> str:
        """The part that is never true, or which values there are instead."""
        parts = syntax.conjuncts(premise)
        for part in parts:
            if len(parts) > 1 and not self._visited(part).any():
                return f"'{to_text(part)}' is never true, {self._reason(part, self._truth(REACHED))}"
        if len(parts) == 1:
            return self._reason(premise, self._truth(REACHED))
        for k, part in enumerate(parts):
            others = [other for j, other in enumerate(parts) if j != k]
            where = self._truth(REACHED)
            for other in others:
                where = where & self._truth(other)
            if isinstance(part, syntax.Compare | syntax.Bit) and where.any():
                beside = " & ".join(to_text(other) for other in others)
                return f"where '{beside}' is true, {self._values(part, where)}"
        return "its parts are true at some locations, but at none together"

    def _reason(self, atom: syntax.Formula, where: Mask) -> str:
        match atom:
            case syntax.Atom("leaf"):
                return "since no execution ends"
            case syntax.Atom(name) if name in self._names.program.marks:
                return f"since no execution comes to the mark '{name}'"
            case syntax.Compare() | syntax.Bit():
                return self._values(atom, where)
        return "at no location that an execution reaches"

    def _values(self, atom: syntax.Compare | syntax.Bit, where: Mask) -> str:
        """The values that the variables of an atom have somewhere."""
        refs = [atom.ref] if isinstance(atom, syntax.Bit) else self._names.refs(atom)[:VALUES_SHOWN]
        texts = []
        for ref in refs:
            variable = self._names.bits(ref)
            values = sorted({variable.value(store) for store in self._stores(where)})
            shown = ", ".join(map(str, values[:VALUES_SHOWN]))
            more = "" if len(values) <= VALUES_SHOWN else f" and {len(values) - VALUES_SHOWN} more values"
            texts.append(f"{ref} is {shown}{more}" if len(values) <= 1 else f"{ref} is one of {shown}{more}")
        return " and ".join(texts)

    def _stores(self, where: Mask) -> set[int]:
        return {self._system.node_of(int(k))[0].store for k in np.flatnonzero(where)}
