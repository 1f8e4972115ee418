"""Faults of benchmarks: what they do to a program, and how they are drawn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.fault import Fault, random_fault
from qismc.program import Program, load
from qismc.program.statements import Branch

Reader = Callable[[str], Program]
HEADER = 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[2];\ncreg c[2];\n'


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    def program(body: str) -> Program:
        file = tmp_path / "p.qasm"
        file.write_text(HEADER + body, encoding="utf-8")
        return load(file)

    return program


@pytest.mark.parametrize("point", range(4))
def test_a_fault_is_the_gate_written_at_that_place(read: Reader, point: int) -> None:
    lines = ["h q[0];", "cx q[0],q[1];", "t q[1];"]
    faulty = Fault("Y", 1, point).edit.apply(read("\n".join(lines)))
    written = read("\n".join([*lines[:point], "y q[1];", *lines[point:]]))
    assert faulty.code == tuple(written.code)


def test_a_fault_behind_a_branch_is_outside_of_it(read: Reader) -> None:
    faulty = Fault("X", 1, 2).edit.apply(read("if (c == 0) x q[0]; h q[1];"))
    branch = faulty.code[0]
    assert isinstance(branch, Branch)
    assert (branch.then, branch.otherwise) == (1, 2)
    assert faulty.code[2] == read("x q[1];").code[0]


def test_a_fault_inside_a_branch_is_skipped_with_it(read: Reader) -> None:
    faulty = Fault("X", 1, 1).edit.apply(read("if (c == 1) x q[0]; h q[1];"))
    branch = faulty.code[0]
    assert isinstance(branch, Branch)
    assert (branch.then, branch.otherwise) == (1, 3)


def test_faults_depend_on_the_seed_alone(read: Reader) -> None:
    program = read("h q[0]; " * 30)
    assert random_fault(program, 1) == random_fault(program, 1)
    drawn = {random_fault(program, seed) for seed in range(60)}
    assert {fault.pauli for fault in drawn} == set("XYZ")
    assert {fault.qubit for fault in drawn} == {0, 1}
    assert all(0 <= fault.point <= 30 for fault in drawn)
