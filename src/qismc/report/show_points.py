"""Large transition systems folded by program point: blocks with the same statements become one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from qismc.report.show_blocks import Arrow, Block, Diagram

LABELS_SHOWN = 3


class Folded(NamedTuple):
    """A diagram with one block for each piece of the program; `members[k]` are the blocks behind block k."""

    picture: Diagram
    members: tuple[tuple[Block, ...], ...]


def by_point(picture: Diagram) -> Folded:
    """Blocks that visit the same points, joined; so are the arrows between them."""
    groups: dict[tuple[tuple[int, int], ...], list[Block]] = {}
    for block in picture.blocks:
        groups.setdefault(_points(picture, block), []).append(block)
    members = tuple(tuple(group) for group in groups.values())
    number = {block.number: k for k, group in enumerate(members) for block in group}
    blocks = tuple(replace(group[0], number=k) for k, group in enumerate(members))
    return Folded(replace(picture, blocks=blocks, arrows=tuple(_joined(picture.arrows, number))), members)


def _points(picture: Diagram, block: Block) -> tuple[tuple[int, int], ...]:
    return tuple((picture.system.location(run[0]).point, len(run)) for run in block.runs)


def _joined(arrows: Sequence[Arrow], number: dict[int, int]) -> list[Arrow]:
    labels: dict[tuple[int, int], dict[str, None]] = {}
    for arrow in arrows:
        pair = (number[arrow.source], number[arrow.target])
        labels.setdefault(pair, {})[arrow.label] = None
    return [Arrow(source, target, _label(list(found))) for (source, target), found in labels.items()]


def _label(labels: Sequence[str]) -> str:
    shown = [label for label in labels if label]
    return ", ".join(shown) if len(shown) <= LABELS_SHOWN else f"{len(shown)} ways"
