from __future__ import annotations

from pathlib import Path

import pytest
import qiskit
from qiskit import QuantumCircuit, qpy

from qismc import program
from qismc.common.source import Source
from qismc.errors import ProgramError, QismcError, UsageError
from qismc.program import Program, trace
from qismc.program.load import load, read_program

QASM2 = "OPENQASM 2.0;\n//@ spec AG true\nqreg q[1];\nh q[0];\n"
QASM3 = "// three\nOPENQASM 3.0;\nqubit q;\nh q;\n"
PYTHON = """
from qiskit import QuantumCircuit
def make():
    qc = QuantumCircuit(1)
    qc.h(0)
    return qc
circuit = make()
number = 3
def broken():
    return 1 / 0
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "two.qasm").write_text(QASM2)
    (tmp_path / "three.qasm").write_text(QASM3)
    (tmp_path / "prog.py").write_text(PYTHON)
    circuit = QuantumCircuit(1)
    circuit.h(0)
    with (tmp_path / "one.qpy").open("wb") as stream:
        qpy.dump(circuit, stream)
    return tmp_path


@pytest.mark.parametrize("name", ["two.qasm", "three.qasm", "one.qpy", "prog.py:make", "prog.py:circuit"])
def test_every_kind_of_file(folder: Path, name: str) -> None:
    program = read_program(str(folder / name))
    assert program.text(0).startswith("h q")


def test_annotations_and_lines(folder: Path) -> None:
    program = load(folder / "two.qasm")
    file = str(folder / "two.qasm")
    assert program.annotations[0].source == Source(file, 2, 1)
    assert program.lines[file][3] == "h q[0];"
    assert program.name == "two.qasm"


def test_python_circuits_have_positions(folder: Path) -> None:
    program = load(f"{folder / 'prog.py'}:make")
    assert program.sources[0] is not None
    assert program.sources[0][:2] == (str(folder / "prog.py"), 5)


def test_modules(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(folder))
    assert load("prog:make").num_statements == 1


def test_windows_line_ends_and_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "p.qasm"
    file.write_bytes(b"\xef\xbb\xbf" + QASM2.replace("\n", "\r\n").encode())
    assert load(file).sources[0] == Source(str(file), 4, 1)


def test_programs_and_circuits_are_read_as_they_are(folder: Path) -> None:
    program = load(folder / "two.qasm")
    assert read_program(program) is program
    assert read_program(QuantumCircuit(1), "name").name == "name"


ERRORS = {
    "none.qasm": "no such file: '{folder}/none.qasm'",
    "none.qpy": "no such file",
    "none.py:x": "no such file: '{folder}/none.py'",
    "prog.py": "does not say which circuit (as in {folder}/prog.py:",
    "prog.py:mak": "there is no 'mak' (did you mean 'make'?)",
    "prog.py:number": "is of type int, not a QuantumCircuit",
    "prog.py:broken": "{folder}/prog.py:10: ZeroDivisionError: division by zero",
    "bad.py:x": "{folder}/bad.py:2:5: SyntaxError",
    "raises.py:x": "{folder}/raises.py:3: NameError",
    "bad.qpy": "is not a readable QPY file",
    "bytes.qasm": "{folder}/bytes.qasm:2:3: the byte 0xff is not valid UTF-8 (save the file as UTF-8)",
    "four.qasm": "{folder}/four.qasm:2:10: OpenQASM 4 is not known (versions 2 and 3 are)",
    "": "is not a program",
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(folder: Path, name: str) -> None:
    (folder / "bad.py").write_text("\nx = = 3\n")
    (folder / "raises.py").write_text("def f():\n    pass\nundefined\n")
    (folder / "bad.qpy").write_bytes(b"QISKIT rubbish")
    (folder / "bytes.qasm").write_bytes(b"OPENQASM 2.0;\nx \xff;")
    (folder / "four.qasm").write_text("\nOPENQASM 4.0;")
    with pytest.raises(QismcError) as error:
        load(f"{folder}/{name}")
    assert ERRORS[name].format(folder=folder) in str(error.value)


def test_missing_module() -> None:
    with pytest.raises(UsageError, match="no module named 'no_such_package'"):
        load("no_such_package.module:name")


def test_several_circuits_in_one_file(tmp_path: Path) -> None:
    with (tmp_path / "two.qpy").open("wb") as stream:
        qpy.dump([QuantumCircuit(1), QuantumCircuit(1)], stream)
    with pytest.raises(ProgramError, match="holds 2 circuits"):
        load(tmp_path / "two.qpy")


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("import sys; sys.exit(0)", "SystemExit: 0"),
        ("raise ValueError('no')", "ValueError: no"),
        ("raise BaseException", "BaseException"),
        ("assert False, 'why'", "AssertionError: why"),
    ],
)
def test_what_the_users_code_raises_is_wrong_input(folder: Path, statement: str, message: str) -> None:
    (folder / "ends.py").write_text(f"from qiskit import QuantumCircuit\n\n{statement}\n")
    (folder / "later.py").write_text(f"def make():\n    {statement}\n")
    with pytest.raises(ProgramError) as error:
        load(folder / "ends.py:x")
    assert str(error.value) == f"{folder}/ends.py:3: {message}"
    with pytest.raises(ProgramError) as error:
        load(f"{folder}/later.py:make")
    assert str(error.value) == f"{folder}/later.py:2: {message}"


def test_a_file_alone_lists_its_circuits(folder: Path) -> None:
    file = folder / "many.py"
    functions = "def made(): return QuantumCircuit(1)\ndef sized(n): ...\n"
    file.write_text(f"from qiskit import QuantumCircuit\n{functions}_x = bell = QuantumCircuit(2)\n")
    with pytest.raises(UsageError, match=f"as in {file}:bell; there are bell, made"):
        load(file)


def test_several_lines_are_the_text_itself() -> None:
    assert load("OPENQASM 2.0;\nqreg q[3];\n").num_qubits == 3
    with pytest.raises(ProgramError, match="<text>:2:1"):
        load("OPENQASM 2.0;\nqerg q[3];\n")


@pytest.mark.parametrize("name", ["x" * 5000, "x" * 5000 + ".qasm", "a\x00b.qasm", "a\x00b"])
def test_names_that_no_file_can_have(name: str) -> None:
    with pytest.raises(UsageError) as error:
        load(name)
    assert len(str(error.value)) < 400


def test_the_place_is_named_for_relative_paths_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "ends.py").write_text("import sys\n\nsys.exit(0)\n")
    monkeypatch.chdir(folder)
    with pytest.raises(ProgramError) as error:
        load("ends.py:x")
    assert error.value.source is not None and error.value.source.line == 3


def test_errors_of_the_users_own_classes_may_not_print(folder: Path) -> None:
    mute = "class Mute(Exception):\n    def __str__(self):\n        raise ValueError\n\n\nraise Mute\n"
    (folder / "mute.py").write_text(mute)
    with pytest.raises(ProgramError, match=r"mute\.py:6.*Mute"):
        load(folder / "mute.py")


def test_what_needs_qiskit_is_loaded_when_it_is_asked_for() -> None:
    assert issubclass(program.QuantumCircuit, QuantumCircuit) and callable(trace)


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
    assert program.name == "flips" and program.sources[0].file.endswith("test_load.py")
    with pytest.raises(UsageError, match=r"<lambda>\(\) returns int"):
        read_program(lambda: 7)


def test_a_program_on_one_line() -> None:
    assert load("OPENQASM 3.0; qubit q; bit c; c = measure q;").num_qubits == 1
    assert load(" OPENQASM 2.0; qreg q[2];").num_qubits == 2
