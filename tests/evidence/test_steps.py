"""Steps that are made when somebody looks."""

from __future__ import annotations

import pickle

import pytest

from qismc.evidence.execution import Execution, Step
from qismc.evidence.steps import LazySteps


def step(number: int) -> Step:
    return Step(f"l{number}", number, "x q[0]", None, {}, (), None)


def steps(count: int) -> tuple[LazySteps, list[int]]:
    made: list[int] = []

    def make(number: int) -> Step:
        made.append(number)
        return step(number)

    return LazySteps(count, make), made


def test_a_step_is_made_once_and_only_if_asked_for() -> None:
    lazy, made = steps(1000)
    assert len(lazy) == 1000 and lazy and not made
    assert lazy[-1].point == 999 and lazy[999] is lazy[-1] and made == [999]
    assert [one.point for one in lazy[2:6:2]] == [2, 4] and made == [999, 2, 4]
    with pytest.raises(IndexError):
        lazy[1000]


def test_they_compare_and_travel_like_a_tuple() -> None:
    lazy, _ = steps(3)
    listed = tuple(step(k) for k in range(3))
    assert lazy == listed and listed == lazy and lazy != listed[:2] and lazy != (*listed[:2], step(7))
    assert pickle.loads(pickle.dumps(lazy)) == listed
    assert repr(lazy) == repr(listed)


def test_marks_of_an_execution_make_no_step() -> None:
    lazy, made = steps(3)
    marked = Execution("path", lazy).with_hints((True, False, True), ())
    assert not made
    assert [one.relevant for one in marked] == [True, False, True]
    assert all(one.relevant for one in marked.without_hints("another claim"))
    with pytest.raises(ValueError, match="2 marks for 3 steps"):
        Execution("path", lazy).with_hints((True, False), ())
