"""Level orders against brute force, hand-made orders and a cost computed in plain Python."""

import itertools
import math
import random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from qismc import _core

Edges = list[list[int]]
METHODS = ["auto", "natural", "depth-first", "force", "bisection"]


def packed(edges: Edges) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    offsets = np.cumsum([0, *map(len, edges)]).astype(np.int32)
    return offsets, np.array([q for edge in edges for q in edge], dtype=np.int32)


def level_order(levels: int, edges: Edges, method: str = "auto", seed: int = 0) -> list[int]:
    order: list[int] = _core.level_order(levels, *packed(edges), None, seed, method).tolist()
    return order


def cuts(edges: Edges, order: list[int]) -> list[int]:
    """How many distinct hyperedges cross each cut, by the definition."""
    distinct = {frozenset(edge) for edge in edges}
    lefts = [set(order[:k]) for k in range(1, len(order))]
    return [sum(bool(edge & left) and bool(edge - left) for edge in distinct) for left in lefts]


def cost(edges: Edges, order: list[int]) -> int:
    return sum(2**cut for cut in cuts(edges, order))


def width(edges: Edges, order: list[int]) -> int:
    """The largest min(crossing hyperedges, vertices they touch on the left, on the right) of a cut."""
    widths = [0]
    for k in range(1, len(order)):
        left = set(order[:k])
        crossing = {frozenset(edge) for edge in edges if set(edge) & left and set(edge) - left}
        touched = set().union(*crossing)
        widths.append(min(len(crossing), len(touched & left), len(touched - left)))
    return max(widths)


def grover_tree(b: int) -> Edges:
    return [[2 * i, 2 * i + 1, b + i] for i in range(b - 1)]


def tree_by_hand(b: int) -> list[int]:
    """Each helper between its two inputs."""

    def spread(qubit: int) -> list[int]:
        if qubit < b:
            return [qubit]
        i = qubit - b
        return [*spread(2 * i), qubit, *spread(2 * i + 1)]

    return spread(2 * b - 2)


def grover_linear(b: int) -> Edges:
    return [[0, 1, b], *([i, b + i - 2, b + i - 1] for i in range(2, b)), [2 * b - 2, 2 * b - 1]]


def linear_by_hand(b: int) -> list[int]:
    return [0, 1, b, *(q for i in range(2, b) for q in (i, b + i - 1)), 2 * b - 1]


def in_pairs(edges: Edges) -> Edges:
    """What decomposing every Toffoli into two-qubit gates makes of the hyperedges."""
    return [list(pair) for edge in edges for pair in itertools.combinations(edge, 2)]


def relabelled(levels: int, edges: Edges, seed: int) -> Edges:
    rng = random.Random(seed)
    names = rng.sample(range(levels), levels)
    return rng.sample([[names[q] for q in edge] for edge in edges], len(edges))


def random_edges(rng: random.Random, levels: int, count: int) -> Edges:
    return [rng.sample(range(levels), rng.randint(2, min(4, levels))) for _ in range(count)]


def cheapest(levels: int, edges: Edges) -> int:
    """The least cost of all permutations; what a cut costs depends on the set to its left alone."""
    masks = {sum(1 << q for q in set(edge)) for edge in edges}
    price = [2 ** sum(bool(m & left) and bool(m & ~left) for m in masks) for left in range(2**levels)]
    totals = (
        sum(price[left] for left in itertools.accumulate(1 << q for q in order[:-1]))
        for order in itertools.permutations(range(levels))
    )
    return min(totals)


@pytest.mark.parametrize("levels", [6, 7, 8])
@pytest.mark.parametrize("seed", range(3))
def test_small_hypergraphs_get_the_cheapest_order(levels: int, seed: int) -> None:
    rng = random.Random(seed)
    natural = list(range(levels))
    edges = random_edges(rng, levels, 2 * levels)
    # Narrow natural orders are kept as they are; below six levels there are no others.
    while width(edges, natural) <= 2:
        edges = random_edges(rng, levels, 2 * levels)
    assert cost(edges, level_order(levels, edges)) == cheapest(levels, edges)


@pytest.mark.parametrize("seed", range(20))
def test_narrow_natural_orders_are_kept_and_wide_ones_never_get_worse(seed: int) -> None:
    rng = random.Random(seed)
    natural = list(range(9))
    edges = random_edges(rng, 9, rng.randint(3, 12))
    found = level_order(9, edges)
    assert cost(edges, found) <= cost(edges, natural)
    if width(edges, natural) <= 2:
        assert found == natural


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("levels", [0, 1, 2, 3, 9, 30, 61])
def test_every_method_returns_a_permutation(levels: int, method: str) -> None:
    rng = random.Random(levels)
    edges = random_edges(rng, levels, 2 * levels) if levels > 1 else []
    assert sorted(level_order(levels, edges, method)) == list(range(levels))


@pytest.mark.parametrize("method", METHODS)
def test_the_order_depends_on_the_arguments_alone(method: str) -> None:
    edges = random_edges(random.Random(5), 40, 80)
    assert level_order(40, edges, method, seed=3) == level_order(40, edges, method, seed=3)


def test_cost_is_the_sum_over_cuts_of_two_to_the_crossing_hyperedges() -> None:
    rng = random.Random(1)
    for levels in (2, 5, 12, 30):
        edges = random_edges(rng, levels, 20)
        order = rng.sample(range(levels), levels)
        measured = _core.order_cost(levels, *packed(edges), None, np.array(order, dtype=np.int32))
        assert measured == pytest.approx(math.log2(cost(edges, order)), abs=1e-9)


def test_cost_survives_cuts_beyond_the_range_of_doubles() -> None:
    edges = [[q, 2999] for q in range(2999)]
    order = np.arange(3000, dtype=np.int32)
    assert _core.order_cost(3000, *packed(edges), None, order) == pytest.approx(3000, abs=1e-6)


def test_cost_without_a_cut_is_minus_infinity() -> None:
    assert _core.order_cost(1, *packed([]), None, np.zeros(1, dtype=np.int32)) == -math.inf


@pytest.mark.parametrize("b", [8, 32, 128])
@pytest.mark.parametrize("pairs", [False, True])
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_grover_trees_get_no_worse_than_the_order_by_hand(b: int, pairs: bool, seed: int | None) -> None:
    levels, edges = 2 * b - 1, in_pairs(grover_tree(b)) if pairs else grover_tree(b)
    by_hand = cost(edges, tree_by_hand(b))
    if seed is not None:
        edges = relabelled(levels, edges, seed)
    order = level_order(levels, edges)
    assert cost(edges, order) <= by_hand
    assert max(cuts(edges, order)) <= (2 if pairs else 1) * math.log2(b)


@pytest.mark.parametrize("b", [16, 150])
@pytest.mark.parametrize("pairs", [False, True])
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_linear_grover_gets_no_worse_than_the_order_by_hand(b: int, pairs: bool, seed: int | None) -> None:
    levels, edges = 2 * b, in_pairs(grover_linear(b)) if pairs else grover_linear(b)
    by_hand = cost(edges, linear_by_hand(b))
    if seed is not None:
        edges = relabelled(levels, edges, seed)
    assert cost(edges, level_order(levels, edges)) <= by_hand


def test_bisection_untangles_a_relabelled_ladder() -> None:
    rungs = [[2 * k, 2 * k + 1] for k in range(60)]
    rails = [[q, q + 2] for q in range(118)]
    edges = relabelled(120, rungs + rails, seed=7)
    assert max(cuts(edges, level_order(120, edges, "bisection"))) <= 4
    assert max(cuts(edges, level_order(120, edges))) <= 3


@pytest.mark.parametrize("centre", [0, 70, 300])
def test_a_star_is_left_alone_wherever_its_centre_stands(centre: int) -> None:
    star = [[q, centre] for q in range(301) if q != centre]
    assert level_order(301, star) == list(range(301))


def test_a_star_has_its_centre_in_the_middle_after_bisection() -> None:
    order = level_order(301, [[q, 300] for q in range(300)], "bisection")
    assert abs(order.index(300) - 150) <= 1


def test_an_excellent_natural_order_is_kept() -> None:
    chain = [[q, q + 1, q + 2] for q in range(98)]
    assert max(cuts(chain, list(range(100)))) == 2
    assert level_order(100, chain) == list(range(100))


def test_components_are_not_interleaved() -> None:
    thirds = [[q, q + 3] for q in range(57)]
    order = level_order(60, thirds)
    assert [q % 3 for q in order] == [0] * 20 + [1] * 20 + [2] * 20
    assert max(cuts(thirds, order)) == 1


def test_repeated_gates_count_once_and_one_qubit_gates_not_at_all() -> None:
    edges = random_edges(random.Random(2), 20, 40)
    again = [[edge[-1], *reversed(edge)] for edge in edges]
    noisy = edges + again + [[q] for q in range(20)]
    order = np.array(level_order(20, edges), dtype=np.int32)
    plain = _core.order_cost(20, *packed(edges), None, order)
    assert _core.order_cost(20, *packed(noisy), None, order) == plain
    assert _core.level_order(20, *packed(noisy), None, 0, "auto").tolist() == order.tolist()


def test_weights_decide_between_orders_with_equal_cuts() -> None:
    """All orders of a complete graph have the same cuts; the heavy pair should still come closer."""
    edges = [list(pair) for pair in itertools.combinations(range(14), 2)]
    weights = np.array([1000.0 if edge == [0, 13] else 1.0 for edge in edges])
    order = _core.level_order(14, *packed(edges), weights, 0, "auto").tolist()
    assert abs(order.index(0) - order.index(13)) < 13


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, [0, 2], [0, 3], None, "auto"), "names level 3, but there are 3 levels"),
        ((3, [0, 2], [-1, 2], None, "auto"), "names level -1"),
        ((3, [0, 1], [0, 2], None, "auto"), "end with the length of edges, 2"),
        ((3, [], [], None, "auto"), "edges_ptr must begin with 0"),
        ((3, [0, 2, 1, 3], [0, 1, 2], None, "auto"), "falls at index 2"),
        ((3, [0, 2], [0, 1], [1.0, 2.0], "auto"), "2 weights for 1 hyperedges"),
        ((3, [0, 2], [0, 1], [-1.0], "auto"), "must not be negative"),
        ((3, [0, 2], [0, 1], [math.nan], "auto"), "must not be negative"),
        ((-1, [0], [], None, "auto"), "levels is -1"),
        ((3, [0, 2], [0, 1], None, "spectral"), "unknown order method 'spectral'; use one of auto, natural"),
    ],
)
def test_malformed_input_is_named(arguments: tuple[Any, ...], message: str) -> None:
    levels, offsets, items, weights, method = arguments
    given = None if weights is None else np.array(weights)
    packed_edges = np.array(offsets, dtype=np.int32), np.array(items, dtype=np.int32)
    with pytest.raises(ValueError, match=message):
        _core.level_order(levels, *packed_edges, given, 0, method)


@pytest.mark.parametrize("order", [[0, 1], [0, 1, 1], [0, 1, 3], [-1, 0, 1]])
def test_cost_wants_a_permutation(order: list[int]) -> None:
    with pytest.raises(ValueError, match=r"no permutation of 0 \.\. 2"):
        _core.order_cost(3, *packed([[0, 1]]), None, np.array(order, dtype=np.int32))
