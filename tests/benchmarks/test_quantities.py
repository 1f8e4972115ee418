"""Known probabilities against a simulator that follows every branch, and against the checker."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, sin

import pytest

import qismc
from benchmarks import quantities
from benchmarks.case import Case

from .oracle import Simulator

CASES: list[tuple[Callable[..., Case], dict[str, int], float, str, int]] = [
    (quantities.success_beside_ghz, {"n": 3}, 0.5, "seen", 8),
    (quantities.coin_race, {}, 0.4, "c", 12),
    (quantities.coins, {"count": 2}, 0.5, "c", 1),
    (quantities.search, {"n": 3, "turns": 1}, 25 / 32, "c", 1),
    (quantities.parity_chain, {"n": 2}, (1 - cos(0.3) * cos(0.3143)) / 2, "c", 1),
    (quantities.teleported_coin, {"hops": 2}, sin(0.35) ** 2, "c", 1),
    (quantities.walk_between_walls, {"width": 2}, 2 / 3, "ends", 12),
    (quantities.walk_between_walls, {"width": 3, "turns": 4}, 0.625, "ends", 1),
]


@pytest.mark.parametrize(("make", "arguments", "value", "register", "turns"), CASES)
def test_the_bounds_are_right(
    make: Callable[..., Case], arguments: dict[str, int], value: float, register: str, turns: int
) -> None:
    assert qismc.check(make(**arguments).circuit, dict(make(**arguments).formulas))
    broken = make(**arguments, broken="bound")
    assert broken.expected == "violated"
    assert not qismc.check(broken.circuit, dict(broken.formulas))
    found = qismc.check(make(**arguments).circuit, dict(make(**arguments).formulas)).results[0].probability
    assert found is not None and float(found) == pytest.approx(value, abs=1e-9)


def test_the_walk_against_a_simulator() -> None:
    case = quantities.walk_between_walls(2)
    leaves = Simulator(case.circuit, turns=10).leaves()
    total = sum(leaf.probability for leaf in leaves)
    left = sum(leaf.probability for leaf in leaves if leaf.store[0] == 1)
    assert left <= 2 / 3 <= left + 1 - total and 1 - total < 0.01
