"""Finite total graphs as compressed rows: targets[offsets[l]:offsets[l+1]] follow location l."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qismc import _core
from qismc.common.lazily import cached_property

Index = np.int32
Indices = NDArray[np.int32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Rows:
    """Neighbours of each location, in compressed rows."""

    offsets: Indices
    neighbours: Indices

    def of(self, location: int) -> Indices:
        """The neighbours of one location."""
        return self.neighbours[self.offsets[location] : self.offsets[location + 1]]

    def gather(self, locations: Indices) -> Indices:
        """The neighbours of all these locations, one after the other."""
        starts = self.offsets[locations]
        lengths = self.offsets[locations + 1] - starts
        ends = np.cumsum(lengths)
        total = int(ends[-1]) if len(ends) else 0
        edges: Indices = np.repeat(starts - ends + lengths, lengths) + np.arange(total, dtype=Index)
        return self.neighbours[edges]


@dataclass(frozen=True, eq=False)
class Graph:
    """Locations 0 … size-1 with at least one successor each; `initial` is where executions start."""

    offsets: Indices
    targets: Indices
    initial: int = 0

    def __post_init__(self) -> None:
        offsets = np.ascontiguousarray(self.offsets, dtype=Index)
        targets = np.ascontiguousarray(self.targets, dtype=Index)
        object.__setattr__(self, "offsets", offsets)
        object.__setattr__(self, "targets", targets)
        _check(offsets, targets, self.initial)

    @classmethod
    def from_edges(cls, size: int, sources: ArrayLike, targets: ArrayLike, initial: int = 0) -> Graph:
        """The graph with these edges; the successors of a location keep their order."""
        tails, heads = np.asarray(sources, dtype=Index), np.asarray(targets, dtype=Index)
        if len(tails) and not 0 <= tails.min() <= tails.max() < size:
            raise ValueError(f"edges leave locations outside of 0 … {size - 1}")
        return cls(*_rows(size, tails, heads), initial)

    @classmethod
    def from_lists(cls, successors: Sequence[Sequence[int]], initial: int = 0) -> Graph:
        """The graph in which `successors[l]` follow l."""
        degrees = np.array([len(row) for row in successors], dtype=Index)
        targets = np.array([target for row in successors for target in row], dtype=Index)
        return cls(_offsets(degrees), targets, initial)

    @cached_property
    def size(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def successors(self) -> Rows:
        return Rows(self.offsets, self.targets)

    @cached_property
    def predecessors(self) -> Rows:
        return Rows(*_core.reversed_rows(self.offsets, self.targets))

    @property
    def sources(self) -> Indices:
        """The location that each edge leaves."""
        return np.repeat(np.arange(self.size, dtype=Index), self.degrees)

    @property
    def degrees(self) -> Indices:
        """The number of edges that leave each location."""
        return np.diff(self.offsets)

    def nowhere(self) -> Mask:
        """The empty set of locations."""
        return np.zeros(self.size, dtype=bool)

    @cached_property
    def everywhere(self) -> Mask:
        """The set of all locations, which nobody may change."""
        mask = ~self.nowhere()
        mask.flags.writeable = False
        return mask

    def only(self, location: int) -> Mask:
        """The set of one location."""
        mask = self.nowhere()
        mask[location] = True
        return mask


def _check(offsets: Indices, targets: Indices, initial: int) -> None:
    size = len(offsets) - 1
    if _core.rows_are_total(offsets, targets) and 0 <= initial < size:
        return
    if size < 1:
        raise ValueError("a graph needs at least one location")
    if offsets[0] != 0 or offsets[-1] != len(targets):
        raise ValueError(f"offsets run from {offsets[0]} to {offsets[-1]}, edges from 0 to {len(targets)}")
    dead = np.flatnonzero(np.diff(offsets) < 1)
    if len(dead):
        raise ValueError(f"location {dead[0]} has no successor")
    if not 0 <= targets.min() <= targets.max() < size:
        raise ValueError(f"edges lead to locations outside of 0 … {size - 1}")
    if not 0 <= initial < size:
        raise ValueError(f"the initial location {initial} is outside of 0 … {size - 1}")


def _rows(size: int, tails: Indices, heads: Indices) -> tuple[Indices, Indices]:
    order = np.argsort(tails, kind="stable")
    return _offsets(np.bincount(tails, minlength=size)), heads[order]


def _offsets(degrees: ArrayLike) -> Indices:
    return np.concatenate(([0], np.cumsum(degrees))).astype(Index)
