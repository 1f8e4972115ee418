"""The likeliest executions against all executions, enumerated by density matrices."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import assume, given

import qismc
from qismc import Model, QuantumCircuit
from qismc.deciders.graph import Judge
from qismc.evidence.probable_paths import likely, start_column
from qismc.language.parser import parse_formula

from ..strategies import toys
from ..toy import Toy


def found(circuit: QuantumCircuit, path: str, *, reaching: bool) -> list[float]:
    model = Model(circuit)
    formula = parse_formula(f"P=? [{path}]")
    judge = Judge(model, model.solved(model.observe([formula])))
    until, negated = judge._chances.path(formula)  # type: ignore[arg-type]
    assert not negated
    start = start_column(until, reaching=reaching)
    return [item.probability for item in islice(likely(until, start, reaching=reaching), 400)]


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
