"""Transition systems in all formats; text and JSON are made here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from qismc.common.arguments import one_of
from qismc.common.choices import FORMATS
from qismc.common.source import source_data
from qismc.common.version import VERSION
from qismc.common.wording import plain_number, store_text
from qismc.report.html import diagram_html
from qismc.report.show_blocks import Diagram, LocationBlock, Shown
from qismc.report.show_svg import dot, svg
from qismc.system import Location, names_of


@dataclass(frozen=True)
class Drawing:
    """A picture that prints in its own format and shows as SVG in notebooks.

    `fold` turns straight runs of gates into single lines.
    """

    picture: Diagram
    form: str = "text"
    fold: bool = True

    def __post_init__(self) -> None:
        one_of("format", self.form, FORMATS)

    def __str__(self) -> str:
        match self.form:
            case "dot":
                return dot(self.picture, fold=self.fold)
            case "svg":
                return svg(self.picture, fold=self.fold)
            case "html":
                return diagram_html(self.picture)
            case "json":
                return json.dumps(to_data(self.picture), indent=1)
        return text(self.picture, fold=self.fold)

    __repr__ = __str__

    def _repr_svg_(self) -> str:
        return svg(self.picture, fold=self.fold)


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


def _block(diagram: Diagram, block: LocationBlock, leaving: list[str], *, fold: bool) -> Iterator[Cells]:
    """The store is said at the first line of a block, the successors at the last."""
    rows = diagram.rows(block, fold=fold)
    for k, row in enumerate(rows):
        store = store_text(block.store) if k == 0 else ""
        following = f"-> {' | '.join(leaving)}" if row is rows[-1] else ""
        yield row.name, row.where, row.text, store, following


def to_data(diagram: Diagram) -> dict[str, Any]:
    """Locations, edges, and the blocks that group the locations."""
    system = diagram.system
    return {
        "qismc": VERSION,
        "program": system.program.name,
        "qubits": system.program.num_qubits,
        "locations": _locations(diagram),
        "edges": _edges(diagram),
        "blocks": [[f"l{index}" for index in block.locations] for block in diagram.blocks],
    }


def _locations(diagram: Diagram) -> list[dict[str, Any]]:
    """In the order of their numbers."""
    stores = {index: block.store for block in diagram.blocks for index in block.locations}
    return [_location(diagram.system.location(index), stores[index]) for index in sorted(stores)]


def _location(location: Location, store: Shown) -> dict[str, Any]:
    labels = (["init"] if location.index == 0 else []) + names_of(location.program, location.point)
    return {
        "location": location.name,
        "point": location.point,
        "statement": location.text,
        "source": source_data(location.source),
        "store": {k: None if v is None else plain_number(v) for k, v in store.items()},
        "labels": labels,
    }


def _edges(diagram: Diagram) -> list[dict[str, Any]]:
    """In the order of their sources; `outcome` says what was measured or chosen."""
    system = diagram.system
    outcomes: dict[tuple[int, int], list[int]] = {edge: [] for edge in system.edges}
    for source, target, hop in system.hops():
        if hop.way.outcome is not None:
            outcomes[source, target].append(hop.way.outcome)
    return [
        {"source": f"l{source}", "target": f"l{target}", "outcomes": found}
        for (source, target), found in outcomes.items()
    ]
