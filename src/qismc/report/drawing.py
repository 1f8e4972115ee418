"""A matplotlib picture of the program's circuit with an execution marked on it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from qismc.common.lazily import cached_property
from qismc.common.loading import loading
from qismc.common.wording import chance_text
from qismc.errors import UsageError
from qismc.evidence import Execution
from qismc.program import Apply, Channel, Factor, Initialize, Jump, Measure, Operator, Program, Reset

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = 90
WIRES = 40
JUMPS = 30
ARCS_FROM, ARC_STEP = 1.2, 0.4
VISITED, OTHER = "#2f55d4", "#b9c0cc"
INK, SOFT, ACCENT = "#1a2130", "#596377", "#c2410c"


def draw(execution: Execution) -> Figure:
    """Statements as columns in program order: visited ones in colour, jumps of the path as arrows above."""
    if execution.track is None:
        raise UsageError(
            "this execution was not simulated and has no circuit", hint="print its steps instead"
        )
    try:
        with loading():
            from matplotlib.figure import Figure  # noqa: PLC0415 - an optional dependency
    except ImportError:
        raise UsageError("drawing needs matplotlib", hint="pip install 'qismc[plot]'") from None
    plan = _plan(execution.track.program, execution)
    width = 1.6 + 0.52 * len(plan.columns)
    height = 2.6 + 0.5 * len(plan.wires) + 0.18 * len(plan.jumps)
    figure = Figure(figsize=(width, height), layout="constrained")
    _Painter(plan, figure.add_subplot()).paint(_title(execution))
    return figure


def _title(execution: Execution) -> str:
    chance = "" if execution.probability is None else f", probability {chance_text(execution.probability)}"
    return f"{execution.claim or 'execution'}{chance}"


@dataclass(frozen=True)
class _Plan:
    """Which points are columns, which qubits are wires, and how often the path visits each point."""

    program: Program
    columns: dict[int, int]
    wires: dict[int, int]
    path: list[int]
    outcomes: dict[int, list[int]]
    lines: dict[int, str]

    def visits(self, point: int) -> int:
        return self.path.count(point)

    @cached_property
    def jumps(self) -> list[tuple[tuple[int, int], int]]:
        """Pairs of columns between which the path jumps, and how often; short jumps first."""
        places = [self.columns.get(point) for point in self.path]
        known = [(a, b) for a, b in pairwise(places) if a is not None and b is not None]
        found = Counter((a, b) for a, b in known if b not in (a, a + 1))
        nearest = sorted(found.items(), key=lambda item: abs(item[0][0] - item[0][1]))
        return nearest[:JUMPS]


def _plan(program: Program, execution: Execution) -> _Plan:
    path = [step.point for step in execution.steps]
    points = [p for p, statement in enumerate(program.code) if not isinstance(statement, Jump)]
    if len(points) > COLUMNS:
        points = sorted(set(path))
    if len(points) > COLUMNS:
        points = points[: COLUMNS // 2] + points[-(COLUMNS // 2) :]
    touched = sorted({q for p in points for q in program.code[p].qubits}) or [0]
    qubits = list(range(program.num_qubits)) if program.num_qubits <= WIRES else touched[:WIRES]
    outcomes: dict[int, list[int]] = defaultdict(list)
    for step in execution.steps:
        if step.outcome is not None:
            outcomes[step.point].append(step.outcome)
        elif step.choice is not None:
            outcomes[step.point].append(step.choice)
    lines = {s.point: str(s.source.line) for s in execution.steps if s.source is not None}
    columns = {point: k for k, point in enumerate(points)}
    return _Plan(program, columns, {q: -k for k, q in enumerate(qubits)}, path, outcomes, lines)


class _Painter:
    """Paints a plan on axes whose unit is one column and one wire."""

    def __init__(self, plan: _Plan, axes: Any) -> None:
        self._plan = plan
        self._axes = axes
        self._bottom = -len(plan.wires)

    def paint(self, title: str) -> None:
        plan, axes, count = self._plan, self._axes, len(self._plan.columns)
        axes.set_title(title, fontsize=10, color=INK, loc="left")
        for qubit, y in plan.wires.items():
            axes.plot([-0.6, count - 0.4], [y, y], color=SOFT, lw=0.8, zorder=0)
            axes.text(-0.75, y, plan.program.qubits[qubit], ha="right", va="center", fontsize=9, color=INK)
        axes.plot([-0.6, count - 0.4], [self._bottom] * 2, color=SOFT, lw=2.4, zorder=0)
        axes.text(-0.75, self._bottom, "classical", ha="right", va="center", fontsize=8, color=SOFT)
        for point, x in plan.columns.items():
            self._column(point, x)
        self._arcs()
        axes.set_xlim(-2.2, count)
        axes.set_ylim(self._bottom - 4.2, ARCS_FROM + ARC_STEP * (len(plan.jumps) + 1))
        axes.set_axis_off()

    def _column(self, point: int, x: int) -> None:
        plan, times = self._plan, self._plan.visits(point)
        colour = VISITED if times else OTHER
        if times:
            self._axes.axvspan(
                x - 0.5, x + 0.5, ymin=0.0, ymax=1.0, color=VISITED, alpha=0.06, lw=0, zorder=-1
            )
        wires = [plan.wires[q] for q in plan.program.code[point].qubits if q in plan.wires]
        pen = Pen(self._axes, x, colour)
        statement = plan.program.code[point]
        if isinstance(statement, Apply):
            pen.operator(statement.operator, [plan.wires.get(q) for q in statement.qubits])
        elif isinstance(statement, Measure) and wires:
            pen.line(wires[0], self._bottom)
            pen.box(wires, "M")
        elif isinstance(statement, Reset | Initialize | Channel) and wires:
            pen.box(wires, "|0⟩" if isinstance(statement, Reset) else "ψ")
        else:
            pen.gate_over(max(plan.wires.values()) + 0.4, self._bottom - 0.2)
        self._captions(point, x, times, colour)

    def _captions(self, point: int, x: int, times: int, colour: str) -> None:
        """The statement and its line below, the outcomes and the number of visits above."""
        text = self._plan.program.text(point)
        line = self._plan.lines.get(point)
        caption = f"{line}: {text}" if line else text
        clipped = caption if len(caption) <= 30 else caption[:29] + "…"
        style = {"ha": "center", "fontsize": 7}
        self._axes.text(x, self._bottom - 0.35, clipped, rotation=90, va="top", color=colour, **style)
        found = self._plan.outcomes.get(point)
        if found:
            shown = ", ".join(map(str, found[:6])) + (" …" if len(found) > 6 else "")
            self._axes.text(x, 0.62, f"= {shown}", va="bottom", color=ACCENT, weight="bold", **style)
        elif times > 1:
            self._axes.text(x, 0.62, f"×{times}", va="bottom", color=VISITED, **style)

    def _arcs(self) -> None:
        """Each jump of the path on its own level, short ones below long ones."""
        for level, ((start, end), times) in enumerate(self._plan.jumps):
            pen = Pen(self._axes, start, ACCENT if end < start else VISITED)
            pen.arc(end, ARCS_FROM, ARCS_FROM + ARC_STEP * (level + 1), times)


LETTERS = 5


@dataclass(frozen=True)
class Pen:
    """Draws at column `x` in one colour; wires are given by their heights."""

    axes: Any
    x: float
    colour: str

    def operator(self, operator: Operator, wires: Sequence[float | None]) -> None:
        """A gate: controls as dots where it is a single controlled base, otherwise one box."""
        if any(wire is None for wire in wires):
            self.box([wire for wire in wires if wire is not None], operator.name)
        elif len(operator.factors) == 1 and operator.factors[0].controls:
            self._controlled(operator.factors[0], [wire for wire in wires if wire is not None])
        else:
            self.box([wire for wire in wires if wire is not None], operator.label or operator.name)

    def _controlled(self, factor: Factor, wires: Sequence[float]) -> None:
        controls = [(wires[qubit], value) for qubit, value in factor.controls]
        targets = [wires[qubit] for qubit in factor.targets]
        heights = [*targets, *(height for height, _ in controls)]
        self.line(min(heights), max(heights))
        for height, value in controls:
            face = self.colour if value else "white"
            self.axes.plot(self.x, height, "o", ms=6, mfc=face, mec=self.colour, zorder=3)
        if factor.base.name == "x":
            self.axes.plot(self.x, targets[0], "o", ms=13, mfc="white", mec=self.colour, mew=1.4, zorder=3)
            self.axes.plot(self.x, targets[0], "+", ms=12, mec=self.colour, mew=1.4, zorder=4)
        elif targets:
            self.box(targets, factor.base.name)

    def box(self, wires: Sequence[float], text: str) -> None:
        """A box from the lowest to the highest of its wires."""
        if not wires:
            return
        shown = text if len(text) <= LETTERS else text[: LETTERS - 1] + "…"
        low, high = min(wires) - 0.32, max(wires) + 0.32
        self.axes.fill(
            [self.x - 0.36, self.x + 0.36, self.x + 0.36, self.x - 0.36],
            [low, low, high, high],
            facecolor="white",
            edgecolor=self.colour,
            lw=1.4,
            zorder=3,
        )
        middle = (low + high) / 2
        self.axes.text(
            self.x, middle, shown, ha="center", va="center", fontsize=8, color=self.colour, zorder=4
        )

    def line(self, start: float, end: float) -> None:
        self.axes.plot([self.x, self.x], [start, end], color=self.colour, lw=1.4, zorder=2)

    def gate_over(self, top: float, bottom: float) -> None:
        """A control-flow statement: a dashed line over all wires."""
        self.axes.plot([self.x, self.x], [bottom, top], color=self.colour, lw=1.4, ls=(0, (3, 2)), zorder=2)

    def arc(self, end: float, base: float, top: float, times: int) -> None:
        """An arrow above the wires from this column to another, with the number of times it is taken."""
        xs, ys = [self.x + 0.1, self.x + 0.1, end - 0.1, end - 0.1], [base, top, top, base]
        self.axes.plot(xs, ys, color=self.colour, lw=1.3, zorder=2)
        self.axes.plot(xs[-1], base, "v", ms=5, color=self.colour, zorder=3)
        if times > 1:
            place = (self.x + end) / 2, top + 0.05
            self.axes.text(*place, f"×{times}", ha="center", va="bottom", fontsize=7, color=self.colour)
