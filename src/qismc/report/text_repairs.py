"""Repairs for a terminal: what to change, as a sentence and as a diff."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from qismc.common.wording import counted
from qismc.results import Suggestion, Suggestions

SAME_SHOWN = 3
STYLES = {"+": "green", "-": "red", "@": "cyan"}


def repairs(found: Suggestions) -> RenderableType:
    """All repairs, and what was tried."""
    parts = [repair(one) for one in list(found)]  # the search is over before anything is shown
    return Group(*parts, Text(found.note, style="dim"))


def repair(one: Suggestion) -> RenderableType:
    """One repair; edits that come to the same are named after it."""
    parts: list[RenderableType] = [Text(f"repair: {one.text}", style="bold")]
    shown = one.same[:SAME_SHOWN]
    parts += [Padding(Text(f"or {text}", style="dim"), (0, 0, 0, 2)) for text in shown]
    if len(one.same) > len(shown):
        more = f"or {counted(len(one.same) - len(shown), 'other edit')} with the same states at the end"
        parts.append(Padding(Text(more, style="dim"), (0, 0, 0, 2)))
    if one.diff is not None:
        lines = [Text(line, style=STYLES.get(line[:1], "")) for line in one.diff.splitlines()]
        parts.append(Padding(Group(*lines), (0, 0, 0, 2)))
    return Group(*parts)
