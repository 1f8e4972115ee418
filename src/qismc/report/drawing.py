"""A matplotlib picture of the program's circuit with an execution marked on it."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from qismc.common.lazily import cached_property
from qismc.common.loading import loading
from qismc.common.wording import chance_text
from qismc.errors import UsageError
from qismc.evidence import Execution
from qismc.program import Apply, Channel, Initialize, Jump, Measure, Program, Reset
from qismc.report.drawing_marks import Pen

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
