"""Excerpts of the files that a program came from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from qismc import QuantumCircuit
from qismc.common.source import Source
from qismc.demo import repeat_until_success
from qismc.program import read_program
from qismc.report.html_program import acts, file_numbers, source_files


def test_the_excerpt_holds_the_statements_lines() -> None:
    program = read_program(repeat_until_success(reset_ancilla=True))
    (file,) = source_files(program)
    assert file["name"] == "demo.py"
    sources = [s for s in program.sources if s is not None]
    written = Path(sources[0].file).read_text(encoding="utf-8").splitlines()
    for source in sources:
        assert file["lines"][source.line - file["first"]] == written[source.line - 1]


def test_a_file_that_is_gone_has_no_lines() -> None:
    program = read_program(repeat_until_success(reset_ancilla=True))
    lost = replace(program, sources=[Source("/gone/a.py", 3), Source("/gone/b.py", 9), None])
    assert [(f["name"], f["lines"]) for f in source_files(lost)] == [("a.py", []), ("b.py", [])]
    assert file_numbers(lost) == {"/gone/a.py": 0, "/gone/b.py": 1}


def test_lines_that_the_program_brings_are_preferred() -> None:
    program = read_program(repeat_until_success(reset_ancilla=True))
    own = replace(program, sources=[Source("x.qasm", 2)], lines={"x.qasm": ["one", "two", "three"]})
    assert source_files(own) == [{"name": "x.qasm", "first": 1, "lines": ["one", "two", "three"]}]


def test_gates_measurements_and_resets() -> None:
    circuit = QuantumCircuit(3, 1)
    circuit.h(2)
    circuit.cx(2, 0)
    circuit.ccx(0, 1, 2, ctrl_state="01")
    circuit.reset(1)
    circuit.measure(0, 0)
    with circuit.if_test((0, 1)):
        circuit.swap(0, 1)
    program = read_program(circuit)
    found = [acts(statement) for statement in program.code]
    assert found[0] == {"name": "h", "targets": [2], "controls": []}
    assert found[1] == {"name": "x", "targets": [0], "controls": [[2, 1]]}
    assert found[2] is not None and sorted(found[2]["controls"]) == [[0, 1], [1, 0]]
    assert found[3] == {"name": "|0>", "targets": [1], "controls": []}
    assert found[4] == {"name": "M", "targets": [0], "controls": []}
    assert found[5] is None
    assert found[6] is not None and sorted(found[6]["targets"]) == [0, 1]
