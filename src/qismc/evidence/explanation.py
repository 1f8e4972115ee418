"""Evidence for a verdict: a real execution where provenance gives one, otherwise a path of the graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

import numpy as np

from qismc.ctl import Evaluation, Mask
from qismc.engines import Numeric, Vector
from qismc.errors import LimitReached, NumbersDisagree, NumericDoubt, Undecided
from qismc.evidence.build import ExecutionBuilder
from qismc.evidence.difference import Blamed, against, blame
from qismc.evidence.execution import Beside, Execution
from qismc.evidence.explaining import explain
from qismc.evidence.hints import Hinter
from qismc.evidence.later import Later, LaterList
from qismc.evidence.proof import Evidence, is_sure, verify
from qismc.evidence.realise import Realiser, claimed
from qismc.evidence.refine import Refined
from qismc.evidence.replaying import Path, path_of
from qismc.evidence.safety import Violation, reached, violation
from qismc.evidence.states import overlap
from qismc.fixpoint import LIKELY, Solved, Starts, is_stretched
from qismc.language import And, Formula, Probability, Quantum, bounds_of, is_true, to_text
from qismc.probability import Chances
from qismc.questions import atoms_of

LOCATIONS_COMPARED = 2000
"""The nearest miss of a violated existential formula is looked for among so many locations."""


BESIDE_STEPS = 400
"""Longer executions are not shown beside others."""


T = TypeVar("T")


class Improbable(NumbersDisagree):
    """Generic angles say that something can happen, numbers say that it cannot."""


UNSTEADY = "it is so improbable that rounding may decide about it"
UNTAKEN = "a path of the transition system that no execution was found to take"
UNSEEN = "an execution takes this path of the transition system, but it was not simulated"
WITHIN_ROUNDING = "its numbers are within rounding of what they should be: exact arithmetic tells them apart"


class Explanation(NamedTuple):
    """What shows a verdict, if one execution can, and whether the verdict is right for executions."""

    execution: Execution | Later[Execution] | None
    sure: bool


@dataclass
class Explainer:
    """Explains formulas about one solved system."""

    _solved: Solved
    _evaluation: Evaluation
    _hinter: Hinter
    _chances: Chances
    _truth: Callable[[Formula], bool]
    _restart: Callable[[], None]
    """Starts the clocks anew."""
    _perturbed: Later[Numeric]
    _masks: dict[Formula, tuple[Mask, Mask]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        solved, hinter = self._solved, self._hinter
        self._tentative = solved.engine.assumed.tentative
        self._labels, self._replay = hinter.labels, hinter.replay
        self._simulator = hinter.replay.engine
        starts = Starts(solved, self._simulator)
        self._builder = ExecutionBuilder(solved.system, hinter.labels.names_at, self._simulator, starts)
        self._realiser = Realiser(solved, self._simulator, self._builder, self._known)

    def explanation(self, formula: Formula, holds: bool, *, at_once: bool = True) -> Explanation:
        """Why a formula is true or false at the start.

        Unless it is wanted `at_once`, an execution that no verdict rests on is replayed for those who look.
        """
        found = None if holds else violation(formula, self._evaluation, self._labels)
        if found is not None and (at_once or self._tentative):
            return Explanation(self._hinted(found, formula), True)
        if found is not None:
            return Explanation(Later(lambda: self._looked_at(found, formula)), True)
        sure = is_sure(formula, holds)
        if holds and bounds_of(formula):
            return Explanation(None, sure)  # no single execution shows a probability
        bounds = None if holds else blame(formula, self._truth)
        if bounds is not None:
            return Explanation(self._difference(formula, bounds), sure)
        if isinstance(formula, Probability):
            return Explanation(None if holds else self._chance(formula), sure)
        evidence = explain(formula, self._evaluation)
        verify(evidence, formula, self._evaluation.graph, self._atom_truth)
        if evidence.kind == "none":
            return Explanation(None if holds else Execution("none", claim=self._miss(formula)), sure)
        execution = self._realiser.realise(evidence)
        if execution is None:
            return Explanation(located(self._builder, evidence, UNTAKEN), sure)
        if self._tentative and not self._is_trusted(execution, evidence):
            execution = execution.noted(UNSTEADY, replayed=False)
        return Explanation(execution if len(execution) > 1 or not holds else None, True)

    def refined(self, formula: Formula, found: Refined) -> Execution | None:
        """What shows a verdict that was reached by telling states apart."""
        evidence = found.evidence
        if found.holds and (bounds_of(formula) or isinstance(formula, Probability)):
            return None  # no single execution shows a probability
        verify(evidence, formula, self._evaluation.graph, self._atom_truth)
        if evidence.kind == "none":
            return None if found.holds else Execution("none", claim=self._miss(formula))
        return self._realiser.realise(evidence, found.proves) or located(self._builder, evidence, UNSEEN)

    def to_the_end(self, claim: str) -> Execution:
        """The execution to where the last location was reached."""
        last = self._labels.system.num_locations - 1
        point = self._labels.system.node_of(last)[1]
        return self._builder.execution(path_of(self._labels.arrived(last)[-1].arrival, point), claim)

    def _known(self, evidence: Evidence) -> Path | None:
        """How the first execution came to what `EF p` asks for, or to what breaks `AG p`."""
        found = None if evidence.holds else violation(evidence.formula, self._evaluation, self._labels)
        if found is not None:
            return found.path
        return reached(evidence.formula, evidence.holds, self._evaluation, self._labels)

    # --- violated invariants ---

    def _hinted(self, found: Violation, formula: Formula, *, seen: bool = False) -> Execution:
        """The violating execution, as far as there is time to replay it; `seen` by somebody at once."""
        claim = _claim(found, formula)
        try:
            passed = self._builder.replay(found.path, pictures=seen)
            execution, end = self._builder.along(passed, claim), passed.last.state
            execution = self._confirmed(found, execution, end)
        except LimitReached:
            return self._builder.unsimulated(found.path, claim)
        if self._tentative and not execution.replayed:
            raise Improbable(
                "the violating execution is possible for generic angles, but improbable: 0 within rounding"
            )
        if self._tentative and not self._is_steady(found.path):
            raise Improbable("the violating execution is so improbable that rounding decides about it")

        def explained() -> Execution:
            return self._hinter.explain(found, execution, end)

        hinted = Later(lambda: self._again(explained, lambda _: execution))
        return replace(
            execution,
            steps=LaterList.each(len(execution), lambda k: hinted().steps[k]),
            hints=LaterList(lambda: hinted().hints),
            beside=Later(lambda: self._again(lambda: self._beside(found), lambda _: None)),
        )

    def _is_trusted(self, execution: Execution, evidence: Evidence) -> bool:
        """Is it probable, or the execution that is known, and that one steady?"""
        probability = execution.probability or 0.0
        if probability >= LIKELY**2:
            return True
        path = self._known(evidence)
        if path is None or is_stretched(probability, self._builder.replay(path).last.probability):
            return False
        return self._is_steady(path)

    def _is_steady(self, path: Path) -> bool:
        """Is the execution what it is because of the program, and not because of rounding?"""
        if self._builder.replay(path).last.probability >= LIKELY**2:
            return True
        perturbed = self._perturbed()
        return self._builder.is_steady(path, perturbed, Starts(self._solved, perturbed))

    def _looked_at(self, found: Violation, formula: Formula) -> Execution:
        """The violating execution for somebody who looks at it after the verdict."""
        return self._again(lambda: self._hinted(found, formula, seen=True), not_shown)

    def _again(self, look: Callable[[], T], otherwise: Callable[[Undecided | MemoryError], T]) -> T:
        """What somebody wants to see after the verdict, with the time that there was for it."""
        self._restart()
        try:
            return look()
        except (Undecided, MemoryError) as doubt:
            return otherwise(doubt)

    def _beside(self, found: Violation) -> Beside | None:
        """The nearest execution that passes, replayed."""
        passing = None if found.bounded else self._hinter.passing(found)
        if passing is None or len(passing.path.visits) > BESIDE_STEPS:
            return None
        execution = self._builder.execution(passing.path, "the nearest execution that passes")
        return Beside(execution, passing.prefix, passing.suffix)

    def _confirmed(self, found: Violation, execution: Execution, end: Vector) -> Execution:
        """A replayed execution must break the invariant itself, by its own numbers."""
        if not execution.replayed or found.bounded:
            return execution
        try:
            broken = self._is_broken(found, end)
        except NumericDoubt:
            broken = False
        return execution if broken else execution.noted(WITHIN_ROUNDING, replayed=False)

    def _is_broken(self, found: Violation, end: Vector) -> bool:
        """The body, or where several states break it together a part of it, is false of the final state."""

        def truth(atom: Formula) -> bool:
            quantum = self._labels.as_quantum(atom)
            if quantum is None:
                return self._evaluation.holds(atom, found.location)
            return self._labels.contains(quantum, end, numeric=True)

        return not is_true(found.body, truth) if found.alone else not all(map(truth, found.atoms))

    # --- others ---

    def _difference(self, formula: Formula, bounds: Blamed) -> Execution:
        """Executions that make up the difference; where numbers know of none, exact verdicts stand alone."""
        try:
            return against(formula, bounds, self._chances, self._labels)
        except NumericDoubt as doubt:
            return Execution(
                "none", claim=f"{to_text(formula)} fails (no execution is shown: {doubt.reason})"
            )

    def _chance(self, formula: Probability) -> Execution:
        """An execution to where a probability formula was decided: what it must not reach, or a trap."""
        decided = self._chances.culprits.get(formula)
        if decided is None:
            return Execution("none", claim=f"no execution satisfies {to_text(formula)}")
        claim = f"{to_text(formula)} fails: with positive probability because of executions such as this"
        return self._builder.execution(path_of(*decided), claim)

    def _atom_truth(self, atom: Formula, index: int) -> bool:
        """The label itself; all locations where the evaluation asked for it are answered at once."""
        if atom not in self._masks or not self._masks[atom][0][index]:
            classical = self._labels.as_quantum(atom) is None and not isinstance(atom, Probability)
            graph = self._evaluation.graph
            where = graph.everywhere if classical else self._evaluation.known(atom) | graph.only(index)
            self._masks[atom] = (where, self._labels(atom, where))
        return bool(self._masks[atom][1][index])

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
                overlap(self._simulator, proposition, self._replay.at(found, point))
                for found in self._labels.arrived(index)
            ]
            if not weights or any(weight is None for weight in weights):
                continue
            least = float(np.min([weight for weight in weights if weight is not None]))
            if best is None or least > best[0]:
                best = (least, index, to_text(atom))
        return best


def located(builder: ExecutionBuilder, evidence: Evidence, note: str) -> Execution:
    """The evidence's longest path as it is in the graph, further evidence beside it."""
    steps, loop_start = evidence.spine()
    execution = builder.located(steps, loop_start, claimed(evidence), note)
    beside = [(place, child) for place, child in evidence.beside() if child.kind != "none"]
    return execution.with_children([(place, located(builder, child, note)) for place, child in beside])


def not_shown(doubt: Undecided | MemoryError) -> Execution:
    """What stands in the place of an execution that could not be replayed."""
    reason = "out of memory" if isinstance(doubt, MemoryError) else doubt
    return Execution("none", claim=f"violated, but the execution could not be shown ({reason})")


def _claim(found: Violation, formula: Formula) -> str:
    """What a violating execution shows."""
    text = to_text(formula)
    if found.alone:
        return f"a state that breaks {text}"
    if found.bounded:
        return f"an execution to where annotations rule out {text}"
    return f"one of several states that break {text} together"
