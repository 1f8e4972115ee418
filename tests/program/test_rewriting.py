"""Code put together again means what the changed text means; marks stay where they belong."""

from __future__ import annotations

import pytest
from qiskit.circuit import ClassicalRegister, QuantumRegister

import qismc
from qismc import QuantumCircuit
from qismc.program import read_program
from qismc.program.classical import Const
from qismc.program.load import read_text
from qismc.program.program import Program
from qismc.program.rewriting import (
    Piece,
    attach_marks,
    ending_at,
    final_measurements,
    inside,
    measured_at_the_end,
    original,
    reading_only,
    rewritten,
)
from qismc.program.statements import Branch, Goto, Jump, Leaf, Mark, Measure, Reset, Statement, Switch

HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[2] q;\nbit[1] c;\n'


def read(body: str) -> Program:
    return read_text(HEAD + body, "p.qasm")


def same(left: Program, right: Program) -> bool:
    return list(left.code) == list(right.code) and dict(left.marked) == dict(right.marked)


BODY = "h q[0];\n//@ mark here\nx q[1];\nif (c[0]) {\n//@ mark inner\nx q[0];\n}\nz q[0];\n"


def test_nothing_changed_changes_nothing() -> None:
    program = read(BODY)
    assert same(rewritten(program, {}), program)
    assert same(rewritten(program, {0: [original(program, 0)]}), program)


def test_pieces_before_a_marked_statement_get_its_mark() -> None:
    program = read(BODY)
    edited = rewritten(program, {1: [Piece(Reset(0)), original(program, 1)]})
    assert same(edited, read(BODY.replace("x q[1];", "reset q[0];\nx q[1];")))
    assert edited.marked[1] == ("here",)


def test_the_mark_of_a_removed_statement_names_what_follows() -> None:
    assert same(rewritten(read(BODY), {1: []}), read(BODY.replace("x q[1];\n", "")))


def test_where_control_joins_a_mark_keeps_a_place_of_its_own() -> None:
    edited = rewritten(read(BODY), {3: []})
    assert same(edited, read(BODY.replace("x q[0];\n}", "}")))
    assert isinstance(edited.code[3], Mark)


def test_ways_back_to_a_loop_leave_out_what_stands_before_it() -> None:
    body = "c[0] = measure q[0];\nwhile (c[0]) {\nc[0] = measure q[0];\n}\n"
    program = read(body)
    edited = rewritten(program, {1: [Piece(Reset(1)), original(program, 1)]}, {1: 1})
    assert same(edited, read(body.replace("while", "reset q[1];\nwhile")))
    every_turn = rewritten(program, {1: [Piece(Reset(1)), original(program, 1)]})
    assert every_turn.code[4] == Jump(1)


def test_targets_inside_a_list_of_pieces() -> None:
    program = read("h q[0];\n")
    branch = Branch(read(BODY).code[2].condition, inside(1), inside(2))  # type: ignore[union-attr]
    edited = rewritten(program, {0: [Piece(branch), Piece(Reset(0)), original(program, 0)]})
    assert same(edited, read("if (c[0]) { reset q[0]; }\nh q[0];\n"))
    assert edited.code[0].targets == (1, 2)


def test_targets_move_with_the_code() -> None:
    one = Const(1)
    code: list[Statement] = [
        Mark("a"),
        Branch(one, 2, 5),
        Mark("b"),
        Goto(5),
        Jump(0),
        Mark("c"),
        Switch(one, 5, {0: 7}),
        Leaf(),
    ]
    letters = list("abcdefgh")
    found = attach_marks(Program("p", ("q",), {}, {}, 0, code, [None] * 8, letters))
    assert found.code == (Branch(one, 1, 3), Goto(3), Jump(0), Switch(one, 3, {0: 4}), Leaf())
    assert found.texts == tuple("bdegh")
    assert found.marked == {0: ("a",), 1: ("b",), 3: ("c",)}


def test_several_marks_at_one_place_name_one_location() -> None:
    circuit = QuantumCircuit(1)
    circuit.mark("a")
    circuit.mark("b")
    circuit.h(0)
    program = read_program(circuit)
    assert program.marked == {0: ("a", "b")} and len(program.code) == 2


def test_the_next_gate_is_the_next_step() -> None:
    """AX speaks of what the gate after the mark does."""
    circuit = QuantumCircuit(1)
    circuit.mark("here")
    circuit.x(0)
    circuit.h(0)
    specs = {"now": "AG (here -> |0>)", "next": "AG (here -> AX |1>)", "start": "here & init"}
    assert qismc.check(circuit, specs)
    assert not qismc.check(circuit, "AG (here -> AX AF sp(here))")
    assert qismc.Model(circuit).system.num_locations == 3


@pytest.mark.parametrize("otherwise", [False, True])
def test_a_mark_in_a_branch_does_not_name_the_other_one(otherwise: bool) -> None:
    qubits, bits = QuantumRegister(1, "q"), ClassicalRegister(1, "c")
    circuit = QuantumCircuit(qubits, bits)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((bits, 1)) as other:
        circuit.mark("taken")
    if otherwise:
        with other:
            circuit.x(0)
    circuit.h(0)
    assert qismc.check(
        circuit, {"only": "AG (taken -> c == 1)", "some": "EF taken", "skip": "E[!taken U leaf]"}
    )


def test_a_mark_before_a_loop_is_passed_once() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.mark("before")
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.h(0)
        circuit.measure(0, 0)
    assert qismc.check(circuit, {"once": "AG (before -> AX AG !before)", "loop": "EF (loop & EX EF loop)"})


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
