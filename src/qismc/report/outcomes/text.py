"""A distribution as bars for a terminal."""

from __future__ import annotations

import io

from rich.bar import Bar
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from qismc.common.wording import counted
from qismc.probability import Outcomes, bound_text
from qismc.report import replaced
from qismc.report.outcomes.wording import fraction_text, key_text, loop_text, shots_text, unfinished_text

SHOWN = 32
"""Further outcomes are summed up."""
BAR_WIDTH = 32
PLAIN_WIDTH = 100


def render_plain(outcomes: Outcomes, width: int = PLAIN_WIDTH) -> str:
    """The report without colours."""
    stream = io.StringIO()
    Console(file=stream, width=width, no_color=True, highlight=False).print(distribution(outcomes))
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def distribution(outcomes: Outcomes) -> RenderableType:
    """Bars, then what it took to get there."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False, header_style="dim")
    for name in ("outcome", "probability", "recognised", ""):
        table.add_column(name, no_wrap=True)
    shown, rest = outcomes.likeliest(SHOWN)
    largest = max([value for _, value in shown], default=1.0)
    for key, value in shown:
        fraction = fraction_text(value, outcomes.error)
        table.add_row(key_text(outcomes, key), f"{value:.6g}", fraction, _bar(value, largest))
    if len(outcomes) > len(shown):
        more = counted(len(outcomes) - len(shown), "further outcome")
        table.add_row(Text(more, style="dim"), f"{rest:.6g}", "", _bar(min(rest, largest), largest))
    lines = [Text(unfinished_text(outcomes), style="bold yellow" if outcomes.unfinished > 0 else "dim")]
    lines += [Text(loop_text(loop)) for loop in outcomes.loops]
    notes = replaced.notes(outcomes.replaced, more="--json")
    lines += [Text(f"note: {note}", style="dim") for note in notes]
    lines.append(Text(f"{shots_text(outcomes)}; error < {bound_text(outcomes.error)}", style="dim"))
    return Group(table, *lines)


def _bar(value: float, largest: float) -> Bar:
    return Bar(max(largest, 1e-300), 0, value, width=BAR_WIDTH, color="cyan")
