"""A distribution as a bar chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qismc.common.loading import loading
from qismc.errors import UsageError
from qismc.probability import Outcomes
from qismc.report.outcomes.wording import value_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = 64
"""Further outcomes are summed up."""


def plot(outcomes: Outcomes, axes: Axes | None = None) -> Axes:
    """Draw on given axes, or on new ones."""
    if axes is None:
        axes = _new_axes()
    shown, rest = outcomes.likeliest(SHOWN)
    names = [_name(outcomes, key) for key, _ in shown]
    heights = [value for _, value in shown]
    if len(outcomes) > len(shown):
        names.append("others")
        heights.append(rest)
    if outcomes.unfinished > 0:
        names.append("never")
        heights.append(outcomes.unfinished)
    axes.bar(range(len(names)), heights)
    axes.set_xticks(range(len(names)), names, rotation=90 if len(names) > 8 else 0)
    axes.set_xlabel(", ".join(outcomes.registers))
    axes.set_ylabel("probability")
    axes.set_title(f"{outcomes.program} at {outcomes.at}")
    return axes


def _name(outcomes: Outcomes, key: tuple[int, ...]) -> str:
    return ", ".join(value_text(value, width) for value, width in zip(key, outcomes.widths, strict=True))


def _new_axes() -> Axes:
    try:
        with loading():
            from matplotlib.figure import Figure  # noqa: PLC0415 - an optional dependency
    except ImportError:
        raise UsageError("plot() needs matplotlib", hint="pip install 'qismc[plot]'") from None
    return Figure(layout="constrained").add_subplot()
