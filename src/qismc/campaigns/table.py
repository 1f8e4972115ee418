"""The outcome of a campaign for a terminal: a table by kinds of edits, then what went unnoticed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from qismc.campaigns.mutant import OUTCOMES, MutantResult
from qismc.common.wording import counted
from qismc.edits import KINDS
from qismc.report import diff


def score(rows: Sequence[MutantResult]) -> float | None:
    """The share of killed ones among the mutants that a specification could notice."""
    killed = sum(row.outcome == "killed" for row in rows)
    survived = sum(row.outcome == "survived" for row in rows)
    return killed / (killed + survived) if killed + survived else None


def report(rows: Sequence[MutantResult], seconds: float) -> RenderableType:
    """The whole outcome."""
    speed = f", {len(rows) / seconds:.0f} per second" if seconds > 0 else ""
    line = Text(f"{counted(len(rows), 'mutant')} in {seconds:.1f} s{speed}", style="dim")
    return Group(_table(rows), *_left(rows), line)


def _table(rows: Sequence[MutantResult]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("kind")
    for name in (*OUTCOMES, "score"):
        table.add_column(name, justify="right")
    for kind in KINDS:
        chosen = [row for row in rows if row.kind == kind]
        if chosen:
            table.add_row(kind, *_numbers(chosen))
    table.add_row("all", *_numbers(rows), style="bold")
    return table


def _numbers(rows: Sequence[MutantResult]) -> Iterator[str]:
    for outcome in OUTCOMES:
        yield str(sum(row.outcome == outcome for row in rows) or "")
    value = score(rows)
    yield "" if value is None else f"{value:.0%}"


def _left(rows: Sequence[MutantResult]) -> Iterator[RenderableType]:
    """Survivors with their diffs, and what could not be decided."""
    for row in rows:
        if row.outcome not in ("survived", "unknown"):
            continue
        reason = f" ({row.reason})" if row.reason else ""
        yield Text(f"{row.outcome}: {row.edit}{reason}", style="bold")
        if row.diff is not None:
            yield diff(row.diff)
