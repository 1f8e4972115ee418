"""Hints at the causes of a violation: the first answers of the search for edits, in words; and
checks whose violations can be asked for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from typing_extensions import assert_never

from qismc.common.source import Source
from qismc.deciders import pipeline
from qismc.edits import Action, Edit, Exchange, Insert, Remove, Replace, action_text, inserted_text, source_of
from qismc.evidence import Execution, Hint, Later
from qismc.language import Specification
from qismc.program import Program, Switch, render
from qismc.repairs.search import MOST_WORK, PLACES, TRIAL, Search
from qismc.results import FormulaResult, Question, Result
from qismc.verdict import Verdict
from qismc.whatif import Variants

EFFORT = 250 * TRIAL
"""Maximum effort of the search for causes: it is counted, not timed."""
CHANGES = 3
"""Maximum number of causes that are named."""
CHANGES_SHOWN = 3
KIND = "cause"


@dataclass
class Cause:
    """A change after which the property holds."""

    edit: Edit
    source: Source | None
    also: list[Source] = field(default_factory=list)
    """Other lines where the same change has the same effect."""

    def is_like(self, other: Cause) -> bool:
        """The same insertion anywhere, or any change of the same line."""
        if self.source is None or other.source is None:
            return self.edit.point == other.edit.point
        return self.source.line == other.source.line or _inserted(self.edit) == _inserted(other.edit) != ()

    def also_at(self, place: Source | None) -> None:
        """Note a further place, if it is another line."""
        lines = {known.line for known in (self.source, *self.also) if known is not None}
        if place is not None and place.line not in lines and len(self.also) < PLACES:
            self.also.append(place)


def _inserted(edit: Edit) -> tuple[object, ...]:
    return tuple((a.statement, a.condition) for a in edit.actions[:1] if isinstance(a, Insert))


def find(question: Variants, name: str, execution: Execution | None) -> tuple[Hint, ...]:
    """Hints at the causes of a violation, in no more time than the check was allowed."""
    program = question.program
    if program is None or question.has_faults:
        return ()
    executions = {} if execution is None else {name: execution}
    search = Search(question, [name], executions, effort=EFFORT, seconds=question.seconds)
    if search.work > MOST_WORK:
        return ()
    return tuple(_hint(program, cause, execution) for cause in causes(program, search))


def causes(program: Program, search: Search) -> list[Cause]:
    """Likely ones first, one for each line; a statement that may be inserted at several places is one."""
    found: list[Cause] = []
    for answer in search.answers():
        for edit in (answer.edit, *answer.elsewhere):
            cause = Cause(edit, source_of(program, edit.point))
            same = next((known for known in found if known.is_like(cause)), None)
            if same is not None:
                same.also_at(None if edit.is_of_some_copies(program) else cause.source)
            elif len(found) < CHANGES:
                found.append(cause)
            else:
                return found
    return found


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
    return Hint(KIND, text, cause.source, tuple(sorted(first.values())), tuple(cause.also))


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


def check(program: Any, spec: Specification = None, **options: Any) -> Result:
    """The answers; those that are violated can look for their causes."""
    return suspecting(pipeline.check(program, spec, **options))


def suspecting(result: Result) -> Result:
    """The same answers; those that are violated can look for their causes."""
    if all(one.verdict is not Verdict.VIOLATED for one in result.results):
        return result
    answers, question = result.results, result._question
    return replace(result, results=tuple(_suspecting(one, answers, question) for one in answers))


def _suspecting(result: FormulaResult, results: Sequence[FormulaResult], question: Question) -> FormulaResult:
    """The answer with the search for changes after which it holds, and what held before still does."""
    if result.verdict is not Verdict.VIOLATED or question.program is None:
        return result
    kept = [r.name for r in results if r.verdict is Verdict.HOLDS and not r.asks]
    asked = Variants.of(question).about([result.name, *kept], question.program)

    return result.but(suspects=Later(lambda: find(asked, result.name, result.counterexample), unmade=()))
