"""Which measurements are at the end, and what is left without them."""

from __future__ import annotations

from qiskit import QuantumCircuit

from qismc.program import read_program
from qismc.program.ends import ending_at, final_measurements, measured_at_the_end, reading_only
from qismc.program.program import Program
from qismc.program.statements import Leaf, Mark, Measure


def test_a_run_at_the_end() -> None:
    circuit = QuantumCircuit(3, 3)
    circuit.measure(2, 0)
    circuit.h(0)
    circuit.measure([0, 1, 2], [2, 1, 1])
    final = final_measurements(read_program(circuit))
    assert final is not None and final.qubit_of == {2: 0, 1: 2}  # what is overwritten tells nothing
    assert [type(s) for s in final.before.code].count(Measure) == 1
    assert isinstance(final.before.code[-1], Leaf) and final.before.store_width == 3


def test_nothing_is_measured_at_the_end() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    circuit.h(0)
    assert final_measurements(read_program(circuit)) is None


def test_measurements_under_a_condition_stay() -> None:
    """Control joins behind them."""
    circuit = QuantumCircuit(2, 3)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.measure(0, 1)
    assert final_measurements(read_program(circuit)) is None
    circuit.measure(1, 2)
    final = final_measurements(read_program(circuit))
    assert final is not None and final.qubit_of == {2: 1}
    assert [type(s) for s in final.before.code].count(Measure) == 2


def test_a_loop_that_ends_at_the_end() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.h(0)
        circuit.measure(0, 0)
    assert final_measurements(read_program(circuit)) is None


def test_marks_inside_stay() -> None:
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.barrier(label="before")
    circuit.measure(0, 0)
    assert final_measurements(read_program(circuit)) is not None
    circuit.barrier(label="inside")
    circuit.measure(1, 1)
    assert final_measurements(read_program(circuit)) is None


def test_measurements_whose_bits_are_not_observed_go() -> None:
    circuit = QuantumCircuit(3, 3)
    circuit.measure(2, 0)
    circuit.h(0)
    circuit.measure([0, 1, 2, 1], [2, 1, 1, 0])
    program = read_program(circuit)
    found = reading_only(program, 0b010)
    assert found is not None
    assert [(s.qubit, s.bit) for s in found.code if isinstance(s, Measure)] == [(2, 0), (2, 1)]
    assert reading_only(final_measurements(program).before, 0) is None  # type: ignore[union-attr]
    assert measured_at_the_end(program) == {0, 1, 2}


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
