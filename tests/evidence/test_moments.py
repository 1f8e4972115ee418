"""Moments are those of the legs that a replay passes."""

from __future__ import annotations

import pytest

from qismc.evidence.moments import Moments
from qismc.evidence.path import Visit
from qismc.evidence.replaying import Leg, Moment
from qismc.system.explorer import Node

NODE = Node(0, 9, 0)
VISITS = [Visit(NODE, point) for point in range(7)]
LEGS = [
    Leg(0, 2, 0, "first", 1.0),
    Leg(2, 3, 1, None, 1.0),
    Leg(3, 5, 1, "middle", 0.5),
    Leg(5, 6, 0, None, 0.5),
    Leg(6, 7, 0, "last", 0.5),
]
STORES = (0, 0, 1, 1, 1, 0, 0)
CHANCES = (1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 0.5)
STATES = ("first", None, None, "middle", None, None, "last")
EXPECTED = [Moment(*facts) for facts in zip(VISITS, STORES, STATES, CHANCES, strict=True)]


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_every_moment_can_be_asked_for(count: int) -> None:
    moments = Moments(VISITS, iter(LEGS[:count]))
    expected = EXPECTED[: LEGS[count - 1].end]
    assert len(moments) == len(expected)
    assert list(moments) == expected
    assert moments[-1] == expected[-1]
    assert moments[1:] == expected[1:]
    with pytest.raises(IndexError):
        moments[len(expected)]
