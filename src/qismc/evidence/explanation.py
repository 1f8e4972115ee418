"""Evidence for a verdict: a real execution where provenance gives one, otherwise a path of the graph."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from qismc.ctl.evaluate import Evaluation
from qismc.ctl.graph import Mask
from qismc.errors import LimitReached, NumbersDisagree
from qismc.evidence.build import ExecutionBuilder
from qismc.evidence.difference import Unlikely, blame
from qismc.evidence.execution import Execution, Kind
from qismc.evidence.explain import explain
from qismc.evidence.hints.counterexample import Hinter
from qismc.evidence.overlap import overlap
from qismc.evidence.path import path_to
from qismc.evidence.proof import Evidence
from qismc.evidence.safety import Violation, violation
from qismc.evidence.verify import verify
from qismc.names import atoms_of
from qismc.solve import Solved
from qismc.spec.printer import to_text
from qismc.spec.syntax import And, Formula, Probability, Quantum

LOCATIONS_COMPARED = 2000
"""The nearest miss of a violated existential formula is looked for among so many locations."""


class Improbable(NumbersDisagree):
    """Generic angles say that something can happen, numbers say that it cannot."""


class Explainer:
    """Explains formulas about one solved system."""

    def __init__(
        self,
        solved: Solved,
        evaluation: Evaluation,
        hinter: Hinter,
        truth: Callable[[Formula], bool],
    ) -> None:
        self._evaluation = evaluation
        self._truth = truth
        self._masks: dict[Formula, tuple[Mask, Mask]] = {}
        self._tentative = solved.engine.assumed.tentative
        self._hinter = hinter
        self._labels, self._shadow = hinter.labels, hinter.shadow
        self._simulator = simulator = hinter.simulator
        self._unlikely = Unlikely(solved.system, hinter.labels.names_at)
        self._builder = ExecutionBuilder(
            solved.system,
            hinter.labels.names_at,
            simulator,
            lambda seed: solved.seeds[seed].vector(simulator),
        )

    def counterexample(self, formula: Formula) -> Execution:
        """Why a formula fails at the start: an execution, or the nearest miss where none can show it."""
        found = violation(formula, self._evaluation, self._labels)
        if found is not None:
            claim = f"a state that breaks {to_text(formula)}"
            return self._hinted(found, claim)
        blamed = blame(formula, self._truth)
        if blamed is not None and self._labels.chances is not None:
            return self._unlikely.explain(formula, blamed, self._labels.chances)
        if isinstance(formula, Probability):
            return self._chance(formula)
        evidence = self._verified(formula)
        if evidence.kind == "none":
            return Execution("none", claim=self._miss(formula))
        return self._execution(evidence)

    def _hinted(self, found: Violation, claim: str) -> Execution:
        """The violating execution, as far as there is time to replay it and to look for causes."""
        try:
            execution, end = self._builder.with_end(found.path, claim)
        except LimitReached:
            return self._builder.unsimulated(found.path, claim)
        if self._tentative and not execution.replayed:
            raise Improbable(
                "the violating execution is possible for generic angles, but improbable: 0 within rounding"
            )
        try:
            return self._hinter.explain(found, execution, end)
        except LimitReached:
            return execution

    def _chance(self, formula: Probability) -> Execution:
        """An execution to where a probability formula was decided: what it must not reach, or a trap."""
        decided = self._labels.decided_at(formula)
        if decided is None:
            return Execution("none", claim=f"no execution satisfies {to_text(formula)}")
        found, point = decided
        claim = f"{to_text(formula)} fails: with positive probability because of executions such as this"
        return self._builder.from_provenance(path_to(found, point), claim)

    def witness(self, formula: Formula) -> Execution | None:
        """An execution that shows why a formula holds at the start, if one execution can."""
        evidence = self._verified(formula)
        if evidence.kind == "none" or len(evidence.spine()[0]) < 2:
            return None
        return self._execution(evidence)

    def _verified(self, formula: Formula) -> Evidence:
        """Evidence that passed the independent check against the graph."""
        evidence = explain(formula, self._evaluation)
        verify(evidence, formula, self._evaluation.graph, self._atom_truth)
        return evidence

    def _atom_truth(self, atom: Formula, index: int) -> bool:
        """The label itself; all locations where the evaluation asked for it are answered at once."""
        if atom not in self._masks or not self._masks[atom][0][index]:
            where = self._evaluation.known(atom) | self._evaluation.graph.only(index)
            self._masks[atom] = (where, self._labels(atom, where))
        return bool(self._masks[atom][1][index])

    def _execution(self, evidence: Evidence) -> Execution:
        """The evidence's longest path as one execution, further evidence beside it."""
        steps, loop_start = evidence.spine()
        kind: Kind = "lasso" if loop_start is not None else "path"
        truth = "holds" if evidence.holds else "fails"
        claim = f"{to_text(evidence.formula)} {truth} on it"
        execution = self._builder.from_locations(kind, steps, loop_start, claim)
        on_spine = steps[len(evidence.steps) - 1 :]
        children = [
            (place, self._execution(child))
            for place, child in evidence.children
            if child.kind != "none" and child.spine()[0] != on_spine
        ]
        return execution.with_children(children)

    def _miss(self, formula: Formula) -> str:
        """Which location comes closest to the propositions of a formula that no execution satisfies."""
        while isinstance(formula, And):  # one side is to blame: name that one
            formula = formula.right if self._evaluation.holds(formula.left) else formula.left
        text = f"no execution satisfies {to_text(formula)}"
        atoms = [self._labels.as_quantum(atom) for atom in atoms_of(formula)]
        misses = [self._nearest(atom) for atom in atoms if atom is not None]
        found = [miss for miss in misses if miss is not None]
        if not found:
            return text
        weight, index, atom = max(found)
        location = self._labels.system.location(index)
        where = location.source or f"statement {location.point}"
        place = f"{location.name} ({location.text} at {where})"
        return f"{text}; nearest: {place}, {weight:.4g} of its state in {atom}"

    def _nearest(self, atom: Quantum) -> tuple[float, int, str] | None:
        proposition = self._labels.proposition(atom)
        best: tuple[float, int, str] | None = None
        for index in range(min(self._labels.system.num_locations, LOCATIONS_COMPARED)):
            point = self._labels.system.node_of(index)[1]
            weights = [
                overlap(self._simulator, proposition, self._shadow.at(found, point))
                for found in self._labels.arrived(index)
            ]
            if not weights or any(weight is None for weight in weights):
                continue
            least = float(np.min([weight for weight in weights if weight is not None]))
            if best is None or least > best[0]:
                best = (least, index, to_text(atom))
        return best
