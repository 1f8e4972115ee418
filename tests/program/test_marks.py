"""Marks name the location that they stand at, and have a place of their own only where that would lie."""

from __future__ import annotations

import pytest
from qiskit.circuit import ClassicalRegister, QuantumRegister

import qismc
from qismc import QuantumCircuit
from qismc.program import read_program
from qismc.program.classical import Const
from qismc.program.marks import attach_marks
from qismc.program.statements import Branch, Goto, Jump, Leaf, Mark, Switch


def test_targets_move_with_the_code() -> None:
    one = Const(1)
    code = [
        Mark("a"),
        Branch(one, 2, 5),
        Mark("b"),
        Goto(5),
        Jump(0),
        Mark("c"),
        Switch(one, 5, {0: 7}),
        Leaf(),
    ]
    found = attach_marks(code)  # type: ignore[arg-type]
    assert found.code == [Branch(one, 1, 3), Goto(3), Jump(0), Switch(one, 3, {0: 4}), Leaf()]
    assert found.kept == [1, 3, 4, 6, 7] and found.select("abcdefgh") == list("bdegh")
    assert found.names == {0: ("a",), 1: ("b",), 3: ("c",)}


def test_code_without_marks_is_left_alone() -> None:
    code = [Goto(1), Leaf()]
    assert attach_marks(code).code is code  # type: ignore[arg-type]


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
