"""Statements that stand once in the text and several times in the code."""

from __future__ import annotations

from qismc.program.copies import copies_of
from qismc.program.load import read_text
from qismc.program.statements import Goto

LOOP = """OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q;
for int i in [0:2] {
  h q[0];
  x q[1]; x q[1];
}
"""


def test_turns_of_an_unrolled_loop_are_copies() -> None:
    program = read_text(LOOP, "p.qasm")
    copies = copies_of(program)
    heads = [point for point, statement in enumerate(program.code) if isinstance(statement, Goto)]
    assert len(heads) == 3 and all(copies.is_turn(point) for point in heads)
    assert list(copies.of(heads[1])) == heads
    assert list(copies.of(heads[0] + 1)) == [point + 1 for point in heads]


def test_equal_statements_at_two_places_are_no_copies() -> None:
    program = read_text(LOOP, "p.qasm")
    copies = copies_of(program)
    first, second = copies.of(2), copies.of(3)
    assert program.code[2] == program.code[3]
    assert set(first).isdisjoint(second) and len(first) == len(second) == 3


def test_a_statement_that_stands_once_is_its_own_copy() -> None:
    program = read_text('OPENQASM 2.0; include "qelib1.inc";\nqreg q[1];\nh q[0];\nx q[0];\n', "p.qasm")
    assert list(copies_of(program).of(0)) == [0]
    assert copies_of(program) is copies_of(program)
