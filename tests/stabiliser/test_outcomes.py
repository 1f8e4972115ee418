"""Distributions by counting, against those of the equations."""

from __future__ import annotations

from random import Random

import pytest

from qismc import Model, QuantumCircuit, UnsupportedError

from .programs import CliffordWriter


class WithoutLoops(CliffordWriter):
    """Conditional measurements and gates, but no loops."""

    def loop(self, depth: int, inside: bool) -> None:
        self.branch(depth, inside)

    def turns(self, depth: int, inside: bool) -> None:
        self.switch(depth, inside)


@pytest.mark.parametrize("seed", range(10))
def test_same_distributions(seed: int) -> None:
    circuit = WithoutLoops(Random(seed), simple=seed % 2 == 0, size=4).circuit
    counted = Model(circuit, engine="stabiliser")
    try:
        expected = Model(circuit, engine="exact").outcomes("c", "m")
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
