"""Loops are left when nothing new comes, and not before."""

from __future__ import annotations

import pytest
from qiskit import ClassicalRegister, QuantumRegister
from qiskit.circuit.classical import expr

import qismc
from qismc import QuantumCircuit
from qismc.stabiliser import loops
from qismc.stabiliser.affine import AffineSpace


def cycle(several: bool) -> QuantumCircuit:
    """Coins decide whether two qubits go on: 01, 11, 10, 01, …"""
    circuit = QuantumCircuit(QuantumRegister(2, "q"), QuantumRegister(1, "coin"), ClassicalRegister(2, "c"))
    circuit.x(1)

    def toss() -> None:
        for k in range(2):
            circuit.reset(2)
            circuit.h(2)
            circuit.measure(2, k)

    toss()
    register = circuit.cregs[0]
    with circuit.while_loop(expr.not_equal(register, 0) if several else expr.lift(register[0])):
        circuit.cx(1, 0)
        circuit.swap(0, 1)
        toss()
    return circuit


@pytest.mark.parametrize("several", [False, True])
def test_all_turns_that_differ_are_followed(several: bool) -> None:
    specs = {state: f"AG (leaf -> ~(|{state}> on q))" for state in ("00", "01", "10", "11")}
    result = qismc.check(cycle(several), specs, engine="stabiliser")
    assert result.engine == "stabiliser"
    assert [bool(one) for one in result] == [True, False, False, False]


def test_signs_that_are_not_looked_at_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above can fail."""
    monkeypatch.setattr(loops, "covered", lambda *_: True)
    result = qismc.check(cycle(True), "AG (leaf -> ~(|10> on q))", engine="stabiliser")
    assert result and result.engine == "stabiliser"


def test_spaces_inside_of_others() -> None:
    point, line, plane = AffineSpace(1, ()), AffineSpace(1, (2,)), AffineSpace(0, (1, 2))
    assert loops.covered([point, line], [plane]) and loops.covered([], [])
    assert not loops.covered([plane], [point, line]) and not loops.covered([AffineSpace(4, ())], [plane])
