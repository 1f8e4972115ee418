"""States of executions, developed when somebody looks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from qismc.engines.dense import DenseEngine
from qismc.evidence.film import UNSEEN, Film
from qismc.evidence.replaying import Moment
from qismc.limits import Budget, Limits


def moments(states: list[np.ndarray | None]) -> Iterator[Moment]:
    return (Moment(None, 0, state, 1.0) for state in states)  # type: ignore[arg-type]


def test_states_are_simulated_once_and_on_demand() -> None:
    calls: list[int] = []
    plus, one = np.array([1, 1]) / np.sqrt(2), np.array([0, 1])

    def replay() -> Iterator[Moment]:
        calls.append(1)
        return moments([plus, None, one])

    film = Film(DenseEngine(1, Budget(Limits())), replay, terms=1)
    assert not calls
    assert film.picture(2) == ((("1", pytest.approx(1.0)),), 0)
    assert film.picture(1) == UNSEEN and film.picture(0)[1] == 1
    assert len(calls) == 1


def test_without_time_there_are_no_states() -> None:
    clock = iter([0.0, 0.0, *([100.0] * 9)])
    budget = Budget(Limits(seconds=1.0), clock=lambda: next(clock))
    engine = DenseEngine(1, budget)

    def replay() -> Iterator[Moment]:
        budget.spend("a test")
        return moments([np.array([1, 0])])

    assert Film(engine, replay, terms=1).picture(0) == UNSEEN


def test_the_time_for_looking_starts_when_somebody_looks() -> None:
    """The clock of the replay may have run out long before a report is printed."""
    clock = [0.0]
    budget = Budget(Limits(seconds=1.0), clock=lambda: clock[0])

    def replay() -> Iterator[Moment]:
        budget.spend("a test")
        return moments([np.array([1, 0])])

    film = Film(DenseEngine(1, budget), replay, terms=1)
    clock[0] = 1000.0
    assert film.picture(0) == ((("0", pytest.approx(1.0)),), 0)
