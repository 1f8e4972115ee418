"""All hints about one violating execution, the faults on it among them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from qismc.ctl import Labels
from qismc.engines import Vector
from qismc.errors import Undecided
from qismc.evidence.cone import Influence, influences
from qismc.evidence.contrast import Contrast, Passing, nearest
from qismc.evidence.execution import Execution, Hint
from qismc.evidence.later import LaterList
from qismc.evidence.parts import failing_parts, share
from qismc.evidence.replaying import LargestTerms
from qismc.evidence.safety import Violation
from qismc.evidence.states import reduced_state
from qismc.faults import FAULT, is_fault
from qismc.fixpoint import FloatReplay
from qismc.language import to_text
from qismc.program import Program
from qismc.propositions import ket_text, support
from qismc.questions import Names, atoms_of


@dataclass
class Hinter:
    """Derives hints about executions of one solved program."""

    names: Names
    labels: Labels
    replay: FloatReplay

    def explain(self, violation: Violation, execution: Execution, end: Vector) -> Execution:
        """The execution with its hints; those that limits or rounding prevent are left out."""
        if execution.track is None:
            return execution
        if violation.bounded:
            hint = _not_below_wp(self._goal(violation), len(violation) - 1)
            return execution.with_hints((True,) * len(violation), [hint])
        influence = self._influence(violation)
        relevant = tuple(part.matters for part in influence)
        hints: list[Hint] = []
        about = (self._together(violation), self._about_the_end(violation, end))
        for found in (self._compared(violation, influence), *about):
            with suppress(Undecided):
                hints.extend(found)
        hints += self._cone(violation, relevant)
        return execution.with_hints(relevant, hints)

    def _goal(self, violation: Violation) -> str:
        return " and ".join(to_text(atom) for atom in violation.atoms) or to_text(violation.body)

    def passing(self, violation: Violation) -> Passing | None:
        """The nearest passing execution."""
        return nearest(violation, self.labels) if violation.atoms else None

    # --- the comparison with a passing execution ---------------------------------------------------------

    def _compared(self, violation: Violation, influence: tuple[Influence, ...]) -> Iterator[Hint]:
        """Where a passing execution differs; an outcome that cannot matter is no cause."""
        passing = self.passing(violation)
        if passing is None:
            return

        def passes(end: Vector) -> bool:
            return all(self.labels.contains(atom, end, numeric=True) for atom in violation.atoms)

        program, goal = self.labels.system.program, self._goal(violation)
        pair = Contrast(program, violation, passing, goal, self.replay, passes)
        differing, chosen = pair.common_end(influence), pair.parting()
        if differing is not None:
            yield differing
        if chosen is not None and all(influence[step].matters for step in chosen.steps):
            yield chosen

    # --- several states together -------------------------------------------------------------------------

    def _together(self, violation: Violation) -> Iterator[Hint]:
        """For each proposition that the shown state is in: another state at the location that is not.

        Where all of them are in it, it fails because annotations bound it.
        """
        point = self.labels.system.node_of(violation.location)[1]
        last = len(violation) - 1
        for atom in violation.atoms:
            if violation.alone or not self.labels.contains(atom, violation.found.vector):
                continue
            outside = (f for f in violation.outside if not self.labels.contains(atom, f.vector))
            other = next(outside, None)
            if other is None:
                yield _not_below_wp(to_text(atom), last)
                continue
            state = LargestTerms.of(self.replay.engine, self.replay.at(other, point))
            where = f"this state is in {to_text(atom)}, but another one that arrives here is not"
            text = f"{where}: {ket_text(state.terms or (), state.left_out)}"
            yield Hint("together", text, steps=(last,))

    # --- the final state ---------------------------------------------------------------------------------

    def _about_the_end(self, violation: Violation, end: Vector) -> Iterator[Hint]:
        program = self.labels.system.program
        last = len(violation) - 1
        for atom in violation.kept:
            text = f"every state here is in {to_text(atom)}, which should not be so"
            yield Hint("kept", text, steps=(last,))
        for atom in violation.atoms:
            if not violation.alone and self.labels.contains(atom, violation.found.vector):
                continue
            proposition = self.labels.proposition(atom)
            hint = share(self.replay.engine, proposition, to_text(atom), end, last)
            if hint is not None:
                yield hint
                yield from failing_parts(self.replay.engine, proposition, program.qubits, end, last)
        qubits = sorted(self._qubits(violation))
        if self.replay.engine.dense:
            yield from reduced_state(np.asarray(end), program.qubits, qubits, last)

    def _qubits(self, violation: Violation) -> frozenset[int]:
        count = self.labels.system.program.num_qubits
        return frozenset(q for atom in violation.atoms for q in support(self.labels.proposition(atom), count))

    # --- the cone of influence ---------------------------------------------------------------------------

    def _influence(self, violation: Violation) -> tuple[Influence, ...]:
        """What can matter at each step; everything where the state should have avoided a proposition."""
        points = [visit.point for visit in violation.path.visits]
        quantum = any(self.labels.as_quantum(atom) is not None for atom in atoms_of(violation.body))
        if quantum and not violation.atoms:
            everything = frozenset(range(self.labels.system.program.num_qubits))
            return (Influence(True, everything),) * len(points)
        bits = self.names.observed(violation.body)
        return influences(self.labels.system.program, points, self._qubits(violation), bits)

    def _cone(self, violation: Violation, relevant: tuple[bool, ...]) -> Iterator[Hint]:
        idle = tuple(k for k, matters in enumerate(relevant) if not matters)
        if idle:
            many = f"the violation does not need {len(idle)} of {len(relevant)} steps"
            how = f"without them {self._goal(violation)} fails as well, perhaps with other outcomes"
            yield Hint("cone", f"{many}: {how}", steps=idle)


def _not_below_wp(goal: str, last: int) -> Hint:
    text = f"every state here is in {goal}, but {goal} is not below wp: annotations allow less of it"
    return Hint("wp", text, steps=(last,))


def with_faults_named(execution: Execution, program: Program) -> Execution:
    """The execution with a hint for each fault on it; hints about the choice itself say nothing more."""
    children = tuple((step, with_faults_named(child, program)) for step, child in execution.children)
    further = tuple(with_faults_named(other, program) for other in execution.further)
    hints = LaterList(lambda: _hints(execution, program))
    return replace(execution, hints=hints, children=children, further=further)


def _hints(execution: Execution, program: Program) -> list[Hint]:
    chosen = [k for k, step in enumerate(execution.steps) if is_fault(program, step.point)]
    named = [_hint(execution, step) for step in chosen]
    return [*named, *(hint for hint in execution.hints if not _is_glue(hint, execution))]


def _hint(execution: Execution, number: int) -> Hint:
    step = execution.steps[number]
    text = f"step {number} is a fault: {step.statement.removeprefix(FAULT)}"
    return Hint("fault", text, step.source, (number,))


def _is_glue(hint: Hint, execution: Execution) -> bool:
    return hint.kind in ("contrast", "parting") and any(execution.steps[step].glue for step in hint.steps)
