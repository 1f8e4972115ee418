"""What is made later is made once, and is what it would have been."""

from __future__ import annotations

import pickle
from copy import copy
from dataclasses import FrozenInstanceError, dataclass

import pytest

import qismc
from qismc import Limits, QuantumCircuit
from qismc.evidence.hints.counterexample import Hinter
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
