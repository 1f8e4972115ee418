"""Transition systems as text, DOT, SVG, HTML and JSON: text and JSON are made here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from qismc.common.arguments import one_of
from qismc.common.choices import FORMATS
from qismc.common.loading import loading
from qismc.common.version import VERSION
from qismc.common.wording import plain_number, store_text
from qismc.report.show_blocks import Diagram, LocationBlock
from qismc.report.show_svg import dot, svg
from qismc.system import names_of


def show(picture: Diagram, form: str = "text", *, fold: bool = True) -> str:
    """The system in one of FORMATS; `fold` turns straight runs of gates into single lines."""
    if form == "text":
        return text(picture, fold=fold)
    if form == "dot":
        return dot(picture, fold=fold)
    if form == "svg":
        return svg(picture, fold=fold)
    if form == "html":
        with loading():
            from qismc.report.html import diagram_html  # noqa: PLC0415 - the page builds on results

        return diagram_html(picture)
    if form == "json":
        return json.dumps(to_data(picture), indent=1)
    one_of("format", form, FORMATS)
    raise AssertionError(form)


@dataclass(frozen=True)
class Drawing:
    """A picture that prints in its own format and shows as SVG in notebooks."""

    picture: Diagram
    form: str = "text"
    fold: bool = True

    def __str__(self) -> str:
        return show(self.picture, self.form, fold=self.fold)

    __repr__ = __str__

    def _repr_svg_(self) -> str:
        return show(self.picture, "svg", fold=self.fold)


def draw(picture: Diagram, form: str = "text", *, fold: bool = True) -> Drawing:
    """A Drawing; an unknown format is refused at once, not when somebody prints it."""
    one_of("format", form, FORMATS)
    return Drawing(picture, form, fold)


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
    found = [_location(diagram, block, index) for block in diagram.blocks for index in block.locations]
    return [location for _, location in sorted(found, key=lambda item: item[0])]


def _location(diagram: Diagram, block: LocationBlock, index: int) -> tuple[int, dict[str, Any]]:
    location = diagram.system.location(index)
    labels = (["init"] if index == 0 else []) + names_of(location.program, location.point)
    return index, {
        "location": location.name,
        "point": location.point,
        "statement": location.text,
        "source": None if location.source is None else location.source._asdict(),
        "store": {k: None if v is None else plain_number(v) for k, v in block.store.items()},
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
