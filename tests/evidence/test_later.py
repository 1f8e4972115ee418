"""What is made later is made once, and is what it would have been."""

from __future__ import annotations

import pickle

import pytest

import qismc
from qismc import Limits, QuantumCircuit
from qismc.evidence.hints.counterexample import Hinter
from qismc.evidence.later import Later, LaterList, already


def test_made_once_and_only_when_asked() -> None:
    asked: list[int] = []
    value = Later(lambda: asked.append(1) or 7)
    assert not asked
    assert value() == value() == 7
    assert asked == [1]
    assert pickle.loads(pickle.dumps(already("x")))() == "x"


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
