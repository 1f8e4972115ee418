"""An execution as a table for a terminal.

The compact form shows the statements that change something that matters, and says what is the same only once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from qismc.common.wording import counted, store_text
from qismc.evidence import Execution, Step
from qismc.report.wording import (
    CERTAIN,
    POINTING,
    headline,
    is_endless,
    registers_of,
)

FOLD_FROM = 12
"""Straight runs of this many steps and more are folded in the compact report."""
KEPT_AT_ENDS = 3
MOST_ROWS = 60
ROWS_AT_ENDS = 25
"""An execution with more rows shows so many of the first and of the last, and those that hints point at."""
STRINGS_SHOWN = 4
"""So many strings are shown of a state that has no amplitudes to show."""
LONGEST_STORE = 60
"""Longer lists of classical values are cut in the compact report."""
OUTCOMES_IN_BRIEF = 6
"""An execution beside another one is told by so many of its outcomes."""
NOT_COMPUTED = "(not computed)"
"""In the place of a state: long executions are looked at near their ends."""
UNMARKED = ("init", "loop", "leaf")
"""Labels that are no marks of the user."""

Row = tuple[int, Step | None]
"""(number, step), or (how many steps are left out, None)."""


def execution(evidence: Execution, *, verbose: bool = False) -> RenderableType:
    """The steps of an execution, what they show, and the evidence inside them."""
    parts: list[RenderableType] = [Text(headline(evidence), style="italic")]
    if evidence.steps:
        parts += _Steps(evidence, verbose).shown()
    if evidence.loop_start is not None:
        how = f": {evidence.note}" if evidence.note and is_endless(evidence) else ""
        parts.append(Text(f"... and for ever round from step {evidence.loop_start}*{how}", style="dim"))
    for number, child in evidence.children:
        parts.append(Text(f"at step {number}: {child.claim}", style="italic"))
        parts.append(Padding(execution(child, verbose=verbose), (0, 0, 0, 2)))
    parts += [execution(other, verbose=True) if verbose else _in_brief(other) for other in evidence.further]
    return Group(*parts)


def _in_brief(evidence: Execution) -> Text:
    """An execution by its outcomes."""
    outcomes = [step for step in evidence.steps if step.outcome is not None]
    shown = ", ".join(f"{step.statement} = {step.outcome}" for step in outcomes[:OUTCOMES_IN_BRIEF])
    missing = len(outcomes) - OUTCOMES_IN_BRIEF
    more = f" and {counted(missing, 'more outcome')}" if missing > 0 else ""
    return Text(f"{headline(evidence)}: {shown}{more}", style="italic")


@dataclass
class _Steps:
    """The steps of an execution as rows of a table."""

    evidence: Execution
    verbose: bool

    def __post_init__(self) -> None:
        hints = (hint for hint in self.evidence.hints if hint.kind in POINTING)
        self.pointed = {step for hint in hints for step in hint.steps}
        """The steps that the hints point at."""
        self.registers = registers_of(self.evidence)

    def shown(self) -> Iterator[RenderableType]:
        """The table, and how many steps are missing without a word in between."""
        rows, table, previous = self._rows(), self._columns(), None
        for number, step in rows:
            if step is None:
                left_out = Text(f"... {number} more steps ...", style="dim")
                table.add_row("", "", left_out, "", "")
            else:
                table.add_row(*self._row(number, step, previous))
                previous = step
        yield table
        missing = len(self.evidence) - sum(1 if step is not None else number for number, step in rows)
        if missing:
            change = "changes" if missing == 1 else "change"
            told = f"{counted(missing, 'step')} that {change} nothing that matters: shown with --verbose"
            yield Text(told, style="dim")

    def _columns(self) -> Table:
        """The table without rows."""
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False, header_style="dim")
        table.add_column("step", no_wrap=True)
        table.add_column("where", no_wrap=True)
        table.add_column("statement", overflow="fold")
        table.add_column("classical", overflow="fold")
        states = (step.state for step in self.evidence if step.state)
        abridged = not self.verbose and any(shortened(state) != state for state in states)
        title = f"state before it ({self.registers.title}{'; 0{12}: 12 zeros' if abridged else ''})"
        if self.evidence.steps[0].stabilisers is not None:
            title = "new stabilisers of the state before it"
        table.add_column(title, ratio=1)
        return table

    # --- which steps are shown ---

    def _rows(self) -> list[Row]:
        steps = self.evidence.steps
        if self.verbose:
            return list(enumerate(steps))
        always = {*self.pointed, len(steps) - 1, self.evidence.loop_start}
        shown = [(k, steps[k]) for k in range(len(steps)) if k in always or self._counts(k)]
        rows = list(_folded(shown, self.pointed))
        return rows if len(rows) <= MOST_ROWS else list(_cut(rows, self.pointed))

    def _counts(self, number: int) -> bool:
        """Does the statement of a step change something that matters, or does a mark name it?"""
        step = self.evidence.steps[number]
        if any(label not in UNMARKED for label in step.labels):
            return True
        if step.glue or number + 1 == len(self.evidence):
            return False
        following = self.evidence.steps[number + 1]
        if not step.relevant:
            return _is_seen(step, following)
        if step.outcome is not None or step.choice:
            return True
        unknown = step.terms is None or following.terms is None or step.terms_left_out != 0
        return unknown or step.state != following.state or dict(step.store) != dict(following.store)

    # --- one step ---

    def _row(self, number: int, step: Step, previous: Step | None) -> tuple[RenderableType, ...]:
        pointed = number in self.pointed
        style = "bold red" if pointed else "" if step.relevant else "dim"
        mark = ("*" if self.evidence.loop_start == number else "") + ("!" if pointed else "")
        mark += "" if step.relevant else "-"
        where = f"{step.source.line}" if step.source is not None else step.location
        changed = previous is None or dict(previous.store) != dict(step.store)
        values = store_text(step.store) if self.verbose or changed else ""
        if not self.verbose and len(values) > LONGEST_STORE:
            values = f"{values[: LONGEST_STORE - 4]} ..."
        store = Text(values, style="bold" if changed else style)
        place = (Text(text, style=style) for text in (f"{number}{mark}", where))
        return *place, _statement(step, style), store, self._state(step, previous, style)

    def _state(self, step: Step, previous: Step | None, style: str) -> RenderableType:
        if step.stabilisers is not None:
            shown = step.stabilisers if self.verbose else step.stabilisers[:STRINGS_SHOWN]
            more = len(step.stabilisers) - len(shown)
            return Text(", ".join(shown) + (f" and {more} more" if more else ""), style=style)
        state = NOT_COMPUTED if self.evidence.steps[0].terms is not None else ""
        if step.terms is not None:
            state = self.registers.text(step.terms, step.terms_left_out)
        if not self.verbose:
            same = previous is not None and step.terms is not None and previous.state == step.state
            state = "" if same and step.terms_left_out == 0 else shortened(state)
        return StateCell(state, style)


def _is_seen(step: Step, following: Step) -> bool:
    """Must a step that does not matter be shown all the same, because it drew an outcome or wrote a value?"""
    chances = step.probability, following.probability
    drawn = None not in chances and chances[1] < chances[0] * (1 - CERTAIN)  # type: ignore[operator]
    return drawn or dict(step.store) != dict(following.store)


def _folded(numbered: list[tuple[int, Step]], kept: set[int]) -> Iterator[Row]:
    """Long runs of plain steps shrink to their ends."""
    for plain, group in groupby(numbered, key=lambda item: _is_plain(item[1]) and item[0] not in kept):
        run = list(group)
        if not plain or len(run) < FOLD_FROM:
            yield from run
            continue
        yield from run[:KEPT_AT_ENDS]
        yield len(run) - 2 * KEPT_AT_ENDS, None
        yield from run[-KEPT_AT_ENDS:]


def _cut(rows: list[Row], kept: set[int]) -> Iterator[Row]:
    """The first and the last rows, and in between those that hints point at."""
    yield from rows[:ROWS_AT_ENDS]
    missing = 0
    for number, step in rows[ROWS_AT_ENDS:-ROWS_AT_ENDS]:
        if step is not None and number in kept:
            if missing:
                yield missing, None
            yield number, step
            missing = 0
        else:
            missing += number if step is None else 1
    if missing:
        yield missing, None
    yield from rows[-ROWS_AT_ENDS:]


def _is_plain(step: Step) -> bool:
    return not step.labels and step.outcome is None and step.choice is None


def _statement(step: Step, style: str) -> Text:
    statement = Text(step.statement, style=style)
    if step.outcome is not None:
        statement.append(f"  = {step.outcome}", style="bold")
    elif step.choice:
        statement.append("  (was |1>)", style="bold")
    if step.labels:
        statement.append(f" [{', '.join(step.labels)}]", style="cyan")
    return statement


LONGEST = 240
"""Longer states are cut in the compact report."""
NARROWEST = 16
KET = re.compile(r"\|[01 ]+>")
RUN = re.compile(r"([01])\1{9,}")
BETWEEN_TERMS = re.compile(r" (?=[+-] )")


class StateCell:
    """A sum of kets that wraps term by term."""

    def __init__(self, state: str, style: str = "") -> None:
        self._terms = BETWEEN_TERMS.split(state)
        self._style = style

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        yield Text("\n".join(lines(self._terms, options.max_width)), style=self._style, overflow="fold")

    def __rich_measure__(self, _: Console, options: ConsoleOptions) -> Measurement:
        widest = len(" ".join(self._terms))
        longest = max(len(term) for term in self._terms)
        return Measurement(min(longest, NARROWEST), min(widest, options.max_width))


def lines(terms: list[str], width: int) -> Iterator[str]:
    """As many terms per line as fit.

    >>> list(lines(["1/2 |00>", "+ 1/2 |01>", "- 1/2 |10>"], 20))
    ['1/2 |00> + 1/2 |01>', '- 1/2 |10>']
    """
    line = terms[0]
    for term in terms[1:]:
        if len(line) + 1 + len(term) > width:
            yield line
            line = term
        else:
            line += f" {term}"
    yield line


def shortened(state: str) -> str:
    """The state for a compact report: long runs of equal digits are counted, a long sum is cut.

    >>> shortened("|0000000000001>")
    '|0{12}1>'
    """
    counted = KET.sub(lambda ket: RUN.sub(lambda run: f"{run[1]}{{{len(run[0])}}}", ket[0]), state)
    return counted if len(counted) <= LONGEST else f"{counted[: LONGEST - 4]} ..."
