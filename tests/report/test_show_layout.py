"""What every layout promises: nothing overlaps, loops close upwards, all else leads down."""

from __future__ import annotations

import random
from collections import defaultdict
from itertools import pairwise

import pytest

from qismc.report.show_layout import layout


def random_graph(seed: int) -> tuple[list[float], list[tuple[int, int]]]:
    rng = random.Random(seed)
    count = rng.randrange(2, 30)
    tree = [(rng.randrange(k), k) for k in range(1, count)]
    extra = [(rng.randrange(count), rng.randrange(count)) for _ in range(count)]
    return [rng.uniform(20, 200) for _ in range(count)], list(dict.fromkeys(tree + extra))


@pytest.mark.parametrize("seed", range(40))
def test_blocks_of_a_rank_do_not_overlap(seed: int) -> None:
    widths, arrows = random_graph(seed)
    plan = layout(widths, arrows)
    rows: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for rank, middle, width in zip(plan.ranks, plan.middles, widths, strict=True):
        rows[rank].append((middle - width / 2, middle + width / 2))
    for row in rows.values():
        row.sort()
        assert all(left[1] < right[0] for left, right in pairwise(row))
        assert row[0][0] >= -1e-6
        assert row[-1][1] <= plan.width + 1e-6


@pytest.mark.parametrize("seed", range(40))
def test_bends_lie_between_the_ends_of_their_arrow(seed: int) -> None:
    widths, arrows = random_graph(seed)
    plan = layout(widths, arrows)
    for source, target in arrows:
        a, b = plan.ranks[source], plan.ranks[target]
        ranks = [rank for rank, _ in plan.bends.get((source, target), [])]
        assert ranks == (list(range(a + 1, b)) if b >= a else list(range(a - 1, b, -1)))


@pytest.mark.parametrize("seed", range(20))
def test_without_loops_every_arrow_leads_down(seed: int) -> None:
    widths, arrows = random_graph(seed)
    acyclic = [(a, b) for a, b in arrows if a < b]
    plan = layout(widths, acyclic)
    assert all(plan.ranks[a] < plan.ranks[b] for a, b in acyclic)


def test_a_chain_is_straight() -> None:
    plan = layout([50.0, 120.0, 80.0], [(0, 1), (1, 2)])
    assert plan.ranks == [0, 1, 2]
    assert max(plan.middles) - min(plan.middles) < 1e-6


def test_a_long_chain_needs_no_recursion() -> None:
    count = 5_000
    plan = layout([10.0] * count, [(k, k + 1) for k in range(count - 1)] + [(count - 1, 0)])
    assert plan.ranks == list(range(count))


@pytest.mark.parametrize("seed", range(20))
def test_arrows_leave_inside_their_block_in_the_order_of_where_they_go(seed: int) -> None:
    widths, arrows = random_graph(seed)
    plan = layout(widths, arrows)
    leaving: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for source, target in arrows:
        if plan.ranks[target] > plan.ranks[source]:
            bends = plan.bends[source, target]
            towards = bends[0][1] if bends else plan.middles[target]
            leaving[source].append((towards, plan.ports[source, target]))
    for source, pairs in leaving.items():
        ports = [port for _, port in sorted(pairs)]
        assert ports == sorted(ports)
        assert len(set(ports)) == len(ports)
        assert all(abs(port - plan.middles[source]) <= widths[source] / 2 for port in ports)
