"""Follows executions that decide claims, and confirms each by other means than those that found it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple

from qismc._core import Tableau
from qismc.deciders.graph import Judge
from qismc.engines import Exact
from qismc.errors import NumbersDisagree, Undecided, UnluckyDraw
from qismc.evidence import Ending, Execution, Later, invariant, on_tableau
from qismc.fixpoint import solve_along
from qismc.language import to_text
from qismc.model import Model
from qismc.program import Leaf
from qismc.questions import Claim, OnPaths, Possible, refuted_by, shown_by
from qismc.stabiliser import Codes, Replay
from qismc.symbolic import NotSymbolic as NotStabiliser
from qismc.system import Course

OTHER_SEED = "run again with another --seed"
Shown = Execution | Later[Execution]


class Replayed(NamedTuple):
    """An execution that a tableau went along, and what is true at its end."""

    course: Course
    replay: Replay
    ending: Ending


class Following:
    """The executions of a model that were shown so far; formulas may share them.

    Where all that acts on an execution is Clifford, a tableau confirms it and vectors follow it for those who
    look. Otherwise vectors follow it at once: those of the engine show the claim, floating point confirms it.
    """

    def __init__(self, model: Model, engine: Exact) -> None:
        self._model = model
        self._engine = engine
        self._judges: list[tuple[Course, Judge]] = []
        self._replayed: list[Replayed] = []

    def once_more(self, claim: Claim) -> Shown | None:
        """An execution that was shown before, if it is evidence for this claim, too."""
        for replayed in self._replayed:
            with suppress(NotStabiliser):
                if _shows(claim, replayed):
                    return self._later(claim, replayed)
        for course, judge in self._judges:
            if isinstance(claim, OnPaths) and not self._ends(course):
                continue  # what comes later is open on it
            with suppress(Undecided):
                found = seen(claim, judge)
                if found is not None and found.replayed:
                    return found
        return None

    def _ends(self, course: Course) -> bool:
        """Does the execution go on to the end of the program?"""
        return isinstance(self._model.program.code[course.steps[-1].point], Leaf)

    def along(self, claim: Claim, course: Course) -> Shown:
        """The evidence for a claim that a given execution shows; raises UnluckyDraw, NumbersDisagree."""
        try:
            replayed = self._on_tableau(course)
            shows = _shows(claim, replayed)
        except NotStabiliser:
            return self._with_vectors(claim, course)
        if not shows:
            raise UnluckyDraw("the execution of an answer does not show it", hint=OTHER_SEED)
        self._replayed.append(replayed)
        return self._later(claim, replayed)

    # --- on a tableau ------------------------------------------------------------------------------------

    @cached_property
    def _codes(self) -> Codes:
        return Codes(self._model.program.num_qubits)

    @cached_property
    def _start(self) -> Tableau:
        """The one state that the program starts in; raises NotStabiliser."""
        start = self._codes.start(self._model.init)
        if len(start.generators) < start.qubits:
            raise NotStabiliser("init is no single state")
        return start

    def _on_tableau(self, course: Course) -> Replayed:
        model, end = self._model, course.steps[-1]
        replay = Replay(model.program, self._codes.gates, self._start, course.steps)
        return Replayed(course, replay, Ending(model.names, self._codes, *end[:2], replay.tableau))

    def _later(self, claim: Claim, replayed: Replayed) -> Later[Execution]:
        """The execution, with the amplitudes of its states if there is time for them when somebody looks."""

        def look() -> Execution:
            program, (course, replay, _) = self._model.program, replayed
            strings = on_tableau.execution(program, course.steps, replay, shown_by(claim))
            self._model.budget.restart()
            self._model.simulation.budget.restart()
            try:
                found = self._with_vectors(claim, course)
            except Undecided:  # the tableau needs no room
                return strings
            return found if found.replayed else strings

        return Later(look)

    # --- with vectors ------------------------------------------------------------------------------------

    def _with_vectors(self, claim: Claim, course: Course) -> Execution:
        """The evidence that the explicit store finds on the given execution."""
        judge = next(self._known(course), None) or self._judge(course)
        found = seen(claim, judge)
        if found is None:
            raise UnluckyDraw("the execution of an answer does not show it", hint=OTHER_SEED)
        if not found.replayed and not self._engine.assumed.proved:
            raise NumbersDisagree("an execution that decides a formula for generic angles cannot be replayed")
        if found.replayed:
            self._judges.append((course, judge))
        return found

    def _known(self, course: Course) -> Iterator[Judge]:
        return (judge for earlier, judge in self._judges if earlier is course)

    def _judge(self, course: Course) -> Judge:
        model = self._model
        return Judge(model, solve_along(model.program, model.init, self._engine, model.budget, course))


def _shows(claim: Claim, replayed: Replayed) -> bool:
    """Is the execution possible, and is what the claim says of all locations false at its end?"""
    body = None if isinstance(claim, OnPaths) else invariant(refuted_by(claim))
    if body is None:
        raise NotStabiliser("the claim is about paths")
    return replayed.replay.possible and not replayed.ending.holds(body)


def seen(claim: Claim, judge: Judge) -> Execution | None:
    """The evidence for a claim on a followed execution, if it is there."""
    match claim:
        case OnPaths(_, formula):
            says = "holds" if claim.existential else "fails"
            return judge.whole(refuted_by(claim), f"{to_text(formula)} {says} on it")
        case Possible():
            found = judge.refutation(refuted_by(claim))
            return None if found is None else found.without_hints(shown_by(claim))
    return judge.refutation(refuted_by(claim))
