"""Hints and findings for a terminal, each with the source line that it speaks of."""

from __future__ import annotations

import linecache
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from qismc.common.source import Source
from qismc.common.wording import counted
from qismc.evidence import Execution, Hint
from qismc.program import Program
from qismc.report.text_steps import POINTING

FINDINGS_SHOWN = 3
NEVER_RUN = ("loop", "branch", "unreachable")
"""Kinds of observations that are worth knowing of every program."""
WORTH_KNOWING = (*NEVER_RUN, "measurement", "control")
"""Kinds that may explain why something fails."""
CONE = "cone"


def hints(evidence: Execution, program: Program, *, verbose: bool) -> RenderableType:
    """What may have caused a violation, each with its source line."""
    parts: list[RenderableType] = []
    told: set[Source] = set()
    for hint in evidence.hints:
        if hint.kind == CONE and not verbose:
            continue  # these steps are not shown
        note = " (marked -)" if hint.kind == CONE else ""
        parts.append(Text(f"hint: {hint.text}{note}", style="bold" if hint.kind in POINTING else ""))
        if hint.source is not None and hint.source not in told:
            told.add(hint.source)
            parts += _snippet(program, hint.source)
    return Group(*parts)


def findings(found: Sequence[Hint], *, verbose: bool, failing: bool = True) -> RenderableType:
    """Observations about the program: what explains a failure, or where nothing fails what is never run."""
    worth = WORTH_KNOWING if failing else NEVER_RUN
    kept = Counter(_placed(f) for f in found if verbose or f.kind in worth)
    shown = list(kept.items())[: None if verbose else FINDINGS_SHOWN]
    parts = [Text(f"observed: {text}{_times(count)}", style="dim") for text, count in shown]
    more = len(kept) - len(shown)
    if more:
        parts.append(Text(f"{counted(more, 'more observation')} with --verbose", style="dim"))
    return Group(*parts)


def _placed(finding: Hint) -> str:
    return finding.text if finding.source is None else f"{_place(finding.source)}: {finding.text}"


def _times(count: int) -> str:
    """A line that a loop of Python runs several times makes as many statements."""
    return "" if count == 1 else f" ({count} times)"


def _snippet(program: Program, source: Source | None, note: str = "") -> Iterator[RenderableType]:
    """The line itself, where it can be read."""
    line = None if source is None else source_line(program, source)
    if source is not None and line is not None:
        text = Text(f"{_place(source)} | {line}{note}", no_wrap=True, overflow="ellipsis", style="cyan")
        yield Padding(text, (0, 0, 0, 4))


def _place(source: Source) -> str:
    return f"{PurePath(source.file).name or source.file}:{source.line}"


def source_line(program: Program, source: Source) -> str | None:
    """The text of a source line without its indentation, or None where the file cannot be read."""
    lines = program.lines.get(source.file) or linecache.getlines(source.file)
    if not 1 <= source.line <= len(lines):
        return None
    return lines[source.line - 1].strip() or None
