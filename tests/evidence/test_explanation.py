"""Executions are replayed when somebody looks at them, unless a verdict rests on them: once, for both."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import qismc
from qismc import QuantumCircuit, Verdict
from qismc.errors import LimitReached
from qismc.evidence import replaying

EXAMPLE = Path(__file__).parents[2] / "examples" / "rus_buggy.qasm"


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """One entry for every replay."""
    found: list[None] = []
    honest = replaying.replay

    def counted(*given: Any, **options: Any) -> Any:
        found.append(None)
        return honest(*given, **options)

    monkeypatch.setattr(replaying, "replay", counted)
    return found


def test_nothing_is_replayed_before_somebody_looks(replays: list[None]) -> None:
    result = qismc.check(EXAMPLE)
    assert result.verdict is Verdict.VIOLATED and not replays
    shown = result.results[0].counterexample
    assert shown is not None and shown.replayed and len(replays) == 1
    assert result.results[0].counterexample is shown and len(replays) == 1
    assert shown.steps[-1].state is not None and shown.hints and len(replays) == 1


def test_what_is_assumed_of_angles_is_looked_at_at_once(replays: list[None]) -> None:
    circuit = QuantumCircuit(1)
    circuit.ry(1.2345678912345678, 0)
    result = qismc.check(circuit, "AG (leaf -> |0>)")
    assert result.verdict is Verdict.VIOLATED and len(replays) == 1


def test_what_travels_was_looked_at() -> None:
    result = pickle.loads(pickle.dumps(qismc.check(EXAMPLE)))
    shown = result.results[0].counterexample
    assert shown.replayed and shown == qismc.check(EXAMPLE).results[0].counterexample


@pytest.mark.parametrize(
    ("cause", "kind", "text"),
    [(LimitReached("no time"), "path", "not simulated"), (MemoryError(), "none", "out of memory")],
)
def test_a_look_may_fail(cause: BaseException, kind: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdict stands, and reports can be written."""

    def fail(*_: object, **__: object) -> None:
        raise cause

    result = qismc.check(EXAMPLE)
    monkeypatch.setattr(replaying, "replay", fail)
    shown = result.results[0].counterexample
    assert shown is not None and not shown.replayed and shown.kind == kind
    assert text in f"{shown.claim} {shown.note}" and "VIOLATED" in str(result)
    assert result.to_json()["results"][0]["verdict"] == "violated"


def test_an_interrupted_look_can_be_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    result = qismc.check(EXAMPLE)
    with monkeypatch.context() as patched:
        patched.setattr(replaying, "replay", interrupt)
        with pytest.raises(KeyboardInterrupt):
            _ = result.results[0].counterexample
    shown = result.results[0].counterexample
    assert shown is not None and shown.replayed
