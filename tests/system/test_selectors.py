"""Names of program points."""

from __future__ import annotations

from qismc import QuantumCircuit
from qismc.program import read_program
from qismc.system.selectors import names_of, points_of, selects


def looped() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 1)
    circuit.mark("before")
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.mark("inside")
        circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 0)):
        circuit.mark("leaving")
    circuit.mark("last")
    return circuit


def test_each_name_means_its_points() -> None:
    program = read_program(looped())

    def texts(name: str) -> list[str]:
        return [program.text(point) for point in points_of(name, program)]

    assert texts("before") == ["mark before"]  # the loop comes back to its head, but not to the mark
    assert texts("inside") == ["measure q[0] -> c[0]"]
    assert texts("leaving") == ["mark leaving"]  # what follows the if is reached without it
    assert texts("last") == texts("leaf") == ["end"]
    assert texts("loop") == ["while (c[0] == 1)"]
    assert texts("nowhere") == []


def test_names_and_points_are_inverse() -> None:
    program = read_program(looped())
    for name in ("before", "inside", "leaving", "last", "leaf", "loop"):
        points = [point for point in range(len(program.code)) if selects(name, program, point)]
        assert points == points_of(name, program)
        assert all(name in names_of(program, point) for point in points)
