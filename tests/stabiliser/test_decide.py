"""Probabilities by counting, against the equations of the other engines."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit.circuit.classical import expr, types

import qismc
from qismc import Model, QuantumCircuit, UnsupportedError, Verdict

from .programs import CliffordWriter

PATHS = [
    "F (leaf & c == 3)", "G (c != 5)", "!c[0] U c[1]", "c[2] R !c[0]", "(c < 4) W c[1]",
    "F (leaf & m[0] & !m[2])",
]  # fmt: skip


@settings(max_examples=10)
@given(seed=st.integers(0, 10**9))
def test_same_probabilities(seed: int) -> None:
    random = Random(seed)
    circuit = CliffordWriter(random, simple=random.random() < 0.5, size=4).circuit
    asked = {f"p{k}": f"P=? [{path}]" for k, path in enumerate(PATHS)}
    try:
        expected = qismc.check(circuit, asked, numbers="exact", method="graph")
    except UnsupportedError:  # an input leaves probabilities open
        return
    found = qismc.check(circuit, asked, method="stabiliser")
    for ours, theirs in zip(found, expected, strict=True):
        if theirs.probability is not None:
            assert ours.probability is not None
            assert (
                abs(float(ours.probability) - float(theirs.probability)) <= theirs.probability.error + 1e-12
            )


def coins(count: int) -> QuantumCircuit:
    circuit = QuantumCircuit(count, count)
    circuit.h(range(count))
    circuit.measure(range(count), range(count))
    return circuit


def test_tiny_probabilities_are_exact() -> None:
    circuit = coins(100)
    bound = Fraction(1, 2**100)
    seven = "[F (leaf & c == 7)]"
    asked = {"at least": f"P>={bound} {seven}", "more": f"P>{bound} {seven}", "what": f"P=? {seven}"}
    result = qismc.check(circuit, asked)
    assert [r.verdict for r in result] == [Verdict.HOLDS, Verdict.VIOLATED, Verdict.HOLDS]
    assert result.engine == "stabiliser" and result["what"].asks
    assert (
        result["what"].probability == qismc.check(coins(100), "P=? [F (leaf & c == 9)]")["spec"].probability
    )


def test_majority_of_many_coins() -> None:
    """More than half of 15 fair coins show 1 in half of all cases: no sum of outcomes says that."""
    circuit = coins(15)
    count = circuit.add_var("n", expr.lift(0, types.Uint(4)))
    for bit in circuit.clbits:
        circuit.store(count, expr.add(count, expr.cast(expr.lift(bit), types.Uint(4))))
    result = qismc.check(circuit, {"half": "P=? [F (leaf & n > 7)]", "three": "P=? [F (leaf & n == 3)]"})
    assert float(result["half"].probability) == 0.5  # type: ignore[arg-type]
    assert float(result["three"].probability) == 455 / 2**15  # type: ignore[arg-type]


def test_too_likely_is_shown_by_an_execution() -> None:
    result = qismc.check(coins(20), "P<1/8 [F (leaf & c[0] & c[5])]")
    shown = result.counterexample
    assert not result and shown is not None and shown.replayed and shown.probability == 2.0**-20
    assert shown.steps[-1].store["c"] & 0b100001 == 0b100001 and "exactly 1/4" in shown.claim


@pytest.mark.parametrize("init", ["stab(ZZ)", None])
def test_what_is_left_open_has_no_probability(init: str | None) -> None:
    circuit = coins(2)
    if init is None:
        circuit = QuantumCircuit(2, 2)
        circuit.h(0)
        circuit.measure(0, 0)
        with circuit.while_loop((circuit.clbits[0], 1)):
            circuit.h(0)
            circuit.measure(0, 0)
    result = qismc.check(circuit, "P=? [F leaf]", init=init, method="stabiliser")
    assert result and (init is None) == (result.engine == "exact")


class WithoutLoops(CliffordWriter):
    """Conditional measurements and gates, but no loops."""

    def loop(self, depth: int, inside: bool) -> None:
        self.branch(depth, inside)

    def turns(self, depth: int, inside: bool) -> None:
        self.switch(depth, inside)


@pytest.mark.parametrize("seed", range(10))
def test_same_distributions(seed: int) -> None:
    circuit = WithoutLoops(Random(seed), simple=seed % 2 == 0, size=4).circuit
    counted = Model(circuit, method="stabiliser")
    try:
        expected = Model(circuit, numbers="exact").outcomes("c", "m")
    except UnsupportedError:
        return
    found = counted.outcomes("c", "m")
    assert found.keys() == expected.keys() and found.error == 0 and found.unfinished == 0
    assert all(abs(found[key] - expected[key]) < 1e-9 for key in found)


def test_many_qubits() -> None:
    circuit = QuantumCircuit(100, 4)
    circuit.h(0)
    circuit.cx(range(99), range(1, 100))
    circuit.measure([0, 50], [0, 1])
    circuit.h(99)
    circuit.measure(99, 2)
    found = Model(circuit).outcomes()
    assert dict(found) == {0: 0.25, 3: 0.25, 4: 0.25, 7: 0.25} and found.error == 0


def test_a_place_that_is_not_always_visited() -> None:
    circuit = QuantumCircuit(20, 2)
    circuit.h([0, 1])
    circuit.measure([0, 1], [0, 1])
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.barrier(label="here")
        circuit.x(2)
    found = Model(circuit).outcomes(at="here")
    assert dict(found) == {1: 0.25, 3: 0.25} and found.unfinished == 0.5
