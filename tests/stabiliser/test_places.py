"""sp of places as codes, against the exact engine."""

from __future__ import annotations

from random import Random

import pytest

import qismc
from qismc import Faults, Model, QuantumCircuit

from .programs import CliffordWriter


@pytest.mark.parametrize("seed", range(8))
def test_sp_has_the_same_dimension_and_holds_at_its_place(seed: int) -> None:
    circuit = CliffordWriter(Random(seed), simple=True, size=3).circuit
    specs = {"kept": "AG (end -> sp(end))", "all": "AG (end -> ~sp(end))"}
    found = qismc.check(circuit, specs, method="stabiliser")
    expected = qismc.check(circuit, specs, numbers="exact", method="graph")
    assert [r.verdict for r in found] == [r.verdict for r in expected]


def test_random_signs_join_to_a_larger_code() -> None:
    circuit = QuantumCircuit(2, 1)
    circuit.h([0, 1])
    circuit.cx(0, 1)
    circuit.measure(1, 0)
    circuit.barrier(label="m")
    circuit.z(0)
    specs = {"first": "AG (leaf -> sp(m))", "again": "AG (m -> sp(m))"}
    result = qismc.check(circuit, specs, method="stabiliser")
    assert result.engine == "stabiliser" and result["again"]
    assert Model(circuit).sp("m").dimension == 2 and not result["first"]


def test_with_faults_sp_speaks_of_the_program_without() -> None:
    circuit = QuantumCircuit(3)
    circuit.h(0)
    circuit.cx(0, [1, 2])
    circuit.barrier(label="made")
    circuit.id(0)
    specs = {"phases": "AG (leaf -> sp(made))"}
    phase = Faults(("X",), 3, where=("made",))
    result = qismc.check(circuit, specs, method="stabiliser", faults=phase)
    assert result.engine == "stabiliser" and not result
    even = qismc.check(circuit, "AG (leaf -> stab(XXX))", method="stabiliser", faults=phase)
    assert even and even.engine == "stabiliser"


def test_several_groups_are_left_to_others() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.h(0)
    circuit.barrier(label="m")
    result = qismc.check(circuit, "AG (m -> sp(m))", method="stabiliser")
    assert result and result.engine == "exact" and "joins 2 stabiliser groups" in result.notes[0]


def test_what_comes_later_does_not_matter() -> None:
    """A T gate is no Clifford gate, but it stands behind the place."""
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.barrier(label="pair")
    circuit.measure(0, 0)
    with circuit.if_test((0, 1)):
        circuit.x(1)
    circuit.t(1)
    circuit.barrier(label="later")
    circuit.h(1)
    specs = {"pair": "AG (pair -> sp(pair))", "apart": "AG (pair -> ~sp(pair))"}
    result = qismc.check(circuit, specs, method="stabiliser")
    assert result.engine == "stabiliser" and [bool(one) for one in result] == [True, False]
