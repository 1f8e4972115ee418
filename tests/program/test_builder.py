from __future__ import annotations

import sys

import pytest
from qiskit import QuantumCircuit

import qismc
from qismc.common.source import Source
from qismc.errors import ProgramError
from qismc.program.builder import Builder, room_for_nesting
from qismc.program.classical import Binary, Const, Read
from qismc.program.load import read_text
from qismc.program.program import Program
from qismc.program.statements import Branch, Goto, Jump, Leaf, Mark, Switch

ONE = Read((0,))
HERE = Source("f", 3, 1)


def finish(builder: Builder) -> Program:
    return builder.finish("p", ["q"], {})


def test_branches() -> None:
    builder = Builder()
    builder.branch(ONE, lambda: builder.mark("a"), lambda: builder.mark("b"))
    code = finish(builder).code
    assert code == [Branch(ONE, 1, 3), Mark("a"), Jump(4), Mark("b"), Leaf()]


def test_loops_resolve_break_and_continue() -> None:
    builder = Builder()

    def body() -> None:
        builder.branch(ONE, builder.break_loop, builder.continue_loop)

    builder.loop(ONE, body)
    code = finish(builder).code
    assert code[0] == Branch(ONE, 1, 6, loop=True)
    assert code[2] == Goto(6) and code[4] == Goto(0) and code[5] == Jump(0)


def test_unrolled_loops() -> None:
    builder = Builder()
    builder.unroll([("one", builder.continue_loop), ("two", builder.break_loop), ("three", lambda: None)])
    program = finish(builder)
    assert program.code[:5] == [Goto(1, loop=True), Goto(2), Goto(3, loop=True), Goto(5), Goto(5, loop=True)]
    assert [program.text(k) for k in range(5)] == ["one", "continue", "two", "break", "three"]


def test_switches() -> None:
    builder = Builder()
    builder.switch(Read((0, 1)), [([1, 2], lambda: builder.mark("a")), ([None], lambda: builder.mark("b"))])
    code = finish(builder).code
    assert code[0] == Switch(Read((0, 1)), 3, {1: 1, 2: 1})
    assert code[2] == code[4] == Jump(5)


def test_a_switch_without_default_falls_out() -> None:
    builder = Builder()
    builder.switch(ONE, [([0], lambda: builder.mark("a"))])
    assert finish(builder).code[0] == Switch(ONE, 3, {0: 1})


def test_end_leads_to_the_leaf() -> None:
    builder = Builder()
    builder.end_program()
    builder.mark("dead")
    assert finish(builder).code == [Goto(2), Mark("dead"), Leaf()]


@pytest.mark.parametrize("word", ["break", "continue"])
def test_stray_jumps(word: str) -> None:
    with pytest.raises(ProgramError, match=f"f:3:1: '{word}' outside of a loop"):
        getattr(Builder(), f"{word}_loop")(HERE)


def test_the_number_of_statements_is_limited() -> None:
    builder = Builder(max_statements=10)
    with pytest.raises(ProgramError, match=r"f:3:1: .* more than 10 statements .*while loop"):
        builder.unroll(((str(k), lambda: None) for k in range(100)), HERE)


def test_a_program_needs_qubits() -> None:
    with pytest.raises(ProgramError, match="f:3:1: the program has no qubits"):
        Builder().finish("p", [], {}, (), HERE)


def test_names_that_are_taken_get_numbers() -> None:
    builder = Builder()
    first, second = builder.declare("a", 2), builder.declare("a", 1)
    assert (first.name, second.name, second.bits) == ("a", "a_2", (2,))


def test_conditions_that_never_hold() -> None:
    builder = Builder()
    builder.declare("c", 2)
    builder.branch(Binary("==", Read((0, 1)), Const(4)), lambda: None, None, HERE)
    builder.loop(Binary("==", Read((0, 1)), Const(3)), lambda: None, HERE)
    builder.switch(Read((0, 1)), [([9], lambda: None)])
    assert builder.warnings == [
        "f:3:1: 'c == 4' is never true: c has 2 bits",
        "'c == 9' is never true: c has 2 bits",
    ]


DEPTH = 200


def nested(depth: int) -> QuantumCircuit:
    """x inside of many ifs that are all taken, after x and a measurement."""
    body = QuantumCircuit(1, 1)
    body.x(0)
    for _ in range(depth):
        outer = QuantumCircuit(1, 1)
        outer.if_test((outer.clbits[0], 1), body, [0], [0])
        body = outer
    circuit = QuantumCircuit(1, 1)
    circuit.x(0)
    circuit.measure(0, 0)
    circuit.if_test((circuit.clbits[0], 1), body, [0], [0])
    return circuit


def test_hundreds_of_blocks_in_each_other() -> None:
    assert qismc.check(nested(DEPTH), "AG (leaf -> |0>)")
    assert sys.getrecursionlimit() < 10_000


@pytest.mark.parametrize(
    "line", ["", "def f() {}\n", "int[8] n = 0; n = n + 1;\n"], ids=["plain", "def", "int"]
)
def test_hundreds_of_blocks_in_a_file(line: str) -> None:
    """With the quick parser and with the whole one."""
    head = f"OPENQASM 3.0;\nqubit q;\nbit c;\n{line}U(pi, 0, pi) q;\nc = measure q;\n"
    text = head + "if (c) {" * DEPTH + "U(pi, 0, pi) q;" + "}" * DEPTH
    assert qismc.check(read_text(text, "p.qasm"), "AG (leaf -> |0>)")


def test_what_is_too_deep_is_refused() -> None:
    def deeper(k: int) -> int:
        return deeper(k + 1)

    with pytest.raises(ProgramError, match="nested too deeply"), room_for_nesting():
        deeper(0)
