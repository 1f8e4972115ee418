"""The transition system as lines: location, source line, statement, store, successors."""

from __future__ import annotations

from collections.abc import Iterator

from qismc.common.wording import store_text
from qismc.report.show_blocks import Block, Diagram

Cells = tuple[str, str, str, str, str]
HEADER: Cells = ("location", "line", "statement", "classical", "next")
WIDEST = 60


def text(diagram: Diagram, *, fold: bool = True) -> str:
    """One line per location; straight runs of gates are one line unless `fold` is off; no empty columns."""
    lines = list(_lines(diagram, fold=fold))
    used = [k for k in range(len(HEADER)) if any(cells[k] for cells in lines)]
    lines.insert(0, HEADER)
    widths = {k: min(WIDEST, max(len(cells[k]) for cells in lines)) for k in used}
    return "\n".join("  ".join(cells[k].ljust(widths[k]) for k in used).rstrip() for cells in lines)


def _lines(diagram: Diagram, *, fold: bool) -> Iterator[Cells]:
    leaving: dict[int, list[str]] = {block.number: [] for block in diagram.blocks}
    for arrow in diagram.arrows:
        first = diagram.blocks[arrow.target].runs[0][0]
        leaving[arrow.source].append(f"{arrow.label}: l{first}" if arrow.label else f"l{first}")
    for block in diagram.blocks:
        yield from _block(diagram, block, leaving[block.number], fold=fold)


def _block(diagram: Diagram, block: Block, leaving: list[str], *, fold: bool) -> Iterator[Cells]:
    """The store is said at the first line of a block, the successors at the last."""
    rows = diagram.rows(block, fold=fold)
    for k, row in enumerate(rows):
        store = store_text(block.store) if k == 0 else ""
        following = f"-> {' | '.join(leaving)}" if row is rows[-1] else ""
        yield row.name, row.where, row.text, store, following
