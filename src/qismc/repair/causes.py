"""Hints at the causes of a violation: changes after which the property holds, each of them tried.

Candidates are screened by the numbers of violating executions and rehearsed with their outcomes; what is
left is checked. So a hint is no guess: after the change that it names the property holds, and what held
before still does.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain

from typing_extensions import assert_never

from qismc.edits.edit import (
    Action,
    Edit,
    Exchange,
    Insert,
    Remove,
    Replace,
    action_text,
    inserted_text,
    source_of,
)
from qismc.edits.kinds import Room
from qismc.errors import QismcError, Undecided
from qismc.evidence.execution import Execution
from qismc.evidence.hints.hint import Hint
from qismc.program.program import Program
from qismc.program.render import render
from qismc.program.source import Source
from qismc.program.statements import Switch
from qismc.repair.branches import one_gate_repairs
from qismc.repair.nearness import near_first
from qismc.repair.screening import Screen, screen
from qismc.trials.question import Question

ROUNDS = (
    ("remove", "sign", "inverse", "control", "swap", "axis", "operand", "move"),
    ("condition", "bit", "swap-bits", "insert-reset", "insert-hadamard", "insert-pauli"),
)
LAST_ROUND = ("insert-gate",)
"""Kinds of changes, the likelier ones first."""
TRIALS = 120
"""So many changes are checked that numbers speak for."""
BLIND_TRIALS = 20
"""So many others."""
SECONDS = 0.8
TIMES_THE_CHECK = 8.0
MOST_SECONDS = 5.0
"""The search ends after this time of the processor: some, and so many times that of the check."""
CHANGES = 3
"""So many changes are named."""
PLACES = 4
"""Further places of the same change."""
CHANGES_SHOWN = 2
KIND = "cause"


@dataclass(frozen=True)
class Cause:
    """A change after which the property holds."""

    edit: Edit
    source: Source | None
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
        if place is None or place.line in lines or len(self.also) == PLACES:
            return self
        return replace(self, also=(*self.also, place))


def _inserted(edit: Edit) -> tuple[object, ...]:
    return tuple((a.statement, a.condition) for a in edit.actions[:1] if isinstance(a, Insert))


@dataclass
class Search:
    """Looks for the causes of one violated formula."""

    question: Question
    """The violated formula and those that hold."""
    name: str
    execution: Execution | None
    seconds: float = SECONDS
    tried: int = 0
    _start: float = field(default_factory=time.process_time)

    def causes(self) -> list[Cause]:
        """Likely ones first, one for each line; a statement that may be inserted at several places is one."""
        program = self.question.program
        found: list[Cause] = []
        if program is None:
            return []
        with suppress(QismcError, Undecided):
            for edit in self._holding(program):
                cause = Cause(edit, source_of(program, edit.point))
                same = next((k for k, known in enumerate(found) if known.is_like(cause)), None)
                if same is not None:
                    found[same] = found[same].also_at(cause)
                elif len(found) < CHANGES:
                    found.append(cause)
                else:
                    break
        return found

    def _holding(self, program: Program) -> Iterator[Edit]:
        sieve = screen(self.question.model(program), self.question.trees[self.name])
        if self._is_late():
            return  # variants would take as long
        ends = sieve.ends or self.question.ends(program)
        for edit in self._candidates(program, sieve):
            if self.tried == TRIALS or self._is_late():
                return
            self.tried += 1
            if self.question.passes(edit.apply(program), [self.name], ends=ends):
                yield edit

    def _is_late(self) -> bool:
        return time.process_time() - self._start > self.seconds

    def _candidates(self, program: Program, sieve: Screen) -> Iterator[Edit]:
        """What the numbers allow; then what they say nothing about."""
        later: list[Edit] = []
        for edit in self._all(program):
            if self._is_late():
                return
            if not sieve.may_repair(edit) or sieve.fails_again(edit, edit.apply(program)):
                continue
            if sieve.can_tell(edit):
                yield edit
            else:
                later.append(edit)
        yield from later[:BLIND_TRIALS]

    def _all(self, program: Program) -> Iterator[Edit]:
        """Every change once. What one piece of text became is changed as a whole first, then one by one."""
        room, seen, measured = Room(program), set[Edit](), list[Edit]()
        points = near_first(program, () if self.execution is None else (self.execution,))
        for edit in self._rounds(program, room, points):
            if edit not in seen:
                seen.add(edit)
                if edit.kind == "remove" and edit.point in room.measurements:
                    measured.append(edit)  # few bugs are measurements too many
                else:
                    yield edit
        yield from measured

    def _rounds(self, program: Program, room: Room, points: list[int]) -> Iterator[Edit]:
        copied = {point for copies in room.copies.values() for point in copies}
        single = [point for point in points if point not in copied]
        for number, kinds in enumerate(ROUNDS):
            if number:
                yield from self._corrections(program)
            yield from room.edits(single, kinds)
            for point in room.copies:
                yield from room.everywhere(point, kinds)
        yield from room.edits((point for point in points if point in copied), chain(*ROUNDS))
        yield from room.edits(points, LAST_ROUND)

    def _corrections(self, program: Program) -> Iterator[Edit]:
        """One gate at the end, below a condition where one is needed."""
        found = one_gate_repairs(self.question, program, [self.name])
        return (edit for edit in found if len(edit.actions) == 1)


def find(
    question: Question, name: str, execution: Execution | None, seconds: float = SECONDS
) -> tuple[Hint, ...]:
    """Hints at the causes of a violation; `seconds` is what the check took."""
    if question.program is None or question.has_faults:
        return ()
    allowed = min(SECONDS + TIMES_THE_CHECK * seconds, MOST_SECONDS)
    causes = Search(replace(question, patience=allowed), name, execution, allowed).causes()
    return tuple(_hint(question.program, cause, execution) for cause in causes)


def _hint(program: Program, cause: Cause, execution: Execution | None) -> Hint:
    changes = dict.fromkeys(_change(program, action) for action in cause.edit.actions)
    shown = list(changes)[:CHANGES_SHOWN]
    more = f" and {len(changes) - len(shown)} more" if len(changes) > len(shown) else ""
    text = f"it holds {' and '.join(shown)}{more}{_elsewhere(cause)} (checked)"
    points = {action.point for action in cause.edit.actions}
    steps = () if execution is None else execution.steps
    first = {step.point: number for number, step in reversed(list(enumerate(steps))) if step.point in points}
    return Hint(KIND, text, cause.source, tuple(sorted(first.values())), cause.also)


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
            return f"with '{program.text(point)}' after '{program.text(point + 1)}'"
        case _:
            assert_never(action)
