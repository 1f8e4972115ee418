"""Orders of levels, and the race between them."""

from __future__ import annotations

import pytest

from qismc.errors import LimitReached
from qismc.levels import orders
from qismc.levels.orders import candidates, race
from qismc.levels.writer import Levels
from qismc.program.gates import Base
from qismc.program.operators import Factor


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

    def attempt(order: list[int], allowed: int) -> str | int:
        tried.append((order[0], allowed))
        if allowed < needed[order[0]]:
            return order[0]
        return f"order {order[0]}"

    first = orders.FIRST_OPERATIONS
    needed = [10**30, first * 60, first * 30, 10**30]
    assert race([[0], [1], [2], [3]], attempt) == "order 2"
    assert [order for order, _ in tried] == [0, 1, 2, 3, 3, 2, 3, 2]
    assert tried[-1][1] == first * orders.PATIENCE**2


def test_nobody_gets_through() -> None:
    def attempt(_: list[int], __: int) -> int:
        return 0

    with pytest.raises(LimitReached, match="no order of the levels"):
        race([[0], [1]], attempt)


def test_something_else_has_its_turn_before_long_rounds() -> None:
    happened: list[str] = []

    def attempt(_: list[int], __: int) -> int:
        happened.append("try")
        return 0

    def meanwhile() -> None:
        happened.append("else")
        if happened.count("else") == 2:
            raise KeyError("found")

    with pytest.raises(KeyError, match="found"):
        race([[0]], attempt, meanwhile)
    assert happened == ["try"] * orders.QUICK_ROUNDS + ["else", "try", "else"]


def test_outcomes_stand_beside_what_lasts() -> None:
    """A ring of 8 qubits, numbered at random, whose neighbours are compared by one qubit that is measured.

    Cut in two anywhere, the line of all levels separates two of the comparisons, or one more whose helper
    comes next. The order of the numbers separates five.
    """
    ring = [3, 6, 0, 7, 2, 5, 1, 4]
    levels = Levels([None] * 9)
    helper, compared = 8, []
    for left, right in zip(ring, [*ring[1:], ring[0]], strict=True):
        levels.classical.add(helper)
        levels.bind(helper, left)
        levels.bind(helper, right)
        compared.append({helper, left, right})
        helper = levels.fresh(helper)
    order = next(candidates(levels, [], 0, natural=False))
    assert sorted(order) == list(range(levels.count))

    def separated(cut: int, order: list[int]) -> int:
        return sum(bool(each & {*order[:cut]}) and not each <= {*order[:cut]} for each in compared)

    cuts = range(1, levels.count)
    assert max(separated(cut, order) for cut in cuts) <= 3
    assert max(separated(cut, levels.natural_order()) for cut in cuts) >= 5
