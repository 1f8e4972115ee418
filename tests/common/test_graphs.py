"""Components and orders of graphs, against their definitions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from qismc.common.graphs import in_order, on_cycles, strong_components

GRAPHS = st.integers(1, 6).flatmap(
    lambda count: st.lists(st.lists(st.integers(0, count - 1), max_size=3), min_size=count, max_size=count)
)


def reached(after: list[list[int]], start: int) -> set[int]:
    """The numbers at the ends of paths of one or more edges."""
    found: set[int] = set()
    pending = list(after[start])
    while pending:
        here = pending.pop()
        if here not in found:
            found.add(here)
            pending += after[here]
    return found


@given(GRAPHS)
def test_components_are_mutually_reachable_and_the_last_ones_come_first(after: list[list[int]]) -> None:
    parts = strong_components(range(len(after)), after.__getitem__)
    place = {k: number for number, part in enumerate(parts) for k in part}
    assert sorted(place) == list(range(len(after)))
    for k in range(len(after)):
        for other in reached(after, k):
            assert place[other] <= place[k]
            assert (place[other] == place[k]) == (other == k or k in reached(after, other))


@given(GRAPHS)
def test_numbers_on_cycles_are_led_back_to(after: list[list[int]]) -> None:
    assert on_cycles(range(len(after)), after.__getitem__) == {
        k for k in range(len(after)) if k in reached(after, k)
    }


@given(GRAPHS)
def test_orders_go_forwards(after: list[list[int]]) -> None:
    forwards = [sorted({target for target in targets if target > k}) for k, targets in enumerate(after)]
    place = {k: number for number, k in enumerate(in_order(range(len(after)), forwards.__getitem__))}
    assert all(place[k] < place[target] for k, targets in enumerate(forwards) for target in targets)
