"""Distributions as mappings."""

from __future__ import annotations

from math import inf

import pytest

from qismc import UsageError
from qismc.probability.distribution import Outcomes


def made(table: dict[tuple[int, ...], float], registers: tuple[str, ...] = ("c",)) -> Outcomes:
    return Outcomes("p", registers, (2,) * len(registers), table, "leaf", 0.0, (), 1e-14)


def test_keys_are_numbers_for_one_register_and_tuples_for_several() -> None:
    one = made({(0,): 0.25, (3,): 0.75})
    assert dict(one) == {0: 0.25, 3: 0.75} and one[3] == 0.75 and 1 not in one and len(one) == 2
    two = made({(0, 1): 0.25, (3, 0): 0.75}, ("a", "b"))
    assert dict(two) == {(0, 1): 0.25, (3, 0): 0.75}
    assert two.marginal("b") == {0: 0.75, 1: 0.25}
    with pytest.raises(UsageError, match="no register 'x'"):
        two.marginal("x")


def test_the_likeliest_and_the_rest() -> None:
    shown, rest = made({(k,): p for k, p in enumerate([0.1, 0.4, 0.2, 0.3])}).likeliest(2)
    assert shown == [((1,), 0.4), ((3,), 0.3)] and rest == pytest.approx(0.3)


@pytest.mark.parametrize("rarest", [0.5, 0.1, 0.001])
def test_shots_are_as_few_as_possible(rarest: float) -> None:
    shots = made({(0,): rarest, (1,): 1 - rarest}).shots()
    assert 1 - (1 - rarest) ** shots >= 0.99 > 1 - (1 - rarest) ** (shots - 1)


def test_shots_at_the_ends() -> None:
    assert made({(0,): 1.0}).shots() == 1
    assert made({}).shots() == inf
    with pytest.raises(UsageError, match="confidence"):
        made({(0,): 1.0}).shots(1.0)
