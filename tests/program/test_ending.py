"""Programs that end at a mark."""

from __future__ import annotations

from qiskit import QuantumCircuit

from qismc.program import read_program
from qismc.program.ending import ending_at
from qismc.program.program import Program
from qismc.program.statements import Leaf, Mark


def follows(program: Program, mark: str) -> list[object]:
    """The statements to which control goes from the places of a mark."""
    points = [point for point, names in program.marked.items() if mark in names]
    assert all(isinstance(program.code[point], Mark) for point in points)
    return [program.code[program.settle(point + 1)] for point in points]


def test_control_goes_to_the_end() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.barrier(label="here")
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.barrier(label="here")
        circuit.x(0)
    found = ending_at(read_program(circuit), "here")
    assert found is not None and [type(s) for s in follows(found, "here")] == [Leaf, Leaf]


def test_marks_that_stand_nowhere_else_than_at_the_end() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    program = read_program(circuit)
    assert ending_at(program, "leaf") is None and ending_at(program, "elsewhere") is None
