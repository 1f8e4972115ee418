from __future__ import annotations

from pathlib import Path

import pytest
import qiskit

from qismc.errors import UsageError
from qismc.program import Program, QuantumCircuit, load, read_program, trace


def test_what_needs_qiskit_is_loaded_when_it_is_asked_for() -> None:
    assert issubclass(QuantumCircuit, qiskit.QuantumCircuit) and callable(trace) and callable(load)


def test_everything_that_stands_for_a_program(tmp_path: Path) -> None:
    file = tmp_path / "p.qasm"
    file.write_text("OPENQASM 2.0; qreg q[1]; x q[0];")
    circuit = qiskit.QuantumCircuit(1, name="given")
    circuit.x(0)
    programs = [read_program(thing) for thing in (circuit, file, str(file))]
    assert [p.name for p in programs] == ["given", "p.qasm", "p.qasm"]
    assert all(isinstance(p, Program) and p.text(0) == "x q[0]" for p in programs)
    assert read_program(programs[0]) is programs[0]


def test_anything_else_is_refused() -> None:
    with pytest.raises(UsageError, match=r"int 7 is not a program \(give a QuantumCircuit, a function"):
        read_program(7)


def test_functions_are_called_and_traced() -> None:
    def flips() -> qiskit.QuantumCircuit:
        circuit = qiskit.QuantumCircuit(1)
        circuit.x(0)
        return circuit

    program = read_program(flips)
    assert program.name == "flips" and program.sources[0].file.endswith("test_read.py")
    with pytest.raises(UsageError, match=r"<lambda>\(\) returns int"):
        read_program(lambda: 7)
