"""What is made later is made once, and is what it would have been."""

from __future__ import annotations

import pickle
from copy import copy
from dataclasses import FrozenInstanceError, dataclass

import pytest

import qismc
from qismc import Limits, QuantumCircuit
from qismc.evidence.execution import Execution, Step
from qismc.evidence.hints import Hinter
from qismc.evidence.later import Late, Later, LaterList, already


def test_made_once_and_only_when_asked() -> None:
    asked: list[int] = []
    value = Later(lambda: asked.append(1) or 7)
    assert not asked
    assert value() == value() == 7
    assert asked == [1]
    assert pickle.loads(pickle.dumps(already("x")))() == "x"


@dataclass(frozen=True)
class Holder:
    shown: Late[str] = Late()  # noqa: RUF009 - a descriptor, not a value


def test_fields_are_made_when_somebody_reads_them() -> None:
    asked: list[int] = []
    holder = Holder(Later(lambda: asked.append(1) or "seen"))
    other = copy(holder)
    assert not asked
    assert holder.shown == other.shown == "seen" and asked == [1]
    assert Holder().shown is None and Holder("plain").shown == "plain"
    assert holder == Holder("seen") != Holder()
    assert pickle.loads(pickle.dumps(holder)).shown == "seen"
    with pytest.raises(FrozenInstanceError):
        holder.shown = "changed"  # type: ignore[misc]


def test_a_list_that_looks_like_a_tuple() -> None:
    made = LaterList(lambda: [1, 2, 3])
    assert made == (1, 2, 3) == made
    assert (*made,) == (1, 2, 3) and made[0] == 1 and made[1:] == (2, 3) and len(made) == 3
    assert hash(made) == hash((1, 2, 3)) and repr(made) == "(1, 2, 3)"
    assert pickle.loads(pickle.dumps(made)) == (1, 2, 3)
    assert not LaterList[int](list)


def test_hints_cost_nothing_before_somebody_reads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even long after the time limit of the check."""
    asked: list[int] = []
    explain = Hinter.explain

    def counted(*given: object) -> object:
        asked.append(1)
        return explain(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(Hinter, "explain", counted)
    bell = QuantumCircuit(2)
    bell.h(0)
    bell.cx(0, 1)
    result = qismc.check(bell, "AG (leaf -> |0> on q[1])", limits=Limits(seconds=60))
    execution = result["spec"].counterexample
    assert execution is not None and execution.replayed and not asked
    assert execution.hints and [step.relevant for step in execution]
    assert asked == [1]


def step(number: int) -> Step:
    return Step(f"l{number}", number, "x q[0]", None, {}, (), None)


def steps(count: int) -> tuple[LaterList[Step], list[int]]:
    made: list[int] = []

    def make(number: int) -> Step:
        made.append(number)
        return step(number)

    return LaterList.each(count, make), made


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
