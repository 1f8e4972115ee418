"""The transition system as a picture, by Graphviz where it is installed, otherwise by our own layout."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from qismc.common.wording import store_text
from qismc.report.show_blocks import BlockArrow, BlockRow, Diagram, LocationBlock
from qismc.report.show_layout import BlockLayout, layout
from qismc.report.wording import asset, cut

CHARACTER = 6.7
LINE = 17.0
PADDING = 9.0
RANK_GAP = 36.0
LETTERS = 48
MARGIN = 14.0
GRAPHVIZ_BLOCKS = 300
GRAPHVIZ_SECONDS = 10
SIDE = 22.0
"""How far arrows that go back swing out beside a block."""


@dataclass(frozen=True)
class PlacedBlock:
    """A block with its rows and its place."""

    block: LocationBlock
    rows: list[BlockRow]
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        return self.x + self.width / 2


def svg(diagram: Diagram, *, fold: bool = True, graphviz: bool | None = None) -> str:
    """An SVG document; `graphviz` forces or forbids the external program."""
    wanted = len(diagram.blocks) <= GRAPHVIZ_BLOCKS if graphviz is None else graphviz
    return (_by_graphviz(diagram, fold=fold) if wanted else None) or _own(diagram, fold=fold)


def _by_graphviz(diagram: Diagram, *, fold: bool) -> str | None:
    """None where Graphviz is missing, fails or takes too long."""
    program = shutil.which("dot")
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, "-Tsvg"],
            input=dot(diagram, fold=fold),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=GRAPHVIZ_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    start = done.stdout.find("<svg")
    return done.stdout[start:] if start >= 0 else None


def block_width(rows: Sequence[BlockRow], block: LocationBlock) -> float:
    """Wide enough for every row, up to a limit."""
    letters = max(len(text) for text in [_head(block), *_texts(rows)])
    return min(letters, LETTERS) * CHARACTER + 2 * PADDING


def _head(block: LocationBlock) -> str:
    return f"{block.name}  {store_text(block.store)}".rstrip()


def _texts(rows: Sequence[BlockRow]) -> list[str]:
    """Source line and statement of each row, aligned."""
    width = max(len(row.where) for row in rows)
    return [f"{row.where:>{width}}  {row.text}" if width else row.text for row in rows]


def _own(diagram: Diagram, *, fold: bool) -> str:
    rows = [diagram.rows(block, fold=fold) for block in diagram.blocks]
    widths = [block_width(r, b) for r, b in zip(rows, diagram.blocks, strict=True)]
    plan = layout(widths, [(a.source, a.target) for a in diagram.arrows])
    heights = [(len(r) + 1) * LINE + PADDING for r in rows]
    tops = _tops(plan, heights)
    frames = [
        PlacedBlock(b, rows[k], plan.middles[k] - widths[k] / 2, tops[plan.ranks[k]], widths[k], heights[k])
        for k, b in enumerate(diagram.blocks)
    ]
    parts = [_arrow(arrow, frames, plan, tops) for arrow in diagram.arrows]
    parts += [_frame(frame) for frame in frames]
    width = plan.width + 2 * MARGIN + 2 * SIDE
    height = max(frame.y + frame.height for frame in frames) + 2 * MARGIN
    style = asset("system.css").replace("\n", "")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="qismc-system" role="img" '
        f'width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{-MARGIN:g} {-MARGIN:g} {width:.0f} {height:.0f}">'
        f"<title>Transition system of {escape(diagram.system.program.name)}</title><style>{style}</style>"
        f"{''.join(parts)}</svg>"
    )


def _tops(plan: BlockLayout, heights: Sequence[float]) -> list[float]:
    """The upper edge of every rank."""
    tallest = [0.0] * (max(plan.ranks) + 1)
    for rank, height in zip(plan.ranks, heights, strict=True):
        tallest[rank] = max(tallest[rank], height)
    tops = [0.0]
    for height in tallest:
        tops.append(tops[-1] + height + RANK_GAP)
    return tops


def _frame(frame: PlacedBlock) -> str:
    lines = [
        f'<text class="head" x="{frame.x + PADDING:.1f}" y="{frame.y + LINE:.1f}">'
        f"{escape(cut(_head(frame.block), LETTERS))}</text>"
    ]
    for k, text in enumerate(_texts(frame.rows)):
        y = frame.y + (k + 2) * LINE
        lines.append(f'<text x="{frame.x + PADDING:.1f}" y="{y:.1f}">{escape(cut(text, LETTERS))}</text>')
    return (
        f'<g class="{frame.block.kind}"><rect class="box" rx="{16 if frame.block.kind == "leaf" else 5}" '
        f'x="{frame.x:.1f}" y="{frame.y:.1f}" '
        f'width="{frame.width:.1f}" height="{frame.height:.1f}"/>{"".join(lines)}</g>'
    )


def _arrow(arrow: BlockArrow, frames: Sequence[PlacedBlock], plan: BlockLayout, tops: Sequence[float]) -> str:
    source, target = frames[arrow.source], frames[arrow.target]
    down = plan.ranks[arrow.target] > plan.ranks[arrow.source]
    bends = _bends(plan.bends.get((arrow.source, arrow.target), []), tops, down=down)
    if down:
        start = (plan.ports[arrow.source, arrow.target], source.y + source.height)
        points = [start, *bends, (target.middle, target.y)]
        path, tip = _downward(points), f"M{target.middle:.1f} {target.y:.1f}l-4 -8h8z"
    else:
        points = _around(source, target, bends)
        path, tip = _smooth(points), f"M{points[-1][0]:.1f} {points[-1][1]:.1f}l8 -4v8z"
    label = _label(arrow.label, points, down=down) if arrow.label else ""
    return f'<path class="arrow" d="{path}"/><path class="tip" d="{tip}"/>{label}'


Point = tuple[float, float]


def _label(text: str, points: Sequence[Point], *, down: bool) -> str:
    """Beside the start of the arrow, on the side that it does not turn to."""
    (x, y), (u, _) = points[0], points[1]
    if down and u > x + 1:
        place = f'text-anchor="end" x="{x - 4:.1f}" y="{y + 13:.1f}"'
    else:
        place = f'x="{x + 5:.1f}" y="{y + 13:.1f}"'
    return f'<text class="label" {place}>{escape(text)}</text>'


def _bends(bends: Sequence[tuple[int, float]], tops: Sequence[float], *, down: bool) -> list[Point]:
    """Straight through the ranks in between: an arrow turns only where no blocks are."""
    found: list[Point] = []
    for rank, x in bends:
        ends = [(x, tops[rank]), (x, tops[rank + 1] - RANK_GAP)]
        found += ends if down else ends[::-1]
    return found


def _downward(points: Sequence[Point]) -> str:
    """Smooth S-curves with vertical tangents."""
    text = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for (x, y), (u, v) in pairwise(points):
        half = (v - y) / 2
        text += f"C{x:.1f} {y + half:.1f} {u:.1f} {v - half:.1f} {u:.1f} {v:.1f}"
    return text


def _around(source: PlacedBlock, target: PlacedBlock, bends: Sequence[Point]) -> list[Point]:
    """From the right side of the source up to the right side of the target."""
    start = (source.x + source.width, source.y + source.height - LINE / 2)
    end = (target.x + target.width, target.y + LINE / 2)
    if bends:
        return [start, *bends, end]
    side = max(start[0], end[0]) + SIDE
    return [start, (side, start[1] - 4), (side, end[1] + 4), end]


def _smooth(points: Sequence[Point]) -> str:
    """A polygon with rounded corners: quadratic curves between the middles of its sides."""
    text = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for (x, y), (u, v) in pairwise(points[1:-1]):
        text += f"Q{x:.1f} {y:.1f} {(x + u) / 2:.1f} {(y + v) / 2:.1f}"
    (x, y), (u, v) = points[-2], points[-1]
    return text + f"Q{x:.1f} {y:.1f} {u:.1f} {v:.1f}"


SHAPES = {
    "plain": "",
    "init": ", penwidth=2",
    "loop": ', style="rounded"',
    "leaf": ", peripheries=2",
}


def dot(diagram: Diagram, *, fold: bool = True) -> str:
    """One box per block, one edge per arrow."""
    lines = [
        f"digraph {_quoted(diagram.system.program.name)} {{",
        '  graph [rankdir=TB, fontname="monospace"];',
        '  node [shape=box, fontname="monospace", fontsize=11];',
        '  edge [fontname="monospace", fontsize=10];',
    ]
    lines += [f"  b{b.number} [{_dot_label(diagram, b, fold=fold)}{SHAPES[b.kind]}];" for b in diagram.blocks]
    for arrow in diagram.arrows:
        label = f" [label={_quoted(arrow.label)}]" if arrow.label else ""
        lines.append(f"  b{arrow.source} -> b{arrow.target}{label};")
    return "\n".join([*lines, "}"])


def _dot_label(diagram: Diagram, block: LocationBlock, *, fold: bool) -> str:
    """Rows are set flush left by `\\l`; the store comes first."""
    rows = [f"{row.name}  {row.text}" for row in diagram.rows(block, fold=fold)]
    head = [store_text(block.store)] if block.store else []
    return "label=" + '"' + "".join(f"{_escaped(row)}\\l" for row in [*head, *rows]) + '"'


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
