"""Every example runs and gives the verdicts that it announces."""

from __future__ import annotations

import runpy

import pytest
from click.testing import CliRunner

from qismc.cli import main

from .loading import EXAMPLES, NAMES, example

ROUNDING = 1e-12


@pytest.mark.parametrize("name", NAMES)
def test_script(name: str) -> None:
    """The verdict of every formula about every program, as in EXPECTED, the probabilities as in ANSWERS."""
    script = example(name)
    results = script["run"]()
    found = {
        program: {formula.name: formula.verdict.value for formula in result}
        for program, result in results.items()
    }
    assert found == script["EXPECTED"]
    assert {"holds", "violated"} == {verdict for verdicts in found.values() for verdict in verdicts.values()}
    for program, answers in script.get("ANSWERS", {}).items():
        for formula, answer in answers.items():
            found_at = results[program][formula].probability
            assert abs(float(found_at) - answer) <= found_at.error + ROUNDING, (program, formula)


def test_script_prints_its_reports(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / "protocols" / "measure_twice.py"), run_name="__main__")
    output = capsys.readouterr().out
    assert "--- undisturbed\nHOLDS  agree" in output
    assert "--- disturbed\nVIOLATED  agree" in output


@pytest.mark.parametrize(("name", "status", "verdicts"), [
    ("rus_buggy", 1, ["VIOLATED  safe", "HOLDS  ends"]),
    ("rus_fixed", 0, ["HOLDS  safe", "HOLDS  ends"]),
])  # fmt: skip
def test_openqasm(name: str, status: int, verdicts: list[str]) -> None:
    result = CliRunner().invoke(main, ["check", str(EXAMPLES / f"{name}.qasm")])
    assert result.exit_code == status
    lines = [line.split(":")[0] for line in result.output.splitlines()]
    assert [line for line in lines if line.startswith(("HOLDS", "VIOLATED"))] == verdicts


def test_the_repair_is_one_line() -> None:
    """The two repeat-until-success programs differ in the reset alone."""
    buggy, fixed = (
        (EXAMPLES / f"rus_{name}.qasm").read_text(encoding="utf-8") for name in ("buggy", "fixed")
    )
    program, repaired = (text[text.index("qubit[3]") :] for text in (buggy, fixed))
    assert repaired.replace("  reset q[0];\n", "") == program


def test_pytest_example() -> None:
    assert pytest.main(["-q", "-p", "no:cacheprovider", str(EXAMPLES / "test_bell.py")]) == 0
