"""Replays on tableaux; amplitudes are worked out for those who look."""

from __future__ import annotations

from typing import Any

import pytest

import qismc
from qismc import QuantumCircuit
from qismc.deciders import stabilisers as on_stabilisers
from qismc.evidence.on_tableau import NOTE
from qismc.stabiliser.replay import Replay


def parity(wrong: bool) -> QuantumCircuit:
    circuit = QuantumCircuit(3, 1)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.cx(0, 2)
    if not wrong:
        circuit.cx(1, 2)
    circuit.measure(2, 0)
    return circuit


def test_amplitudes_are_worked_out_for_those_who_look(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    follow = on_stabilisers.solve_along

    def counted(*args: object) -> object:
        asked.append(1)
        return follow(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(on_stabilisers, "solve_along", counted)
    result = qismc.check(parity(wrong=True), {"even": "AG !c"}, method="stabiliser")
    assert not result and result.engine == "stabiliser" and not asked
    execution = result.results[0].counterexample
    assert execution is not None and asked == [1]
    assert execution.replayed and execution.probability == pytest.approx(0.5)
    assert execution.steps[-1].store["c"] == 1 and execution.steps[-1].state == "|111>"
    assert qismc.check(parity(wrong=False), {"even": "AG !c"}, method="stabiliser")


def test_without_room_for_amplitudes_a_tableau_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> object:
        raise qismc.errors.LimitReached("no room")

    monkeypatch.setattr(on_stabilisers, "solve_along", refused)
    result = qismc.check(parity(wrong=True), {"even": "AG !c"}, method="stabiliser")
    execution = result.results[0].counterexample
    assert execution is not None and execution.note == NOTE and execution.replayed


def test_an_execution_that_breaks_both_formulas_serves_both(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first formula fails whatever the outcomes are, the second one for some of them."""
    replays: list[Replay] = []

    def counted(*args: Any) -> Replay:
        replays.append(Replay(*args))
        return replays[-1]

    monkeypatch.setattr(on_stabilisers, "Replay", counted)
    circuit = QuantumCircuit(2, 2)
    circuit.h([0, 1])
    circuit.measure([0, 1], [0, 1])
    specs = {"plus": "AG (leaf -> stab(X) on q[0])", "even": "AG (leaf -> (c[0] -> c[1]))"}
    result = qismc.check(circuit, specs, method="stabiliser")
    assert result.engine == "stabiliser" and len(replays) == 1
    shown = [one.counterexample for one in result]
    assert all(one is not None and one.replayed and one.steps[-1].store["c"] == 1 for one in shown)


def test_formulas_that_no_execution_breaks_together_have_their_own() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    result = qismc.check(circuit, {"zero": "AG !c", "one": "AG (leaf -> c)"}, method="stabiliser")
    shown = [one.counterexample for one in result]
    assert [one is not None and one.steps[-1].store["c"] for one in shown] == [1, 0]
