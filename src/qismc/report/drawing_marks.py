"""The marks of a circuit drawing: boxes, controls, lines, arcs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from qismc.program import Factor, Operator

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
