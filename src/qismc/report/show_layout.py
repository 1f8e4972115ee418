"""A layered layout: blocks in ranks from top to bottom, arrows bent around what lies between.

Ranks by longest paths once the arrows that close loops are turned round, orders by barycentres, horizontal
places by isotonic regression: as near as possible to the neighbours' mean without overlapping.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean

from qismc.common.graphs import in_order

GAP = 28.0
"""Horizontal distance between neighbours in a rank."""
BEND_WIDTH = 12.0
SWEEPS = 6
BENDS_PER_BLOCK = 8
"""Arrows over several ranks are bent at every rank unless there would be more bends than this."""

PORT = 72.0
"""Distance between the points where arrows leave a block: `false` and `true` fit between two of them."""

Pair = tuple[int, int]


@dataclass(frozen=True)
class BlockLayout:
    """Per block its rank and the x of its middle; per arrow its bends (rank, x) from source to target."""

    ranks: list[int]
    middles: list[float]
    bends: dict[Pair, list[tuple[int, float]]]
    ports: dict[Pair, float]
    """Where each arrow that leads down leaves its source, so that a fork's arrows and labels stay apart."""
    width: float


@dataclass
class _Grid:
    """Blocks and bends as cells; cells of one rank are ordered from left to right."""

    ranks: list[int]
    widths: list[float]
    above: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    below: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    chains: dict[Pair, list[int]] = field(default_factory=dict)

    def connect(self, upper: int, lower: int) -> None:
        self.below[upper].append(lower)
        self.above[lower].append(upper)


def layout(widths: Sequence[float], arrows: Sequence[Pair]) -> BlockLayout:
    """Places for blocks of given widths; block 0 is at the top."""
    downward = {pair: pair for pair in arrows if pair[0] != pair[1]}
    for source, target in _closing(len(widths), arrows):
        downward[source, target] = target, source
    grid = _Grid(_ranks(len(widths), set(downward.values())), list(widths))
    _bend(grid, downward, len(widths))
    rows = _ordered(grid)
    middles = _placed(grid, rows)
    bends = {}
    for pair, chain in grid.chains.items():
        found = [(grid.ranks[cell], middles[cell]) for cell in chain]
        bends[pair] = found if downward[pair] == pair else found[::-1]
    right = max(m + w / 2 for m, w in zip(middles, grid.widths, strict=True))
    ports = _ports(widths, middles, {p: bends[p] for p in bends if downward[p] == p})
    return BlockLayout(grid.ranks[: len(widths)], middles[: len(widths)], bends, ports, right)


def _ports(
    widths: Sequence[float], middles: Sequence[float], bends: dict[Pair, list[tuple[int, float]]]
) -> dict[Pair, float]:
    """Around the middle of the source's lower edge, in the order of where the arrows go."""
    leaving: dict[int, list[tuple[float, Pair]]] = defaultdict(list)
    for pair, bent in bends.items():
        leaving[pair[0]].append((bent[0][1] if bent else middles[pair[1]], pair))
    found = {}
    for source, arrows in leaving.items():
        gap = min(PORT, (widths[source] - 20) / max(1, len(arrows) - 1))
        for k, (_, pair) in enumerate(sorted(arrows)):
            found[pair] = middles[source] + (k - (len(arrows) - 1) / 2) * gap
    return found


def _closing(count: int, arrows: Sequence[Pair]) -> list[Pair]:
    """The arrows that lead back to a block on the current depth-first path."""
    after: dict[int, list[int]] = defaultdict(list)
    for source, target in arrows:
        after[source].append(target)
    closing, state = [], [0] * count  # 0 new, 1 on the path, 2 done
    for root in range(count):
        stack = [(root, iter(after[root]))] if state[root] == 0 else []
        state[root] = state[root] or 1
        while stack:
            node, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                state[node] = 2
                stack.pop()
            elif state[following] == 0:
                state[following] = 1
                stack.append((following, iter(after[following])))
            elif state[following] == 1 and following != node:
                closing.append((node, following))
    return closing


def _ranks(count: int, edges: set[Pair]) -> list[int]:
    """Longest distance from a block without predecessors."""
    after: dict[int, list[int]] = defaultdict(list)
    for upper, lower in edges:
        after[upper].append(lower)
    ranks = [0] * count
    for upper in in_order(range(count), after.__getitem__):
        for lower in after[upper]:
            ranks[lower] = max(ranks[lower], ranks[upper] + 1)
    return ranks


def _bend(grid: _Grid, downward: dict[Pair, Pair], count: int) -> None:
    """A cell for every rank that an arrow crosses, so that arrows keep clear of blocks."""
    crossed = sum(grid.ranks[b] - grid.ranks[a] - 1 for a, b in downward.values())
    for pair, (upper, lower) in downward.items():
        chain: list[int] = []
        if crossed <= BENDS_PER_BLOCK * count:
            for rank in range(grid.ranks[upper] + 1, grid.ranks[lower]):
                grid.ranks.append(rank)
                grid.widths.append(BEND_WIDTH)
                chain.append(len(grid.ranks) - 1)
        grid.chains[pair] = chain
        for above, below in zip([upper, *chain], [*chain, lower], strict=True):
            grid.connect(above, below)


def _ordered(grid: _Grid) -> list[list[int]]:
    """The cells of each rank from left to right, by the mean place of their neighbours."""
    rows: list[list[int]] = [[] for _ in range(max(grid.ranks) + 1)]
    for cell, rank in enumerate(grid.ranks):
        rows[rank].append(cell)
    place = {cell: float(k) for row in rows for k, cell in enumerate(row)}
    for sweep in range(SWEEPS):
        downwards = sweep % 2 == 0
        near = grid.above if downwards else grid.below
        for row in rows if downwards else reversed(rows):
            key = {c: fmean(place[n] for n in near[c]) if near[c] else place[c] for c in row}
            row.sort(key=key.__getitem__)
            place.update((cell, float(k)) for k, cell in enumerate(row))
    return rows


def _placed(grid: _Grid, rows: list[list[int]]) -> list[float]:
    """The middle of every cell; the leftmost edge is at 0."""
    middles = [0.0] * len(grid.ranks)
    for row in rows:
        _settle(row, grid.widths, middles, dict.fromkeys(row, 0.0))
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            near = {cell: grid.above[cell] + grid.below[cell] for cell in row}
            wish = {c: fmean(middles[n] for n in near[c]) if near[c] else middles[c] for c in row}
            _settle(row, grid.widths, middles, wish)
    left = min(m - w / 2 for m, w in zip(middles, grid.widths, strict=True))
    return [middle - left for middle in middles]


def _settle(row: list[int], widths: list[float], middles: list[float], wish: dict[int, float]) -> None:
    """Least squares to the wishes, in order and without overlap: pool adjacent violators."""
    offset, offsets = 0.0, []
    for k, cell in enumerate(row):
        offset += (widths[row[k - 1]] + widths[cell]) / 2 + GAP if k else 0.0
        offsets.append(offset)
    pools: list[tuple[float, int]] = []  # (mean, cells)
    for cell, shift in zip(row, offsets, strict=True):
        mean, size = wish[cell] - shift, 1
        while pools and pools[-1][0] > mean:
            before, cells = pools.pop()
            mean, size = (before * cells + mean * size) / (cells + size), cells + size
        pools.append((mean, size))
    places = [mean for mean, size in pools for _ in range(size)]
    for cell, shift, place in zip(row, offsets, places, strict=True):
        middles[cell] = place + shift
