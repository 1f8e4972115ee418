"""`qismc equivalent`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from qismc.cli import main

HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n'
SWAPS = HEAD + "qubit[2] q; swap q[0], q[1];\n"
THREE = HEAD + "qubit[2] q; cx q[0], q[1]; cx q[1], q[0]; cx q[0], q[1];\n"
TWO = HEAD + "qubit[2] q; cx q[0], q[1]; cx q[1], q[0];\n"
WIRE = HEAD + "qubit[1] q;\n"
HANDED = HEAD + "qubit[1] from; qubit[1] onto; bit c; swap from[0], onto[0]; c = measure from[0];\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    texts = {"swaps": SWAPS, "three": THREE, "two": TWO, "wire": WIRE, "handed": HANDED}
    for name, text in texts.items():
        (tmp_path / f"{name}.qasm").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["equivalent", *arguments])


@pytest.mark.usefixtures("folder")
def test_equivalent_or_not() -> None:
    same = run("three.qasm", "swaps.qasm")
    assert same.exit_code == 0 and "HOLDS  same" in same.stdout
    other = run("two.qasm", "swaps.qasm", "--json")
    report = json.loads(other.stdout)
    assert other.exit_code == 1 and "differs from swaps.qasm on the input |" in report["notes"][0]
    assert report["results"][0]["counterexample"]["replayed"]
    assert run("two.qasm", "swaps.qasm", "--quiet").stdout == ""


def test_on_and_to(folder: Path) -> None:
    assert run("handed.qasm", "wire.qasm", "--on", "from", "--to", "onto").exit_code == 0
    assert run("handed.qasm", "wire.qasm", "--on", "from", "--html", "page.html").exit_code == 1
    assert "<html" in (folder / "page.html").read_text()
    wrong = run("handed.qasm", "wire.qasm")
    assert wrong.exit_code == 2 and "say with on=" in wrong.stderr


def test_registers_and_no_input(folder: Path) -> None:
    for name, register in (("c", "c"), ("d", "d"), ("two", "c; bit d")):
        target = register.split()[-1].strip(";")
        text = f"{HEAD}qubit[1] q; bit {register}; h q[0]; {target} = measure q[0];\n"
        (folder / f"bits_{name}.qasm").write_text(text)
    assert run("bits_c.qasm", "bits_d.qasm").exit_code == 0
    assert run("bits_c.qasm", "bits_d.qasm", "--bits", "c=d", "--on", "", "--to", "").exit_code == 0
    assert run("bits_two.qasm", "bits_d.qasm", "--bits", "c=d").exit_code == 1
    wrong = run("bits_c.qasm", "bits_d.qasm", "--bits", "c=e")
    assert wrong.exit_code == 2 and "bits names 'e', which the reference does not have" in wrong.stderr
    assert run("bits_c.qasm", "bits_d.qasm", "--bits", "c").exit_code == 2
