"""A program as data for a page: its source lines, its statements on the wires of a circuit, its locations."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from qismc.common.wording import store_text
from qismc.program import Apply, Channel, Initialize, Jump, Measure, Program, Reset, Statement
from qismc.report.show_blocks import BlockRow, Diagram, LocationBlock, by_point
from qismc.report.show_layout import layout
from qismc.report.show_svg import block_width
from qismc.report.wording import lines_of

AROUND = 3
"""Lines shown before the first statement of a file and after the last."""
LINES_SHOWN = 50_000
LOCATIONS_KEPT = 20_000
"""Larger systems are drawn with folded runs only, and sub-formulas are coloured on the executions only."""
BLOCKS_DRAWN = 20_000
BLOCKS_APART = 150
"""Systems with more blocks are folded by program point."""
MARKS = 16.0
"""Width of a block's mark for folding and of the dots at the ends of its rows."""


def program_data(program: Program, picture: Diagram | None, visited: set[int]) -> dict[str, Any]:
    """Statements with their source lines, and the blocks of the transition system."""
    few = len(program.code) <= LOCATIONS_KEPT
    points = range(len(program.code)) if few else sorted(visited)
    shown = [p for p in points if not isinstance(program.code[p], Jump)]
    files = file_numbers(program)
    places = [None if s is None else [files[s.file], s.line] for s in program.sources]
    return {
        "files": source_files(program),
        "statements": [[p, program.text(p), places[p], acts(program.code[p])] for p in shown],
        "picture": None if picture is None or len(picture.blocks) > BLOCKS_DRAWN else _picture(picture),
    }


def _picture(picture: Diagram) -> dict[str, Any]:
    """Blocks with ranks and horizontal places; the page computes heights, since blocks unfold."""
    members: tuple[tuple[LocationBlock, ...], ...] = tuple((block,) for block in picture.blocks)
    folded = len(picture.blocks) > BLOCKS_APART
    if folded:
        picture, members = by_point(picture)
    unfold = picture.system.num_locations <= LOCATIONS_KEPT and not folded
    rows = [picture.rows(block) for block in picture.blocks]
    widths = [_width(picture, b, r, unfold=unfold) for b, r in zip(picture.blocks, rows, strict=True)]
    plan = layout(widths, [(a.source, a.target) for a in picture.arrows])
    return {
        "unfold": unfold,
        "byPoint": folded,
        "blocks": [
            {
                **_block(picture, block, rows[k], members[k]),
                "rank": plan.ranks[k],
                "middle": round(plan.middles[k], 1),
                "width": round(widths[k], 1),
            }
            for k, block in enumerate(picture.blocks)
        ],
        "arrows": [
            [a.source, a.target, a.label, plan.bends.get(pair, []), round(plan.ports.get(pair, 0.0), 1)]
            for a, pair in ((a, (a.source, a.target)) for a in picture.arrows)
        ],
    }


def _width(picture: Diagram, block: LocationBlock, folded: list[BlockRow], *, unfold: bool) -> float:
    """Enough for the block folded and unfolded, its mark for folding and a dot at the end of each row."""
    forms = [folded] + ([picture.rows(block, fold=False)] if unfold else [])
    return max(block_width(rows, block) for rows in forms) + MARKS


def _block(
    picture: Diagram, block: LocationBlock, rows: list[BlockRow], members: Sequence[LocationBlock]
) -> dict[str, Any]:
    """`runs` are [first location, last location, first point, classical values]."""
    system = picture.system
    several = len(members) > 1
    return {
        "name": f"{len(members)} stores" if several else block.name,
        "store": "" if several else store_text(block.store),
        "kind": block.kind,
        "runs": [
            [run[0], run[-1], system.location(run[0]).point, store_text(member.store)]
            for member in members
            for run in member.runs
        ],
        "rows": [[row.first, row.last, row.text, row.where] for row in rows],
    }


def source_files(program: Program) -> list[dict[str, Any]]:
    """Per file its name, the number of the first line shown and the lines; unreadable files have none."""
    ranges: dict[str, tuple[int, int]] = {}
    for source in program.sources:
        if source is not None:
            low, high = ranges.get(source.file, (source.line, source.line))
            ranges[source.file] = min(low, source.line), max(high, source.line)
    return [_excerpt(program, file, low, high) for file, (low, high) in ranges.items()]


def _excerpt(program: Program, file: str, low: int, high: int) -> dict[str, Any]:
    lines = lines_of(program, file)
    first = max(1, low - AROUND)
    last = min(len(lines), high + AROUND, first + LINES_SHOWN - 1)
    shown = [line.rstrip("\r\n") for line in lines[first - 1 : last]]
    return {"name": PurePath(file).name or file, "first": first, "lines": shown}


def file_numbers(program: Program) -> dict[str, int]:
    """The place of each file in `source_files`."""
    files = dict.fromkeys(source.file for source in program.sources if source is not None)
    return {file: k for k, file in enumerate(files)}


def acts(statement: Statement) -> dict[str, Any] | None:
    """A name, the qubits below it, and controls with their values; None for what acts on no qubit."""
    match statement:
        case Apply():
            return _gate(statement)
        case Measure(qubit):
            return _boxes("M", (qubit,))
        case Reset(qubit):
            return _boxes("|0>", (qubit,))
        case Initialize(qubits):
            return _boxes("init", qubits)
        case Channel(qubits):
            return _boxes("noise", qubits)
    return None


def _boxes(name: str, qubits: tuple[int, ...]) -> dict[str, Any]:
    return {"name": name, "targets": list(qubits), "controls": []}


def _gate(gate: Apply) -> dict[str, Any]:
    """A gate of one factor with its controls apart; any other as one box over its qubits."""
    operator, qubits = gate
    factor = operator.factors[0] if len(operator.factors) == 1 else None
    if factor is None or not factor.targets:
        return _boxes(operator.label or operator.name, qubits)
    controls = [[qubits[c], value] for c, value in factor.controls]
    name = factor.base.name if factor.controls else operator.label or operator.name
    return {"name": name, "targets": [qubits[t] for t in factor.targets], "controls": controls}
