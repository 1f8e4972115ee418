"""Stripped and faulty programs mean what the edited source text means."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from qismc import Model
from qismc.edits.sampling import without_final_measurements
from qismc.program import Program, load
from qismc.program.statements import Apply, Branch, Leaf, Measure

Reader = Callable[[str], Program]
HEADER = 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[2];\ncreg c[2];\n'


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    def program(body: str) -> Program:
        file = tmp_path / "p.qasm"
        file.write_text(HEADER + body, encoding="utf-8")
        return load(file)

    return program


def kinds(program: Program) -> list[type]:
    return [type(statement) for statement in program.code]


def test_final_measurements_go_and_others_stay(read: Reader) -> None:
    body = "h q[0]; measure q[0] -> c[0]; x q[1]; barrier q; measure q[0] -> c[0]; measure q[1] -> c[1];"
    assert kinds(without_final_measurements(read(body))) == [Apply, Measure, Apply, Leaf]


def test_a_program_without_final_measurements_stays(read: Reader) -> None:
    program = read("measure q[0] -> c[0]; h q[0];")
    assert without_final_measurements(program).code == tuple(program.code)


def test_a_measured_bit_that_a_condition_reads_stays(read: Reader) -> None:
    body = "h q[0]; measure q[0] -> c[0]; if (c == 1) x q[1]; measure q[1] -> c[1];"
    stripped = without_final_measurements(read(body))
    assert kinds(stripped) == [Apply, Measure, Branch, Apply, Leaf]
    assert Model(stripped).sp("leaf").dimension == 2


def test_targets_into_the_stripped_tail_become_the_end(read: Reader) -> None:
    stripped = without_final_measurements(read("x q[0]; if (c == 0) measure q[0] -> c[0];"))
    branch = stripped.code[1]
    assert isinstance(branch, Branch)
    assert (branch.then, branch.otherwise) == (2, 2)
    assert isinstance(stripped.code[2], Leaf)
    assert len(stripped.sources) == len(stripped.texts) == len(stripped.code)
