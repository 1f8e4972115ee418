"""Moments are those of the replay, whatever of them is kept."""

from __future__ import annotations

import pytest

from qismc.evidence.moments import Moments
from qismc.evidence.path import Visit
from qismc.evidence.replay import Moment
from qismc.system.explorer import Node

NODE = Node(0, 9, 0)
VISITS = [Visit(NODE, point) for point in range(7)]
STORES = (0, 0, 1, 1, 1, 0, 0)
CHANCES = (1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 0.5)
STATES = ("first", None, None, "middle", None, None, "last")


@pytest.mark.parametrize("count", [1, 4, 7])
def test_every_moment_can_be_asked_for(count: int) -> None:
    replayed = [Moment(*facts) for facts in zip(VISITS, STORES, STATES, CHANCES, strict=True)][:count]
    moments = Moments(VISITS, iter(replayed))
    assert len(moments) == count
    assert list(moments) == replayed
    assert moments[-1] == replayed[-1]
    assert moments[1:] == replayed[1:]
    with pytest.raises(IndexError):
        moments[count]
