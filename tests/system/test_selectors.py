"""Names of program points."""

from __future__ import annotations

from qismc import QuantumCircuit
from qismc.program import read_program
from qismc.system.selectors import names_of, selects


def looped() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 1)
    circuit.mark("before")
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.mark("inside")
        circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 0)):
        circuit.mark("leaving")
    return circuit


def test_each_name_means_its_points() -> None:
    program = read_program(looped())

    def texts(name: str) -> list[str]:
        return [program.text(p) for p, statement in enumerate(program.code) if selects(name, statement)]

    for mark in ("before", "inside", "leaving"):
        assert texts(mark) == [f"mark {mark}"]
    assert texts("leaf") == ["end"]
    assert texts("loop") == ["while (c[0] == 1)"]
    assert texts("nowhere") == []


def test_names_and_points_are_inverse() -> None:
    for statement in read_program(looped()).code:
        named = names_of(statement)
        for name in ("before", "inside", "leaving", "leaf", "loop"):
            assert selects(name, statement) == (name in named)
