"""Orders of levels, and the race between them."""

from __future__ import annotations

import pytest

from qismc.errors import LimitReached
from qismc.levels import orders
from qismc.levels.frame import Levels
from qismc.levels.orders import CutOff, candidates, race
from qismc.program.operators import Base, Factor


def test_every_candidate_names_every_level_once() -> None:
    levels = Levels([None] * 4)
    for beside in (0, 0, 3, None):
        levels.fresh(beside)
    levels.bind(1, 2)
    factors = [Factor(Base("x"), (0,), ((5, 1),)), Factor(Base("x"), (3,), ((1, 0), (7, 1)))]
    found = list(candidates(levels, factors, 0, natural=False))
    assert len(found) > 1 and all(sorted(order) == list(range(8)) for order in found)
    assert list(candidates(levels, factors, 0, natural=True)) == [levels.natural_order()]
    assert levels.natural_order() == [0, 5, 4, 1, 2, 3, 6, 7]


def test_the_first_that_gets_through_wins() -> None:
    tried: list[tuple[int, int]] = []

    def attempt(order: list[int], allowed: int) -> str:
        tried.append((order[0], allowed))
        if allowed < needed[order[0]]:
            raise CutOff(order[0])
        return f"order {order[0]}"

    first = orders.FIRST_OPERATIONS
    needed = [10**30, first * 60, first * 30, 10**30]
    assert race([[0], [1], [2], [3]], attempt) == "order 2"
    assert [order for order, _ in tried] == [0, 1, 2, 3, 3, 2, 3, 2]
    assert tried[-1][1] == first * orders.PATIENCE**2


def test_nobody_gets_through() -> None:
    def attempt(_: list[int], __: int) -> str:
        raise CutOff(0)

    with pytest.raises(LimitReached, match="no order of the levels"):
        race([[0], [1]], attempt)
