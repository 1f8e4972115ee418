"""Violated bounds are explained by executions that add up."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import assume, given

import qismc
from qismc import Model, QuantumCircuit, Verdict
from qismc.deciders.graph import Judge
from qismc.evidence.difference import likely, start_column
from qismc.language.parser import parse_formula

from ..strategies import toys
from ..toy import Toy


@pytest.fixture
def coins() -> QuantumCircuit:
    """Two coins, the second one thrown until it shows the first one's face."""
    circuit = QuantumCircuit(2, 2)
    circuit.ry(2.0, 0)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.cregs[0], 1)):
        circuit.reset(1)
        circuit.h(1)
        circuit.measure(1, 1)
    return circuit


@pytest.mark.parametrize(
    ("spec", "which"),
    [
        ("P>=0.8 [F (leaf & c == 3)]", "against"),
        ("P<=0.5 [F (leaf & c == 3)]", "in favour of"),
        ("P>0.8 [G !(leaf & c == 0)]", "against"),
        ("P<0.1 [G !(leaf & c == 0)]", "in favour of"),
        ("!P>=0.5 [F (leaf & c == 3)]", "in favour of"),
        ("P>=0.1 [F (leaf & c == 3)] & P<=0.5 [F (leaf & c == 3)]", "in favour of"),
        ("P>=0.9 [F (leaf & c == 3)] | P<=0.5 [F (leaf & c == 3)]", "against"),
    ],
)
def test_the_executions_shown_make_up_the_difference(coins: QuantumCircuit, spec: str, which: str) -> None:
    result = qismc.check(coins, spec).results[0]
    shown = result.counterexample
    assert result.verdict is Verdict.VIOLATED and shown is not None and result.probability is not None
    assert (f"{which} it" in shown.claim and "0.708" in shown.claim) or "0.291" in shown.claim
    executions = [shown, *shown.further]
    weights = [e.probability for e in executions]
    assert all(e.replayed and w for e, w in zip(executions, weights, strict=True))
    assert weights == sorted(weights, reverse=True)  # type: ignore[type-var]
    low = which == "against"
    total = 1 - result.probability.low if low else result.probability.high
    assert 0.9 * total <= sum(w for w in weights if w) <= total + 1e-9


def test_which_executions(coins: QuantumCircuit) -> None:
    """Those against `F (leaf & c == 3)` end with c = 0; those in favour with c = 3."""
    for spec, end in (("P>=0.8 [F (leaf & c == 3)]", 0), ("P<=0.5 [F (leaf & c == 3)]", 3)):
        shown = qismc.check(coins, spec).counterexample
        assert shown is not None
        assert all(dict(e.steps[-1].store)["c"] == end for e in [shown, *shown.further])


def test_several_start_states_the_worst_is_shown() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    shown = qismc.check(circuit, "P<=0.9 [F c == 1]", init="full").counterexample
    assert shown is not None and shown.steps[0].state == "sqrt(1/2)|0> - sqrt(1/2)|1>"
    assert shown.probability == pytest.approx(1)


def test_a_bound_that_the_start_decides() -> None:
    circuit = QuantumCircuit(1)
    circuit.x(0)
    shown = qismc.check(circuit, "P<=0.5 [F init]").counterexample
    assert shown is not None and shown.kind == "none" and "the probability is exactly 1" in shown.claim


def found(circuit: QuantumCircuit, path: str, *, reaching: bool) -> list[float]:
    formula = parse_formula(f"P=? [{path}]")
    model = Model(circuit).asking([formula])
    judge = Judge(model, model.solved(model.observed([formula])))
    until, negated = judge._chances.path(formula)  # type: ignore[arg-type]
    assert not negated
    start = start_column(until, reaching=reaching)
    return [probability for probability, _ in islice(likely(until, start, reaching=reaching), 400)]


@given(toy=toys(most=2, size=4))
def test_executions_come_in_order_and_make_up_the_probability(toy: Toy) -> None:
    circuit = toy.circuit()
    answer = qismc.check(circuit, "P=? [F (leaf & c == 1)]").results[0].probability
    assert answer is not None
    assume(0 < answer.low < 1)
    for reaching, total in ((True, answer.low), (False, 1 - answer.low)):
        weights = found(circuit, "F (leaf & c == 1)", reaching=reaching)
        assert weights == sorted(weights, reverse=True)
        assert sum(weights) <= total + 1e-9
        if len(weights) < 400:
            assert sum(weights) == pytest.approx(total, abs=1e-4)


def test_a_fair_loop() -> None:
    circuit = QuantumCircuit(1, 1)
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.h(0)
        circuit.measure(0, 0)
    weights = found(circuit, "F leaf", reaching=True)
    assert weights[:4] == pytest.approx([1 / 2, 1 / 4, 1 / 8, 1 / 16])


def test_states_that_never_leave_a_loop_are_executions_that_never_reach_the_end() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.ry(1.0, 0)
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.measure(0, 0)
    (weight,) = found(circuit, "F leaf", reaching=False)
    answer = qismc.check(circuit, "P=? [F leaf]").results[0].probability
    assert answer is not None and weight == pytest.approx(1 - answer.low)
