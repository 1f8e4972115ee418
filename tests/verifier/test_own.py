"""The program's own formulas, start and propositions are compared with those of the certificate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import qismc
from qismc.cli import main

TEXT = """OPENQASM 3.0;
include "stdgates.inc";
//@ init |1> on q[0]
//@ prop flipped = |01>
//@ prop kept = flipped \\/ |00>
//@ spec safe: AG (leaf -> flipped)
//@ spec ends: AF leaf
qubit[2] q;
x q[0];
x q[1];
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "flip.qasm"
    path.write_text(TEXT, encoding="utf-8")
    return path


def answer(program: Path, **options: Any) -> tuple[Result, dict[str, Any]]:
    """What is said of the certificate of a check with other options than the program's text has."""
    path = program.with_suffix(".json")
    qismc.check(str(program), certificate=path, **options)
    return judged(path, program), json.loads(path.read_text(encoding="utf-8"))


def judged(path: Path, program: Path) -> Result:
    return CliRunner().invoke(main, ["verify-certificate", str(path), str(program)])


def test_all_is_covered(program: Path) -> None:
    found, _ = answer(program)
    assert found.exit_code == 0 and found.stdout.startswith("ACCEPTED")
    assert "of the program's own: safe, ends" in found.stdout and "not covered" not in found.stdout


def test_what_was_not_asked(program: Path) -> None:
    found, _ = answer(program, spec="AF leaf")
    assert found.exit_code == 3 and found.stdout.startswith("INCOMPLETE")
    assert f"not covered: {program}:6:1: safe: AG (leaf -> flipped)" in found.stdout
    assert "of the program's own: ends" in found.stdout


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"init": "|00>"}, "the start is not the program's own"),
        ({"init": "span(|10>, |00>)"}, "the start is not the program's own"),
        ({"props": {"flipped": "full"}}, "the proposition flipped is not the program's own"),
        ({"paths": "all"}, "about feasible paths"),
    ],
)
def test_another_meaning(program: Path, options: dict[str, Any], reason: str) -> None:
    found, _ = answer(program, **options)
    assert found.exit_code == 3 and found.stdout.startswith("INCOMPLETE")
    assert reason in found.stdout and "of the program's own" not in found.stdout


def test_the_same_start_in_other_words(program: Path) -> None:
    found, _ = answer(program, init="2 i |10>")
    assert found.exit_code == 0


def test_a_name_that_the_certificate_alone_defines(program: Path) -> None:
    program.write_text(TEXT.replace("//@ prop flipped", "//@ prop other"), encoding="utf-8")
    program.write_text(program.read_text().replace("//@ prop kept = flipped", "//@ prop kept = other"))
    found, _ = answer(program, props={"flipped": "full"})
    assert found.exit_code == 3 and "whose 'flipped' the program does not define" in found.stdout
    assert "of the program's own: ends" in found.stdout


def test_a_start_without_formulas(program: Path) -> None:
    lines = [line for line in TEXT.splitlines() if "//@ spec" not in line]
    program.write_text("\n".join(lines), encoding="utf-8")
    assert answer(program, spec="AF leaf")[0].exit_code == 0
    found, _ = answer(program, spec="AF leaf", init="|00>")
    assert found.exit_code == 3 and "the start is not the program's own" in found.stdout


def test_a_claim_with_the_name_of_another_formula(program: Path) -> None:
    """`HOLDS safe: AG true` says nothing of the program's own `safe`."""
    path = program.with_suffix(".json")
    _, data = answer(program)
    data["claims"][0]["spec"] = "AG true"
    path.write_text(json.dumps(data), encoding="utf-8")
    found = judged(path, program)
    assert found.exit_code == 3 and "not covered" in found.stdout


def test_annotations_are_not_checked(program: Path) -> None:
    _, data = answer(program)
    program.write_text(TEXT.replace("//@ init", "//@ annotate leaf = |00>\n//@ init"), encoding="utf-8")
    found = judged(program.with_suffix(".json"), program)
    assert found.exit_code == 3 and "annotations" in found.stdout and data["claims"]


def test_a_claim_beside_the_real_one_that_takes_its_name(program: Path) -> None:
    """The violated formula is claimed, under another name; `HOLDS safe: AG true` is what is read."""
    path = program.with_suffix(".json")
    program.write_text(TEXT.replace("x q[1];", ""), encoding="utf-8")
    _, data = answer(program)
    claim = next(claim for claim in data["claims"] if claim["name"] == "safe")
    assert claim["verdict"] == "violated"
    data["claims"].append({"name": "safe", "spec": "AG true", "verdict": "holds"})
    claim["name"] = "other"
    path.write_text(json.dumps(data), encoding="utf-8")
    found = judged(path, program)
    assert found.exit_code == 3 and found.stdout.startswith("INCOMPLETE")
    assert "the claim safe is not the program's own formula of this name" in found.stdout


def test_a_start_that_the_certificate_alone_defines(program: Path) -> None:
    program.write_text(TEXT.replace("init |1> on q[0]", "init begin"), encoding="utf-8")
    found, _ = answer(program, props={"begin": "|10>"})
    assert found.exit_code == 3 and "names 'begin', which the program does not define" in found.stdout
    assert "of the program's own" not in found.stdout


def test_an_own_proposition_with_the_name_of_a_bit(program: Path) -> None:
    """A certificate that leaves the proposition out means the bit; to `check` the name is ambiguous."""
    program.write_text(TEXT.replace("x q[0];", "bit flipped;\nx q[0];"), encoding="utf-8")
    path, bare = program.with_suffix(".json"), program.with_name("bare.qasm")
    lines = [
        line for line in program.read_text().splitlines() if not line.startswith(("//@ prop", "//@ spec"))
    ]
    bare.write_text("\n".join(lines), encoding="utf-8")
    qismc.check(str(bare), {"safe": "AG (leaf -> flipped)", "ends": "AF leaf"}, certificate=path)
    found = judged(path, program)
    assert found.exit_code == 3 and "flipped has the name of something else" in found.stdout
    assert "own: safe" not in found.stdout
