"""Code put together again means what the changed text means; marks stay where they belong."""

from __future__ import annotations

from qismc.program.load import read_text
from qismc.program.program import Program
from qismc.program.rewriting import Piece, inside, original, rewritten
from qismc.program.statements import Branch, Jump, Mark, Reset

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
