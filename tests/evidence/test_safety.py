"""Which formulas are invariants, and which execution breaks them."""

from __future__ import annotations

import pytest

import qismc
from qismc import QuantumCircuit
from qismc.evidence.safety import invariant
from qismc.language.parser import parse_formula


@pytest.mark.parametrize("text", ["AG (leaf -> |0>)", "|0>", "leaf & c == 1", "AG !(|0> | |1>)"])
def test_invariants(text: str) -> None:
    assert invariant(parse_formula(text)) is not None


@pytest.mark.parametrize("text", ["EF leaf", "AG EF leaf", "AF leaf", "AX |0>", "leaf & AG leaf"])
def test_others(text: str) -> None:
    assert invariant(parse_formula(text)) is None


def test_the_shortest_execution_is_shown(engine: str) -> None:
    """Both branches break the claim; the one without the detour is shorter."""
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 0)):
        for _ in range(5):
            circuit.h(1)
    result = qismc.check(circuit, "AG (leaf -> |01>)", numbers=engine)
    found = result.counterexample
    assert found is not None
    assert [step.outcome for step in found if step.outcome is not None] == [1]
    assert found.probability == pytest.approx(0.5)
    assert found.steps[-1].state == "|10>"


def test_a_reset_tells_what_it_found(engine: str) -> None:
    circuit = QuantumCircuit(2)
    circuit.x(0)
    circuit.reset(0)
    found = qismc.check(circuit, "AG (leaf -> |10>)", numbers=engine).counterexample
    assert found is not None
    assert [step.choice for step in found if step.choice is not None] == [1]
    assert found.steps[-1].state == "|00>"


def test_invariants_about_chances_are_broken_by_executions() -> None:
    """The shortest path measures 0 first and then 1, which no execution does."""
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.measure(1, 0)
    circuit.measure(0, 0)
    shown = qismc.check(circuit, "AG (leaf -> P>0 [F c == 0])").counterexample
    assert shown is not None and shown.replayed
    assert [step.outcome for step in shown if step.outcome is not None] == [1, 0, 1]
