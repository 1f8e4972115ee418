"""Hints at the causes of a violation: changes after which the property holds, each of them tried.

Changes are screened with the states of violating executions, then run once with the outcomes of these;
those that are left are checked. After the change that a hint names the violated formula holds, and all
formulas that held before still do.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace

from typing_extensions import assert_never

from qismc.common.source import Source
from qismc.edits import Action, Edit, Exchange, Insert, Remove, Replace, action_text, inserted_text, source_of
from qismc.errors import QismcError, Undecided
from qismc.evidence import Execution, Hint, invariant
from qismc.program import Program, Switch, render
from qismc.repairs.branches import one_gate_repairs
from qismc.repairs.edit_order import EditOrder, near_first
from qismc.repairs.screening import DRAWN, EXECUTIONS, Screen, screen
from qismc.whatif import Variants

TRIALS = 1000
"""Maximum number of changes that are checked for one formula."""
BLIND_TRIALS = 20
"""Maximum number of checked changes that the screening says nothing about, where it does about others."""
DEAR = 1e6
"""Scalar operations of a check above which runs with random outcomes are made before it."""
TRIAL = 20.0
"""Effort of checking a change, in units of screening one (a screening costs about 1/20 of a check)."""
EFFORT = 250 * TRIAL
"""Maximum effort of a search, in screenings. It is counted, not timed."""
PLAIN_WORK = 5e5
"""Scalar operations of a plain check (about 20 ms). A check with more counts for as many plain ones."""
FEWEST_TRIALS = 4
"""Minimum number of checks that the effort is enough for; fewer where these would exceed MOST_WORK."""
MOST_WORK = 1.6e8
"""Maximum scalar operations of one check. For programs whose check takes more, no causes are looked for."""
HANGS = 60.0
"""Maximum seconds for one variant, whatever effort is counted for it."""
AS_LONG_AGAIN = 2.0
PATIENCE = 20 * TRIAL
"""Once a cause is found, the search ends after AS_LONG_AGAIN times the effort so far plus PATIENCE: what is
likely is tried early."""
SIMULATED_QUBITS = 12
"""Executions of more qubits are not simulated where stabiliser groups decide."""
CHANGES = 3
"""Maximum number of causes that are named."""
PLACES = 4
"""Maximum number of further lines that are named for one cause."""
CHANGES_SHOWN = 3
KIND = "cause"


@dataclass(frozen=True)
class Cause:
    """A change after which the property holds."""

    edit: Edit
    source: Source | None
    partial: bool = False
    """Does it change some of the times that a statement runs, and not all?"""
    also: tuple[Source, ...] = ()
    """Other lines where the same change has the same effect."""

    def is_like(self, other: Cause) -> bool:
        """The same insertion anywhere, or any change of the same line."""
        if self.source is None or other.source is None:
            return self.edit.point == other.edit.point
        return self.source.line == other.source.line or _inserted(self.edit) == _inserted(other.edit) != ()

    def also_at(self, other: Cause) -> Cause:
        """The same cause with a further place."""
        lines = {known.line for known in (self.source, *self.also) if known is not None}
        place = other.source
        if place is None or place.line in lines or len(self.also) == PLACES or other.partial:
            return self
        return replace(self, also=(*self.also, place))


def _added(found: list[Cause], cause: Cause) -> bool:
    """Add a cause to those that are known; False if they are enough."""
    same = next((k for k, known in enumerate(found) if known.is_like(cause)), None)
    if same is not None:
        found[same] = found[same].also_at(cause)
    elif len(found) < CHANGES:
        found.append(cause)
    else:
        return False
    return True


def _inserted(edit: Edit) -> tuple[object, ...]:
    return tuple((a.statement, a.condition) for a in edit.actions[:1] if isinstance(a, Insert))


@dataclass
class CauseSearch:
    """Looks for the causes of one violated formula."""

    question: Variants
    """The violated formula and those that hold."""
    name: str
    execution: Execution | None
    seconds: float = math.inf
    """The time that the user's own limit leaves."""
    dear: float = 1.0
    """So many plain trials each trial is worth."""
    drawn: int = 0
    """So many runs of an edited program with drawn outcomes come before its check."""
    tried: int = 0
    _doubtful: list[Cause] = field(default_factory=list)
    """Changes after which parts of the program are dead: told if there is nothing better."""
    _unreached: int | None = None
    """Statements of the program that are never reached."""
    _effort: float = 0.0
    """Changes that were looked at, and for each that was tried as many as that is worth."""
    _enough: float = field(init=False)
    """The effort after which further causes are not looked for."""
    _ends: bool = False
    """Can the program reach its end? Then it must after a change, too."""
    _start: float = field(default_factory=time.monotonic)
    _told: frozenset[str] | None = None
    """The warnings that the formulas have before any change."""

    def __post_init__(self) -> None:
        self._enough = EFFORT

    def causes(self) -> list[Cause]:
        """Likely ones first, one for each line; a statement that may be inserted at several places is one."""
        program = self.question.program
        found: list[Cause] = []
        if program is None:
            return []
        with suppress(QismcError, Undecided):
            for cause in self._holding(program):
                self._enough = min(self._enough, AS_LONG_AGAIN * self._effort + PATIENCE * self.dear)
                if not _added(found, cause):
                    break
        for cause in self._doubtful:
            _added(found, cause)
        return found

    def _holding(self, program: Program) -> Iterator[Cause]:
        """Changes that were tried, each with the places where it has the same effect."""
        sieve = self._screen(program)
        if self._is_late():
            return  # variants would take as long
        self._ends = sieve.ends or self.question.ends(program)
        likely = EditOrder(
            program, self._points(program, sieve), sieve.first, lambda: self._corrections(program)
        )
        for edit in self._candidates(program, likely, sieve):
            if self.tried == TRIALS or self._is_late():
                return
            if not self._passes(program, edit):
                continue
            found, empties = list(self._places(program, edit, likely)), self._empties(program, edit)
            clear = [cause for cause in found if not (empties or cause.partial)]
            self._doubtful += [cause for cause in found if cause not in clear]
            yield from clear

    def _empties(self, program: Program, edit: Edit) -> bool:
        """Are statements never reached any more? A program that does less satisfies more."""
        if program.num_qubits > SIMULATED_QUBITS:
            return False
        if self._unreached is None:
            self._unreached = self.question.unreached(program) or 0
        self._effort += TRIAL * self.dear
        return (self.question.unreached(edit.apply(program)) or 0) > self._unreached

    def _screen(self, program: Program) -> Screen:
        """Numbers of violating executions; of many qubits only where stabiliser groups are not quicker."""
        model, formula = self.question.model(program), self.question.trees[self.name]
        quick = program.num_qubits > SIMULATED_QUBITS and self.question.is_for_stabilisers(program)
        found = screen(model, formula, executions=0 if quick else EXECUTIONS)
        found.drawn = self.drawn
        return found

    def _passes(self, program: Program, edit: Edit) -> bool:
        """Does all hold after a change, and say as much as before?"""
        edited = edit.apply(program)
        self.tried += 1
        passed, work = self.question.looked_at(edited, [self.name], ends=self._ends)
        self._effort += TRIAL * max(self.dear, work / PLAIN_WORK)
        return passed and not self._is_vacuous(program, edited)

    def _is_vacuous(self, program: Program, edited: Program) -> bool:
        """Is there a new reason why formulas say less than they seem?"""
        if self._told is None:
            self._told = self._warnings(program)
        return not self._warnings(edited) <= self._told

    def _warnings(self, program: Program) -> frozenset[str]:
        self._effort += TRIAL * self.dear
        return frozenset(text for result in self.question.check(program) for text in result.warnings)

    def _places(self, program: Program, edit: Edit, likely: EditOrder) -> Iterator[Cause]:
        """The change, and the same one on other lines, the likeliest place first."""
        by_line: dict[int | None, Edit] = {}
        for other in likely.elsewhere(edit):
            source = source_of(program, other.point)
            by_line.setdefault(None if source is None else source.line, other)
        for other in list(by_line.values())[: PLACES + 1]:
            if other == edit or self._passes(program, other):
                yield Cause(other, source_of(program, other.point), other.is_of_some_copies(program))

    def _points(self, program: Program, sieve: Screen) -> list[int]:
        """The points at which a change can stop every violating execution that is known, nearest first."""
        execution, passed = self.execution, sieve.passed
        if sieve and program.num_qubits > SIMULATED_QUBITS:  # pictures of states take longer than the search
            return [
                point for point in dict.fromkeys([*sieve.way, *range(len(program.code))]) if point in passed
            ]
        near = near_first(program, () if execution is None else (execution,))
        if not sieve and execution is not None and self._needs_one(execution, sieve):
            passed = frozenset(step.point for step in execution.steps)
        return [point for point in near if point in passed]

    def _needs_one(self, execution: Execution, sieve: Screen) -> bool:
        """Does the formula fail as long as the program has this execution?"""
        universal = invariant(self.question.trees[self.name]) is not None
        return universal and execution.kind == "path" and bool(execution.steps) and not sieve.first

    @property
    def _elapsed(self) -> float:
        return time.monotonic() - self._start

    def _is_late(self) -> bool:
        return self._elapsed > self.seconds or self._effort > self._enough

    def _candidates(self, program: Program, likely: EditOrder, sieve: Screen) -> Iterator[Edit]:
        """What the numbers allow; then what they say nothing about."""
        later: list[Edit] = []
        for edit in likely.edits():
            if self._is_late():
                return
            self._effort += max(1.0, TRIAL * sieve.look_work / PLAIN_WORK)
            if not sieve.may_repair(edit):
                continue
            self._effort += TRIAL * sieve.run_work / PLAIN_WORK
            if sieve.fails_again(edit, edit.apply(program)):
                continue
            if sieve.can_tell(edit) or not sieve:
                yield edit
            else:
                later.append(edit)
        yield from later[:BLIND_TRIALS]

    def _corrections(self, program: Program) -> Iterator[Edit]:
        """One gate at the end, below a condition where one is needed."""
        rest = self.question.within(self.seconds - self._elapsed)
        found = one_gate_repairs(rest, program, [self.name])
        return (edit for edit in found if len(edit.actions) == 1)


def find(question: Variants, name: str, execution: Execution | None) -> tuple[Hint, ...]:
    """Hints at the causes of a violation, in no more time than the check was allowed."""
    if question.program is None or question.has_faults:
        return ()
    start = time.monotonic()
    patient = question.within(min(HANGS, question.seconds))
    _, work = patient.looked_at(question.program)
    if work > MOST_WORK:
        return ()
    fewest = min(FEWEST_TRIALS, MOST_WORK / work)
    dear = min(max(work / PLAIN_WORK, 1.0), EFFORT / (fewest * TRIAL))
    left = max(question.seconds - (time.monotonic() - start), 0.0)
    search = CauseSearch(patient.within(left), name, execution, left, dear, DRAWN if work > DEAR else 0)
    return tuple(_hint(question.program, cause, execution) for cause in search.causes())


def _hint(program: Program, cause: Cause, execution: Execution | None) -> Hint:
    edit = cause.edit
    changes = dict.fromkeys(
        f"{_change(program, a)}{edit.which(program, a)}{_line(program, a, cause.source)}"
        for a in edit.actions
    )
    shown = list(changes)[:CHANGES_SHOWN]
    more = f" and {len(changes) - len(shown)} more" if len(changes) > len(shown) else ""
    text = f"it holds {' and '.join(shown)}{more}{_elsewhere(cause)} (checked)"
    points = {action.point for action in cause.edit.actions}
    steps = () if execution is None else execution.steps
    first = {step.point: number for number, step in reversed(list(enumerate(steps))) if step.point in points}
    return Hint(KIND, text, cause.source, tuple(sorted(first.values())), cause.also)


def _line(program: Program, action: Action, named: Source | None) -> str:
    """Where a change is, if that is another line than the one that stands beside the hint."""
    source = source_of(program, action.point)
    if source is None or named is None or source[:2] == named[:2]:
        return ""
    return f" at line {source.line}"


def _elsewhere(cause: Cause) -> str:
    numbers = sorted(place.line for place in cause.also)
    if not numbers:
        return ""
    return f" (or at line{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))})"


def _change(program: Program, action: Action) -> str:
    """The condition under which the property holds."""
    point = action.point
    match action:
        case Insert():
            where = action_text(program, action).removeprefix(f"insert {inserted_text(program, action)} ")
            return f"with '{inserted_text(program, action)}' {where}"
        case Remove():
            return f"without '{program.text(point)}'"
        case Replace(_, Switch()):
            return f"after a change: {action_text(program, action)}"
        case Replace(_, statement):
            return f"with '{render(program, statement)}' in the place of '{program.text(point)}'"
        case Exchange():
            return f"with '{program.text(point)}' moved after '{program.text(point + 1)}'"
        case _:
            assert_never(action)
