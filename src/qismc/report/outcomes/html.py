"""A distribution as a histogram, for notebooks and as a page of its own."""

from __future__ import annotations

from html import escape

from qismc.common.wording import counted
from qismc.probability import Outcomes, bound_text
from qismc.report.outcomes.wording import fraction_text, key_text, loop_text, shots_text, unfinished_text

SHOWN = 256
"""Further outcomes are summed up."""

STYLE = """
.q-outcomes{font:14px/1.45 system-ui,sans-serif;color:#1b1f24;background:#fff;padding:8px}
.q-outcomes table{border-collapse:collapse}
.q-outcomes td{padding:1px 10px 1px 0;white-space:nowrap;font-variant-numeric:tabular-nums}
.q-outcomes td.q-wide{width:320px}
.q-outcomes .q-fill{display:block;height:12px;min-width:1px;background:#3568b8}
.q-outcomes .q-soft{color:#57606a}
"""


def page(outcomes: Outcomes) -> str:
    """One self-contained page."""
    title = escape(f"{outcomes.program}: {', '.join(outcomes.registers)} at {outcomes.at}")
    head = f"<meta charset='utf-8'><meta name='viewport' content='width=device-width'><title>{title}</title>"
    return f"<!doctype html><html lang='en'><head>{head}</head><body>{fragment(outcomes)}</body></html>\n"


def fragment(outcomes: Outcomes) -> str:
    """The histogram with its remarks."""
    shown, rest = outcomes.likeliest(SHOWN)
    largest = max([value for _, value in shown], default=1.0) or 1.0
    rows = [_row(key_text(outcomes, key), value, largest, outcomes.error) for key, value in shown]
    if len(outcomes) > len(shown):
        more = counted(len(outcomes) - len(shown), "further outcome")
        rows.append(_row(more, rest, max(largest, rest), outcomes.error))
    lines = [unfinished_text(outcomes), *map(loop_text, outcomes.loops)]
    lines.append(f"{shots_text(outcomes)}; error < {bound_text(outcomes.error)}")
    remarks = "".join(f"<div class='q-soft'>{escape(line)}</div>" for line in lines)
    title = escape(f"{outcomes.program} at {outcomes.at}")
    table = f"<table role='img' aria-label='histogram of {title}'>{''.join(rows)}</table>"
    return f"<div class='q-outcomes'><style>{STYLE}</style><b>{title}</b>{table}{remarks}</div>"


def _row(name: str, value: float, largest: float, error: float) -> str:
    fraction = fraction_text(value, error)
    exact = f"<span class='q-soft' title='recognised'>{fraction}</span>" if fraction else ""
    bar = f"<span class='q-fill' style='width:{100 * value / largest:.2f}%'></span>"
    return (
        f"<tr><td>{escape(name)}</td><td>{value:.6g}</td><td>{exact}</td><td class='q-wide'>{bar}</td></tr>"
    )
