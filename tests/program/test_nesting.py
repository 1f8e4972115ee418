"""Blocks in blocks."""

from __future__ import annotations

import sys

import pytest
from qiskit import QuantumCircuit

import qismc
from qismc.errors import ProgramError
from qismc.program.load import read_text
from qismc.program.nesting import room_for_nesting

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
