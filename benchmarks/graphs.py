"""Large graphs with CTL formulas of three temporal operators whose truth is known by construction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from benchmarks.case import Expected, at_least
from qismc.ctl.graph import Graph, Mask


@dataclass(frozen=True, eq=False)
class GraphCase:
    """A graph, the locations of its atoms, a formula and its truth at location 0."""

    name: str
    graph: Graph
    atoms: Mapping[str, Mask]
    formula: str
    expected: Expected


def ladder(size: int, broken: bool = False) -> GraphCase:
    """Location l leads to l + 1 and l + 2, the last ones to the end: deep and narrow.

    Every execution reaches the end and meets `safe` locations only; `broken` spoils one in the middle.
    """
    at_least(4, size=size)
    places = np.arange(size, dtype=np.int32)
    successors = np.minimum(np.stack([places + 1, places + 2], axis=1), size - 1)
    safe = np.ones(size, dtype=bool)
    safe[size // 2] = not broken
    atoms = {"start": places % 1000 == 0, "safe": safe, "end": places == size - 1}
    return _case(f"ladder-{size}", successors, atoms, "AG (start -> A[safe U end & EX end])", broken)


def shuffle(size: int, broken: bool = False) -> GraphCase:
    """Location l leads to 2l and 2l + 1 (mod size): from everywhere to everywhere in log(size) steps.

    `broken` makes a dead end of one location.
    """
    at_least(8, size=size)
    places = np.arange(size, dtype=np.int64)
    successors = (np.stack([2 * places, 2 * places + 1], axis=1) % size).astype(np.int32)
    if broken:
        successors[size // 3] = size // 3
    atoms = {"home": places == 1}
    return _case(f"shuffle-{size}", successors, atoms, "AG (EX true & EX EF home)", broken)


def _case(
    name: str, successors: np.ndarray, atoms: Mapping[str, Mask], formula: str, broken: bool
) -> GraphCase:
    offsets = np.arange(0, successors.size + 1, successors.shape[1], dtype=np.int32)
    graph = Graph(offsets, successors.reshape(-1))
    if broken:
        return GraphCase(f"{name}-broken", graph, atoms, formula, "violated")
    return GraphCase(name, graph, atoms, formula, "holds")
