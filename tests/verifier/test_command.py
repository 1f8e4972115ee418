"""`qismc verify-certificate`: exit statuses and messages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from qismc.cli import main

COIN = """OPENQASM 3.0;
include "stdgates.inc";
//@ prop heads = |0>
//@ spec fair: AG (leaf -> heads)
//@ spec ends: AF leaf
qubit[1] q;
bit[1] c;
h q[0];
c[0] = measure q[0];
while (c[0]) {
  h q[0];
  c[0] = measure q[0];
}
"""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def coin(tmp_path: Path) -> Path:
    path = tmp_path / "coin.qasm"
    path.write_text(COIN, encoding="utf-8")
    return path


@pytest.fixture
def certificate(coin: Path) -> Path:
    path = coin.with_name("coin.json")
    assert run("check", coin, "--certificate", path, "--quiet").exit_code == 1
    return path


def test_accepted(coin: Path, certificate: Path) -> None:
    answer = run("verify-certificate", certificate, coin)
    assert answer.exit_code == 0 and answer.stdout.startswith("ACCEPTED")
    for line in ("HOLDS  fair: AG (leaf -> heads)", "VIOLATED  ends: AF leaf", "where heads = |0>"):
        assert line in answer.stdout


def test_refused(coin: Path, certificate: Path) -> None:
    data = json.loads(certificate.read_text(encoding="utf-8"))
    data["claims"][1]["verdict"] = "holds"
    certificate.write_text(json.dumps(data), encoding="utf-8")
    answer = run("verify-certificate", certificate, coin)
    assert (
        answer.exit_code == 1
        and "REFUSED" in answer.stdout
        and "ends: 'AF leaf' is not holds" in answer.stdout
    )


def test_not_checked(coin: Path, certificate: Path) -> None:
    data = json.loads(certificate.read_text(encoding="utf-8"))
    data["claims"][1] |= {"spec": "P>=1/2 [F leaf]", "verdict": "holds"}
    certificate.write_text(json.dumps(data), encoding="utf-8")
    answer = run("verify-certificate", certificate, coin)
    assert answer.exit_code == 3 and "NOT CHECKED" in answer.stdout


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "x"}', "{nonsense"])
def test_wrong_input(coin: Path, certificate: Path, text: str) -> None:
    certificate.write_text(text, encoding="utf-8")
    answer = run("verify-certificate", certificate, coin)
    assert answer.exit_code == 2 and "error:" in answer.stderr


@pytest.mark.parametrize("key", ["program", "specification", "claims", "places", "labels"])
def test_missing_parts_are_wrong_input(coin: Path, certificate: Path, key: str) -> None:
    data = json.loads(certificate.read_text(encoding="utf-8"))
    for broken in (None, [1], {"a": 1}, "text"):
        certificate.write_text(json.dumps({**data, key: broken}), encoding="utf-8")
        assert run("verify-certificate", certificate, coin).exit_code == 2


def test_missing_files(coin: Path, certificate: Path) -> None:
    assert run("verify-certificate", "nothing.json", coin).exit_code == 2
    assert run("verify-certificate", certificate, "nothing.qasm").exit_code == 2
