"""Evidence as data, and its independent check.

Evidence is a path or a lasso of locations that proves what a formula says at a location. The check uses the
definition of the operators on that one path, never a fixed point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from qismc.ctl import Graph
from qismc.evidence.claims import Claim, split
from qismc.language import Atomic, Constant, Formula, Temporal, to_text

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


def verify(evidence: Evidence, formula: Formula, graph: Graph, atom_truth: AtomTruth) -> tuple[Evidence, ...]:
    """Raise unless the evidence proves its claim about `formula`; return its parts of kind "none"."""
    if evidence.formula != formula:
        shown, asked = to_text(evidence.formula), to_text(formula)
        raise UnsoundEvidenceError(f"evidence for {shown} is offered for {asked}")
    checker = _Checker(graph, atom_truth)
    checker.check(evidence)
    return tuple(checker.trusted)


@dataclass
class _Checker:
    graph: Graph
    atom_truth: AtomTruth
    trusted: list[Evidence] = field(default_factory=list)

    def check(self, evidence: Evidence) -> None:
        """Raise unless the evidence proves its claim or is of kind "none"."""
        formula, holds = evidence.formula, evidence.holds
        if not evidence.steps:
            raise UnsoundEvidenceError(f"evidence for {to_text(formula)} has no steps")
        self._is_path(evidence.steps, evidence.loop_start)
        if isinstance(formula, Temporal):
            if evidence.kind == "none":
                self.trusted.append(evidence)
                return
            shown = (formula.quantifier == "E") == holds and self._satisfied(evidence, formula)
        else:
            shown = self.supported(formula, holds, evidence.location, tuple(evidence.at(0)))
        if not shown:
            claim = f"{to_text(formula)} is {str(holds).lower()} at location {evidence.location}"
            raise UnsoundEvidenceError(f"the steps {evidence.steps} do not show that {claim}")

    def _is_path(self, steps: Sequence[int], loop_start: int | None) -> None:
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
        found = split(Claim(formula, holds))
        if found is None:
            return self._child_shows((formula, holds, location), children)
        known = [self.supported(*part, location, children) for part in found.parts]
        return all(known) if found.every else any(known)

    def _child_shows(self, claim: tuple[Formula, bool, int], children: Sequence[Evidence]) -> bool:
        for child in children:
            if (child.formula, child.holds, child.location) == claim:
                self.check(child)
                return True
        return False
