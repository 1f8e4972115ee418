"""Claims about formulas, the evidence that proves them, and its independent check.

Every execution is a path of the graph. So a claim that speaks of all paths only, such as "AG p holds" or
"EF p fails", is right for executions if it is right for the graph. A claim that speaks of some path is right
only if an execution takes such a path.

Evidence is a path or a lasso of locations that proves what a formula says at a location. The check uses the
definition of the operators on that one path, never a fixed point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from qismc.ctl import Graph
from qismc.language import (
    MOST_FORMULAS,
    And,
    Atomic,
    Constant,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Probability,
    Temporal,
    is_true,
    operands,
    signed,
    subformulas,
    to_text,
)


class Signed(NamedTuple):
    """The claim that `formula` is `holds`, at a location that the context names."""

    formula: Formula
    holds: bool

    @property
    def has_path(self) -> bool:
        """Can a path prove it: is it existential and true, or universal and false?"""
        return isinstance(self.formula, Temporal) and (self.formula.quantifier == "E") == self.holds


def split(claim: Signed) -> tuple[bool, tuple[Signed, ...]] | None:
    """(every, parts): a claim about a Boolean connective follows from every one of the parts, or from any.

    None for all other formulas.
    """
    formula, holds = claim
    match formula:
        case Iff(left, right):
            return split(Signed(And(Implies(right, left), Implies(left, right)), holds))
        case Not():
            every = True
        case And():
            every = holds
        case Or() | Implies():
            every = not holds
        case _:
            return None
    return every, tuple(Signed(*part) for part in signed(formula, holds))


def is_universal(formula: Formula, holds: bool) -> bool:
    """Does "the formula is `holds`" speak of all paths only, in every part?"""
    match formula:
        case Temporal():
            same = (formula.quantifier == "A") == holds
            return same and all(is_universal(part, holds) for part in formula.operands)
        case Probability():
            return all(is_timeless(part) for part in formula.operands)
    return all(is_universal(part, truth) for part, truth in signed(formula, holds))


@lru_cache(maxsize=MOST_FORMULAS)
def is_sure(formula: Formula, holds: bool) -> bool:
    """Is a claim about the start right for executions if it is right for the graph?

    A location is in the graph because an execution reached it, so `EF p` and `AG p` are decided by it alone.
    """
    match formula:
        case Temporal("E", "F", (goal,)) if holds and is_timeless(goal):
            return True
        case Temporal("A", "G", (body,)) if not holds and is_timeless(body):
            return True
        case Not() | And() | Or() | Implies():
            return all(is_sure(part, truth) for part, truth in signed(formula, holds))
    return is_universal(formula, holds)


@lru_cache(maxsize=MOST_FORMULAS)
def timed_probabilities(formula: Formula) -> tuple[Probability, ...]:
    """The probabilities of paths on which others are spoken of; no path of the graph shows them."""
    parts = (part for part in subformulas(formula) if isinstance(part, Probability))
    return tuple(part for part in parts if not is_timeless(part))


def is_local(formula: Formula) -> bool:
    """The formula speaks of one location only: no temporal operator in it; P-operators count as labels."""
    return not isinstance(formula, Temporal) and all(map(is_local, operands(formula)))


def is_timeless(formula: Formula) -> bool:
    """No temporal operator anywhere: the truth at a location depends on no path."""
    return not any(isinstance(part, Temporal) for part in subformulas(formula))


def invariant(formula: Formula) -> Formula | None:
    """phi of `AG phi` (or of phi itself, at the start) if phi speaks of single locations only."""
    always = isinstance(formula, Temporal) and formula.quantifier + formula.op == "AG"
    body = operands(formula)[0] if always else formula
    return None if any(isinstance(part, Temporal | Probability) for part in subformulas(body)) else body


def blamed(formula: Formula, atom: Callable[[Formula], bool]) -> Iterator[Signed]:
    """The atoms, with their truth, that make the formula what it is: the others may change freely."""
    claim = Signed(formula, is_true(formula, atom))
    if split(claim) is None and not isinstance(formula, Constant):
        yield claim
    elif split(claim) is not None:
        for part, truth in signed(*claim):
            if is_true(part, atom) == truth:
                yield from blamed(part, atom)


Kind = Literal["path", "lasso", "tree", "none"]


@dataclass(frozen=True)
class Evidence:
    """Why `formula` is `holds` at steps[0].

    A lasso goes from its last step back to steps[loop_start]. `children` are pairs (position in steps,
    evidence) for the sub-formulas that need paths of their own. Kind "tree" is a path or lasso with such
    children, "none" a claim that no path proves: a universal formula that holds, or an existential one
    that fails.
    """

    formula: Formula
    holds: bool
    kind: Kind
    steps: tuple[int, ...]
    loop_start: int | None = None
    children: tuple[tuple[int, Evidence], ...] = ()

    @property
    def location(self) -> int:
        """Where the claim is made."""
        return self.steps[0]

    def at(self, position: int) -> Iterator[Evidence]:
        """The children at a position."""
        return (child for place, child in self.children if place == position)

    def continuation(self) -> Evidence | None:
        """The first child at the last step whose path leads further."""
        if self.loop_start is not None:
            return None
        for child in self.at(len(self.steps) - 1):
            steps, loop_start = child.spine()
            if loop_start is not None or len(steps) > 1:
                return child
        return None

    def beside(self, offset: int = 0) -> Iterator[tuple[int, Evidence]]:
        """The evidence beside the spine: (position on the spine, evidence for a claim that is made there)."""
        continued = self.continuation()
        for place, child in self.children:
            if child is continued:
                yield from child.beside(offset + place)
            else:
                yield offset + place, child

    def spine(self) -> tuple[tuple[int, ...], int | None]:
        """One path or lasso: it goes on into the continuation."""
        child = self.continuation()
        if child is None:
            return self.steps, self.loop_start
        last = len(self.steps) - 1
        steps, loop_start = child.spine()
        return self.steps + steps[1:], None if loop_start is None else last + loop_start


AtomTruth = Callable[[Formula, int], bool]


class UnsoundEvidenceError(AssertionError):
    """Evidence does not prove its claim: a defect of QisMC, never of the user's input."""


def verify(evidence: Evidence, formula: Formula, graph: Graph, atom_truth: AtomTruth) -> None:
    """Raise unless the evidence proves its claim about `formula`; parts of kind "none" are believed."""
    if evidence.formula != formula:
        shown, asked = to_text(evidence.formula), to_text(formula)
        raise UnsoundEvidenceError(f"evidence for {shown} is offered for {asked}")
    _EvidenceChecker(graph, atom_truth).check(evidence)


@dataclass(frozen=True)
class _EvidenceChecker:
    graph: Graph
    atom_truth: AtomTruth

    def check(self, evidence: Evidence) -> None:
        """Raise unless the evidence proves its claim or is of kind "none"."""
        formula, holds = evidence.formula, evidence.holds
        if not evidence.steps:
            raise UnsoundEvidenceError(f"evidence for {to_text(formula)} has no steps")
        self._check_path(evidence.steps, evidence.loop_start)
        if isinstance(formula, Temporal):
            may_be_shown = Signed(formula, holds).has_path
            shown = evidence.kind == "none" or (may_be_shown and self._satisfied(evidence, formula))
        else:
            shown = self.supported(formula, holds, evidence.location, tuple(evidence.at(0)))
        if not shown:
            claim = f"{to_text(formula)} is {str(holds).lower()} at location {evidence.location}"
            raise UnsoundEvidenceError(f"the steps {evidence.steps} do not show that {claim}")

    def _check_path(self, steps: Sequence[int], loop_start: int | None) -> None:
        edges = list(pairwise(steps))
        if loop_start is not None:
            if not 0 <= loop_start < len(steps):
                raise UnsoundEvidenceError(f"a lasso of {len(steps)} steps goes back to step {loop_start}")
            edges.append((steps[-1], steps[loop_start]))
        offsets, targets = self.graph.offsets.data, self.graph.targets.data
        for source, target in edges:
            if target not in targets[offsets[source] : offsets[source + 1]].tolist():
                raise UnsoundEvidenceError(f"there is no edge from {source} to {target}")

    def _satisfied(self, evidence: Evidence, formula: Temporal) -> bool:
        """The definition of the operator, or of its failure, on the path of the evidence."""
        holds, count = evidence.holds, len(evidence.steps)
        p, q = formula.operands[0], formula.operands[-1]

        children: dict[int, list[Evidence]] = {}
        for position, child in evidence.children:
            children.setdefault(position, []).append(child)

        def shown(part: Formula, position: int) -> bool:
            return self.supported(part, holds, evidence.steps[position], children.get(position, ()))

        def always(part: Formula) -> bool:
            return all(shown(part, k) for k in range(count))

        def eventually(before: Formula | None, *at_end: Formula) -> bool:
            for end in range(count):
                if all(shown(part, end) for part in at_end):
                    return True
                if before is not None and not shown(before, end):
                    return False
            return False

        endless = evidence.loop_start is not None
        match formula.op, holds:
            case "X", _:
                return count == 2 and not endless and shown(p, 1)
            case ("F", True) | ("G", False):
                return eventually(None, p)
            case ("G", True) | ("F", False):
                return endless and always(p)
            case ("U", True) | ("R", False):
                return eventually(p, q)
            case "W", True:
                return eventually(p, q) or (endless and always(p))
            case "W", False:
                return eventually(q, p, q)
            case _:
                return eventually(q, p, q) or (endless and always(q))

    def supported(self, formula: Formula, holds: bool, location: int, children: Sequence[Evidence]) -> bool:
        """The claim follows, by Boolean reasoning, from atoms at the location and from the children."""

        if isinstance(formula, Atomic):
            return self.atom_truth(formula, location) == holds
        if isinstance(formula, Constant):
            return formula.value == holds
        found = split(Signed(formula, holds))
        if found is None:
            return self._child_shows((formula, holds, location), children)
        every, parts = found
        known = [self.supported(*part, location, children) for part in parts]
        return all(known) if every else any(known)

    def _child_shows(self, claim: tuple[Formula, bool, int], children: Sequence[Evidence]) -> bool:
        for child in children:
            if (child.formula, child.holds, child.location) == claim:
                self.check(child)
                return True
        return False
