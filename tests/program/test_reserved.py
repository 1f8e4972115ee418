"""Names that no mark can have."""

from __future__ import annotations

from pathlib import Path

import pytest
import qiskit

import qismc
from qismc.errors import ProgramError
from qismc.program import read_program
from qismc.program.reserved import BUILT_IN, LOCATION, is_reserved


@pytest.mark.parametrize(("text", "number"), [("l0", 0), ("@17", 17), ("l007", 7)])
def test_locations(text: str, number: int) -> None:
    match = LOCATION.match(text)
    assert match is not None and int(match[1]) == number


@pytest.mark.parametrize("text", ["l", "leaf", "l1x", "xl1", "@", "l-1", "l1\n", "L1"])
def test_other_words_are_no_locations(text: str) -> None:
    assert LOCATION.match(text) is None


RESERVED = [*BUILT_IN, "l7", "@7"]


@pytest.mark.parametrize("name", RESERVED)
def test_marks_with_reserved_names_are_refused(name: str) -> None:
    circuit = qismc.QuantumCircuit(1)
    circuit.mark(name)
    with pytest.raises(ProgramError, match=f"a mark cannot be called '{name}'") as caught:
        read_program(circuit)
    assert caught.value.source is not None and caught.value.source.file == __file__


@pytest.mark.parametrize("name", RESERVED)
def test_labelled_barriers_with_reserved_names_are_refused(name: str) -> None:
    circuit = qiskit.QuantumCircuit(1)
    circuit.barrier(label=name)
    with pytest.raises(ProgramError, match=f"a mark cannot be called '{name}'"):
        read_program(circuit)


@pytest.mark.parametrize("version", ["OPENQASM 2.0;\nqreg q[1];", "OPENQASM 3.0;\nqubit[1] q;"])
@pytest.mark.parametrize("name", [name for name in RESERVED if name != "@7"])
def test_mark_lines_with_reserved_names_are_refused(tmp_path: Path, version: str, name: str) -> None:
    file = tmp_path / "a.qasm"
    file.write_text(f"{version}\nU(0,0,0) q[0]; //@ mark {name}\n")
    with pytest.raises(ProgramError, match=rf"a\.qasm:3:16: a mark cannot be called '{name}'"):
        read_program(file)


def test_a_reserved_mark_in_a_loop_without_turns_is_refused() -> None:
    circuit = qismc.QuantumCircuit(1)
    with circuit.for_loop(range(0)):
        circuit.mark("leaf")
    with pytest.raises(ProgramError, match="a mark cannot be called 'leaf'"):
        read_program(circuit)


@pytest.mark.parametrize("name", ["leaf2", "l", "lx", "l1_", "Leaf", "end"])
def test_other_names_are_free(name: str) -> None:
    assert not is_reserved(name)
    circuit = qismc.QuantumCircuit(1)
    circuit.mark(name)
    assert read_program(circuit).marks == {name}
