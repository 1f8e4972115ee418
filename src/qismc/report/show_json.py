"""The transition system as plain data."""

from __future__ import annotations

from typing import Any

from qismc.common.version import VERSION
from qismc.common.wording import plain_number
from qismc.report.show_blocks import Block, Diagram
from qismc.system import names_of


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


def _location(diagram: Diagram, block: Block, index: int) -> tuple[int, dict[str, Any]]:
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
