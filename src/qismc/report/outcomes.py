"""Distributions of registers as text, JSON and HTML."""

from __future__ import annotations

from html import escape
from math import isinf
from typing import Any

from rich.bar import Bar
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from qismc.common.source import source_data
from qismc.common.wording import counted, plain_number
from qismc.probability import Loop, Outcomes, bound_text, recognised
from qismc.report.wording import asset, plain_text, replaced_data, replaced_notes

CONFIDENCE = 0.99
"""With which so many shots see the rarest outcome."""
SHOWN_AS_TEXT = 32
SHOWN_AS_HTML = 256
"""Further outcomes are summed up."""
BAR_WIDTH = 32


def render_plain(outcomes: Outcomes) -> str:
    """The report without colours."""
    return plain_text(distribution(outcomes))


def distribution(outcomes: Outcomes) -> RenderableType:
    """Bars, then what it took to get there."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False, header_style="dim")
    for name in ("outcome", "probability", "recognised", ""):
        table.add_column(name, no_wrap=True)
    rows, largest = _rows(outcomes, SHOWN_AS_TEXT)
    for name, value, fraction in rows:
        bar = Bar(max(largest, 1e-300), 0, min(value, largest), width=BAR_WIDTH, color="cyan")
        table.add_row(Text(name, style="" if fraction is not None else "dim"), f"{value:.6g}", fraction, bar)
    ends, *remarks, effort = _remarks(outcomes)
    lines = [Text(ends, style="bold yellow" if outcomes.unfinished > 0 else "dim"), *map(Text, remarks)]
    notes = replaced_notes(outcomes.replaced, more="--json")
    lines += [Text(f"note: {note}", style="dim") for note in notes]
    return Group(table, *lines, Text(effort, style="dim"))


def to_json(outcomes: Outcomes) -> dict[str, Any]:
    """One object per run; the keys are an interface. Infinitely many turns or shots are null."""
    return {
        "program": outcomes.program,
        "at": outcomes.at,
        "registers": {
            name: {str(plain_number(value)): chance for value, chance in outcomes.marginal(name).items()}
            for name in outcomes.registers
        },
        "joint": [
            {
                "values": dict(zip(outcomes.registers, map(plain_number, key), strict=True)),
                "probability": value,
            }
            for key, value in outcomes.table.items()
        ],
        "unfinished": outcomes.unfinished,
        "loops": [
            {"source": source_data(loop.source), "text": loop.text, "turns": _finite(loop.turns)}
            for loop in outcomes.loops
        ],
        "shots": _finite(outcomes.shots(CONFIDENCE)),
        "error_bound": outcomes.error,
        "replaced": replaced_data(outcomes.replaced),
    }


def _finite(number: float) -> float | None:
    return None if isinf(number) else number


def page(outcomes: Outcomes) -> str:
    """One self-contained page."""
    title = escape(f"{outcomes.program}: {', '.join(outcomes.registers)} at {outcomes.at}")
    head = f"<meta charset='utf-8'><meta name='viewport' content='width=device-width'><title>{title}</title>"
    return f"<!doctype html><html lang='en'><head>{head}</head><body>{fragment(outcomes)}</body></html>\n"


def fragment(outcomes: Outcomes) -> str:
    """The histogram with its remarks, for notebooks."""
    rows, largest = _rows(outcomes, SHOWN_AS_HTML)
    shown = "".join(_row(name, value, largest, fraction) for name, value, fraction in rows)
    remarks = "".join(f"<div class='q-soft'>{escape(line)}</div>" for line in _remarks(outcomes))
    title = escape(f"{outcomes.program} at {outcomes.at}")
    table = f"<table role='img' aria-label='histogram of {title}'>{shown}</table>"
    style = f"<style>\n{asset('outcomes.css')}</style>"
    return f"<div class='q-outcomes'>{style}<b>{title}</b>{table}{remarks}</div>"


def _row(name: str, value: float, largest: float, fraction: str | None) -> str:
    exact = f"<span class='q-soft' title='recognised'>{fraction}</span>" if fraction else ""
    width = min(1.0, value / (largest or 1.0))
    bar = f"<span class='q-fill' style='width:{width:.2%}'></span>"
    return (
        f"<tr><td>{escape(name)}</td><td>{value:.6g}</td><td>{exact}</td><td class='q-wide'>{bar}</td></tr>"
    )


# --- how values, probabilities and turns are written ------------------------------------------------------


def _rows(outcomes: Outcomes, most: int) -> tuple[list[tuple[str, float, str | None]], float]:
    """The likeliest outcomes with the fractions that their probabilities are recognised as, "" for none.

    All others are one row without a fraction. The second result is the largest probability of an outcome.
    """
    shown, rest = outcomes.likeliest(most)
    rows: list[tuple[str, float, str | None]] = [
        (key_text(outcomes, key), value, _fraction_text(value, outcomes.error)) for key, value in shown
    ]
    if len(outcomes) > len(shown):
        rows.append((counted(len(outcomes) - len(shown), "further outcome"), rest, None))
    return rows, max([value for _, value in shown], default=1.0)


def key_text(outcomes: Outcomes, key: tuple[int, ...]) -> str:
    """`c = 2 (10)`: the value and its bits, the last bit of a register first."""
    parts = zip(outcomes.registers, outcomes.widths, key, strict=True)
    return ", ".join(f"{name} = {value_text(value, width)}" for name, width, value in parts)


def value_text(value: int, width: int) -> str:
    """A value of so many bits."""
    return str(value) if width == 1 else f"{plain_number(value)} ({value & ((1 << width) - 1):0{width}b})"


def _fraction_text(value: float, error: float) -> str:
    found = recognised(value, error)
    return "" if found is None or found.denominator == 1 else str(found)


def _remarks(outcomes: Outcomes) -> list[str]:
    """First how probable it is never to come there, then the loops, at last the shots and the error."""
    event = "never ends" if outcomes.at == "leaf" else f"never comes to {outcomes.at}"
    ends = f"{event}: {outcomes.unfinished:.6g}"
    effort = f"{_shots_text(outcomes)}; error < {bound_text(outcomes.error)}"
    return [ends, *map(_loop_text, outcomes.loops), effort]


def _loop_text(loop: Loop) -> str:
    where = f"line {loop.source.line}: " if loop.source is not None else ""
    turns = "infinitely many" if isinf(loop.turns) else f"{loop.turns:.6g}"
    return f"{where}{loop.text}: {turns} turns expected"


def _shots_text(outcomes: Outcomes) -> str:
    shots = outcomes.shots(CONFIDENCE)
    if isinf(shots):
        seen = any(outcomes.values())
        return "the rarest outcome is too improbable for shots" if seen else "no outcome is ever seen"
    verb = "sees" if shots == 1 else "see"
    return f"{counted(int(shots), 'shot')} {verb} the rarest outcome with {CONFIDENCE:.0%}"
