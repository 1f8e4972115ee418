"""Which OpenQASM a text is."""

from __future__ import annotations

from pathlib import Path

import pytest

from qismc.errors import ProgramError
from qismc.program.load import load
from qismc.program.version import version_of


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("OPENQASM 2.0; qubit q;", 2),
        ("// OPENQASM 2.0;\n/* x */ OPENQASM /* y */ 3;", 3),
        ("\n\n OPENQASM\n 3.1;", 3),
    ],
)
def test_a_stated_version_counts(text: str, number: int) -> None:
    assert version_of(text, "p.qasm") == (number, True)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("qreg q[2]; h q[0];", 2),
        ('include "qelib1.inc"; qreg q[1]; creg c[1]; measure q -> c;', 2),
        ("gate g(lambda) a { u1(lambda) a; }\nqreg q[1]; g(1) q[0];", 2),
        ("// qubit q;\nqreg q[1];", 2),
        ("qreg q[1]; creg c[1]; if (c == 1) x q[0];", 2),
        ("qreg input_q[1]; qreg q_for[1];", 2),
        ("qubit q; h q;", 3),
        ('include "stdgates.inc"; qubit[2] q;', 3),
        ("qreg q[1]; creg c[1]; c = measure q;", 3),
        ("qreg q[1]; creg c[1]; c[0] = measure q[0];", 3),
        ("qreg q[1]; creg c[1]; if (c == 1) { x q[0]; }", 3),
        ("qreg q[2]; ctrl @ x q[0], q[1];", 3),
        ("qreg q[1]; for int i in [0:1] { x q[0]; }", 3),
        ("h $0;", 3),
        ("gate g a { U(0, 0, 0) a; }", 3),
        ("nonsense", 3),
    ],
)
def test_others_are_guessed(text: str, number: int) -> None:
    assert version_of(text, "p.qasm") == (number, False)


def test_the_name_of_the_file_may_tell() -> None:
    assert version_of("qreg q[1];", "p.qasm3") == (3, False)
    assert version_of("h q;", "p.qasm2") == (2, False)


def test_errors_tell_the_guess(tmp_path: Path) -> None:
    file = tmp_path / "p.qasm"
    guess = "no version is stated, so this was read as OpenQASM"
    for text, message in {
        "qreg q[1];\nh r[0];": f"p.qasm:2:1: unknown register 'r' ({guess} 2)",
        "qubit q;\nhh q;": f"p.qasm:2:1: unknown gate 'hh' (did you mean 'h'?; {guess} 3)",
        "OPENQASM 2.0;\nqreg q[1];\nh r[0];": "p.qasm:3:1: unknown register 'r'",
        "\nOPENQASM 4.0;": "p.qasm:2:10: OpenQASM 4 is not known (versions 2 and 3 are)",
    }.items():
        file.write_text(text)
        with pytest.raises(ProgramError) as caught:
            load(file)
        assert str(caught.value).endswith(message)


@pytest.mark.parametrize(
    "text", ["qreg q[1]; h q[0];", "qubit q; h q;", "include 'qelib1.inc'; qreg q[1]; h q;"]
)
def test_files_without_a_version_are_read(tmp_path: Path, text: str) -> None:
    file = tmp_path / "p.qasm"
    file.write_text(text)
    assert load(file).num_statements == 1
