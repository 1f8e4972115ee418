"""Pictures by matplotlib: an execution on the program's circuit, and a distribution as a bar chart."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from qismc.common.loading import loading
from qismc.common.wording import chance_text
from qismc.errors import UsageError
from qismc.evidence import Execution
from qismc.probability import Outcomes
from qismc.program import Jump, Program
from qismc.report.html_program import acts
from qismc.report.outcomes import value_text
from qismc.report.wording import cut

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = 90
"""Longer programs are drawn as far as the execution visits them, and then from both ends."""
WIRES = 40
JUMPS = 30
LETTERS = 5
"""Longer names of gates are cut."""
LONGEST_CAPTION = 30
OUTCOMES_SHOWN = 6
ARCS_FROM, ARC_STEP = 1.2, 0.4
VISITED, OTHER = "#2f55d4", "#b9c0cc"
INK, SOFT, ACCENT = "#1a2130", "#596377", "#c2410c"
SMALL = {"ha": "center", "fontsize": 7}
BARS_SHOWN = 64
"""Further outcomes are summed up."""


def draw(execution: Execution) -> Figure:
    """Statements as columns in program order: visited ones in colour, jumps of the path as arrows above."""
    if execution.track is None:
        raise UsageError(
            "this execution was not simulated and has no circuit", hint="print its steps instead"
        )
    figure = _new_figure("drawing")
    painter = _Painter(execution.track.program, execution, figure.add_subplot())
    figure.set_size_inches(painter.size)
    chance = "" if execution.probability is None else f", probability {chance_text(execution.probability)}"
    painter.paint(f"{execution.claim or 'execution'}{chance}")
    return figure


def _new_figure(who: str) -> Figure:
    try:
        with loading():
            from matplotlib.figure import Figure  # noqa: PLC0415 - an optional dependency
    except ImportError:
        raise UsageError(f"{who} needs matplotlib", hint="pip install 'qismc[plot]'") from None
    return Figure(layout="constrained")


class _Painter:
    """Paints on axes whose unit is one column and one wire."""

    def __init__(self, program: Program, execution: Execution, axes: Any) -> None:
        self._program, self._axes = program, axes
        path = [step.point for step in execution.steps]
        self._visits = Counter(path)
        self._columns = {point: k for k, point in enumerate(_points_shown(program, path))}
        self._wires = {qubit: -k for k, qubit in enumerate(_qubits_shown(program, self._columns))}
        self._bottom = -len(self._wires)
        self._jumps = _jumps([self._columns.get(point) for point in path])
        self._outcomes: dict[int, list[int]] = defaultdict(list)
        for step in execution.steps:
            found = step.choice if step.outcome is None else step.outcome
            if found is not None:
                self._outcomes[step.point].append(found)
        self._lines = {s.point: s.source.line for s in execution.steps if s.source is not None}

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the figure in inches."""
        height = 2.6 + 0.5 * len(self._wires) + 0.18 * len(self._jumps)
        return 1.6 + 0.52 * len(self._columns), height

    def paint(self, title: str) -> None:
        axes, count = self._axes, len(self._columns)
        axes.set_title(title, fontsize=10, color=INK, loc="left")
        for qubit, y in self._wires.items():
            axes.plot([-0.6, count - 0.4], [y, y], color=SOFT, lw=0.8, zorder=0)
            axes.text(-0.75, y, self._program.qubits[qubit], ha="right", va="center", fontsize=9, color=INK)
        axes.plot([-0.6, count - 0.4], [self._bottom] * 2, color=SOFT, lw=2.4, zorder=0)
        axes.text(-0.75, self._bottom, "classical", ha="right", va="center", fontsize=8, color=SOFT)
        for point, x in self._columns.items():
            self._column(point, x)
        for level, ((start, end), times) in enumerate(self._jumps, start=1):
            self._arc(start, end, ARCS_FROM + ARC_STEP * level, times)
        axes.set_xlim(-2.2, count)
        axes.set_ylim(self._bottom - 4.2, ARCS_FROM + ARC_STEP * (len(self._jumps) + 1))
        axes.set_axis_off()

    def _column(self, point: int, x: int) -> None:
        times = self._visits[point]
        colour = VISITED if times else OTHER
        if times:
            self._axes.axvspan(x - 0.5, x + 0.5, color=VISITED, alpha=0.06, lw=0, zorder=-1)
        self._statement(point, x, colour)
        line = self._lines.get(point)
        text = self._program.text(point)
        caption = cut(f"{line}: {text}" if line else text, LONGEST_CAPTION)
        self._axes.text(x, self._bottom - 0.35, caption, rotation=90, va="top", color=colour, **SMALL)
        found = self._outcomes.get(point)
        if found:
            more = " …" if len(found) > OUTCOMES_SHOWN else ""
            shown = f"= {', '.join(map(str, found[:OUTCOMES_SHOWN]))}{more}"
            self._axes.text(x, 0.62, shown, va="bottom", color=ACCENT, weight="bold", **SMALL)
        elif times > 1:
            self._axes.text(x, 0.62, f"×{times}", va="bottom", color=VISITED, **SMALL)

    def _statement(self, point: int, x: int, colour: str) -> None:
        """A gate with its controls as dots, or a dashed line over all wires for control flow."""
        act = acts(self._program.code[point])
        targets = [self._wires[q] for q in act["targets"] if q in self._wires] if act else []
        if act is None or not targets:
            top = max(self._wires.values()) + 0.4
            self._axes.plot([x, x], [self._bottom - 0.2, top], color=colour, lw=1.4, ls=(0, (3, 2)), zorder=2)
            return
        controls = [(self._wires[q], value) for q, value in act["controls"] if q in self._wires]
        heights = [*targets, *(height for height, _ in controls)]
        low = self._bottom if act["name"] == "M" else min(heights)
        self._axes.plot([x, x], [low, max(heights)], color=colour, lw=1.4, zorder=2)
        for height, value in controls:
            face = colour if value else "white"
            self._axes.plot(x, height, "o", ms=6, mfc=face, mec=colour, zorder=3)
        if controls and act["name"] == "x":
            self._axes.plot(x, targets[0], "o", ms=13, mfc="white", mec=colour, mew=1.4, zorder=3)
            self._axes.plot(x, targets[0], "+", ms=12, mec=colour, mew=1.4, zorder=4)
        else:
            self._box(x, targets, cut(act["name"], LETTERS), colour)

    def _box(self, x: int, wires: Sequence[float], text: str, colour: str) -> None:
        """A box from the lowest to the highest of its wires."""
        low, high = min(wires) - 0.32, max(wires) + 0.32
        xs, ys = [x - 0.36, x + 0.36, x + 0.36, x - 0.36], [low, low, high, high]
        self._axes.fill(xs, ys, facecolor="white", edgecolor=colour, lw=1.4, zorder=3)
        style = {"ha": "center", "va": "center", "fontsize": 8, "zorder": 4}
        self._axes.text(x, (low + high) / 2, text, color=colour, **style)

    def _arc(self, start: int, end: int, top: float, times: int) -> None:
        """An arrow above the wires between two columns, with the number of times it is taken."""
        colour = ACCENT if end < start else VISITED
        xs, ys = [start + 0.1, start + 0.1, end - 0.1, end - 0.1], [ARCS_FROM, top, top, ARCS_FROM]
        self._axes.plot(xs, ys, color=colour, lw=1.3, zorder=2)
        self._axes.plot(xs[-1], ARCS_FROM, "v", ms=5, color=colour, zorder=3)
        if times > 1:
            self._axes.text((start + end) / 2, top + 0.05, f"×{times}", va="bottom", color=colour, **SMALL)


def _points_shown(program: Program, path: Sequence[int]) -> list[int]:
    points = [p for p, statement in enumerate(program.code) if not isinstance(statement, Jump)]
    if len(points) > COLUMNS:
        points = sorted(set(path))
    return points if len(points) <= COLUMNS else points[: COLUMNS // 2] + points[-(COLUMNS // 2) :]


def _qubits_shown(program: Program, points: Sequence[int] | dict[int, int]) -> Sequence[int]:
    if program.num_qubits <= WIRES:
        return range(program.num_qubits)
    return (sorted({q for p in points for q in program.code[p].qubits}) or [0])[:WIRES]


def _jumps(places: Sequence[int | None]) -> list[tuple[tuple[int, int], int]]:
    """Pairs of columns between which a path jumps, and how often; short jumps first."""
    known = [(a, b) for a, b in pairwise(places) if a is not None and b is not None]
    found = Counter((a, b) for a, b in known if b not in (a, a + 1))
    return sorted(found.items(), key=lambda item: abs(item[0][0] - item[0][1]))[:JUMPS]


def plot(outcomes: Outcomes, axes: Axes | None = None) -> Axes:
    """A distribution as a bar chart, on given axes or on new ones."""
    if axes is None:
        axes = _new_figure("plot()").add_subplot()
    shown, rest = outcomes.likeliest(BARS_SHOWN)
    bars = [(_values_text(outcomes, key), value) for key, value in shown]
    if len(outcomes) > len(shown):
        bars.append(("others", rest))
    if outcomes.unfinished > 0:
        bars.append(("never", outcomes.unfinished))
    axes.bar(range(len(bars)), [height for _, height in bars])
    axes.set_xticks(range(len(bars)), [name for name, _ in bars], rotation=90 if len(bars) > 8 else 0)
    axes.set_xlabel(", ".join(outcomes.registers))
    axes.set_ylabel("probability")
    axes.set_title(f"{outcomes.program} at {outcomes.at}")
    return axes


def _values_text(outcomes: Outcomes, key: tuple[int, ...]) -> str:
    return ", ".join(value_text(value, width) for value, width in zip(key, outcomes.widths, strict=True))
