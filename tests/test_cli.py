"""Exit statuses, messages and JSON of the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from qismc.cli import main

BELL = """OPENQASM 2.0;
include "qelib1.inc";
//@ prop bell = |00> + |11>
//@ spec made: AG (leaf -> bell)
qreg q[2];
creg c[1];
h q[0];
cx q[0], q[1];
"""


@pytest.fixture
def bell(tmp_path: Path) -> str:
    path = tmp_path / "bell.qasm"
    path.write_text(BELL, encoding="utf-8")
    return str(path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_status_0_when_everything_holds(bell: str) -> None:
    result = run("check", bell)
    assert result.exit_code == 0
    assert "HOLDS" in result.stdout
    assert result.stderr == ""


def test_status_1_when_violated(bell: str) -> None:
    result = run("check", bell, "--spec", "AG (leaf -> |00>)")
    assert result.exit_code == 1
    assert "VIOLATED" in result.stdout


def test_status_3_when_unknown(bell: str) -> None:
    result = run("check", bell, "--timeout", "1e-9", "--json")
    assert result.exit_code == 3
    report = json.loads(result.stdout)
    assert report["verdict"] == "unknown"
    assert "time limit" in report["results"][0]["reason"]


def test_status_1_when_only_some_are_violated(bell: str) -> None:
    assert run("check", bell, "--spec", "EF leaf", "--spec", "AG (leaf -> |00>)").exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--spec", "AG (lef -> bell)"], "did you mean 'leaf'?"),
        (["--spec", "AG (leaf -> |000>)"], "3 letters"),
        (["--spec", "AG (leaf ->"], "error:"),
        (["--prop", "x"], "NAME=TEXT"),
        (["--annotate", "nowhere=|00>"], "nowhere"),
        (["--prop", "leaf=|00>"], "reserved"),
        (["--init", "zero"], "zero"),
        (["--timeout", "-1"], "positive"),
    ],
)
def test_status_2_for_wrong_input(bell: str, arguments: list[str], message: str) -> None:
    result = run("check", bell, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_program_errors_carry_their_position(tmp_path: Path) -> None:
    path = tmp_path / "wrong.qasm"
    path.write_text(BELL.replace("h q[0];", "h q[7];"), encoding="utf-8")
    result = run("check", str(path))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{path}:7:")
    assert ": error: " in result.stderr


def test_a_missing_file_is_an_input_error() -> None:
    result = run("check", "nowhere.qasm", "--spec", "EF leaf")
    assert result.exit_code == 2
    assert "nowhere.qasm" in result.stderr


def test_programs_without_specification_do_not_hold(tmp_path: Path) -> None:
    bare, asked = tmp_path / "bare.qasm", tmp_path / "asked.qasm"
    bare.write_text("OPENQASM 2.0; qreg q[1];\n", encoding="utf-8")
    asked.write_text("OPENQASM 2.0; qreg q[1];\n//@ spec AG (leaf -> |0>)\n", encoding="utf-8")
    both = run("check", str(bare), str(bare))
    assert both.exit_code == 0 and "HOLDS" not in both.stdout
    assert "2 programs: 2 no specification" in both.stdout
    mixed = run("check", str(bare), str(asked))
    assert mixed.exit_code == 0 and "1 HOLDS, 1 no specification" in mixed.stdout
    assert run("check", str(bare), str(asked), "--strict").exit_code == 3
    assert run("check", str(asked), "--strict").exit_code == 0
    data = json.loads(run("check", str(bare), str(asked), "--json").stdout)["programs"]
    assert [(row["verdict"], row["reason"]) for row in data] == [
        ("unknown", "no specification"),
        ("holds", None),
    ]


def test_a_program_that_cannot_be_read_is_in_the_sarif_log(tmp_path: Path) -> None:
    log = tmp_path / "log.sarif"
    assert run("check", str(tmp_path / "nowhere.qasm"), "--sarif", str(log)).exit_code == 2
    (invocation,) = json.loads(log.read_text())["runs"][0]["invocations"]
    assert not invocation["executionSuccessful"]
    assert "nowhere.qasm" in invocation["toolExecutionNotifications"][0]["message"]["text"]


def test_a_program_without_specification_is_observed(tmp_path: Path) -> None:
    path = tmp_path / "bare.qasm"
    path.write_text("\n".join(x for x in BELL.splitlines() if "//@ spec" not in x), encoding="utf-8")
    result = run("check", str(path))
    assert result.exit_code == 0 and "nothing was asked" in result.stdout
    assert run("check", str(path), "--strict").exit_code == 3
    repair = run("repair", str(path))
    assert repair.exit_code == 2 and "--spec" in repair.stderr


def test_quiet_prints_nothing(bell: str) -> None:
    result = run("check", bell, "--quiet")
    assert (result.exit_code, result.stdout) == (0, "")


KEYS = {
    "qismc",
    "program",
    "qubits",
    "gates",
    "locations",
    "edges",
    "engine",
    "seed",
    "verdict",
    "results",
    "stats",
}
FORMULA = {"name", "spec", "verdict", "reason", "counterexample"}
EXECUTION = {"kind", "loop_start", "probability", "replayed", "steps"}
STEP = {"location", "point", "statement", "source", "store", "labels", "state"}
STATS = {"seconds", "peak_mb", "peak_nodes", "max_dimension"}


def violated_report(bell: str) -> Any:
    return json.loads(
        run("check", bell, "--json", "--numbers", "float", "--spec", "AG (leaf -> |00>)").stdout
    )


def test_json_has_the_promised_keys(bell: str) -> None:
    report = violated_report(bell)
    (formula,) = report["results"]
    assert report.keys() >= KEYS
    assert report["stats"].keys() >= STATS
    assert report["stats"]["seconds"].keys() >= {"build", "fixpoint", "check"}
    assert formula.keys() >= FORMULA
    assert formula["counterexample"].keys() >= EXECUTION
    assert all(step.keys() >= STEP for step in formula["counterexample"]["steps"])


def test_json_values(bell: str) -> None:
    report = violated_report(bell)
    sizes = {key: report[key] for key in ("qubits", "gates", "locations", "edges", "engine", "verdict")}
    assert sizes == {
        "qubits": 2, "gates": 2, "locations": 3, "edges": 3, "engine": "float", "verdict": "violated",
    }  # fmt: skip
    found = report["results"][0]["counterexample"]
    assert found["probability"] == pytest.approx(1)
    assert found["replayed"] is True
    assert [step["location"] for step in found["steps"]] == ["l0", "l1", "l2"]
    assert found["steps"][-1]["state"] == "sqrt(1/2)|00> + sqrt(1/2)|11>"
    assert found["steps"][0]["source"]["line"] == 7
    assert found["steps"][0]["labels"] == ["init"]


def test_demo_tells_both_halves() -> None:
    result = run("demo")
    assert result.exit_code == 0
    assert result.stdout.index("VIOLATED") < result.stdout.index("HOLDS")


def test_version() -> None:
    assert run("version").stdout.startswith("qismc 0.")


def test_outcomes(tmp_path: Path) -> None:
    file = tmp_path / "coin.qasm"
    file.write_text("OPENQASM 3.0;\nqubit q;\nbit c;\nwhile (!c) {\n  h q;\n  c = measure q;\n}\n")
    runner = CliRunner()
    shown = runner.invoke(
        main, ["outcomes", str(file), "--register", "c", "--html", str(tmp_path / "o.html")]
    )
    assert shown.exit_code == 0 and "line 4: while" in shown.output and "2 turns expected" in shown.output
    assert "<table" in (tmp_path / "o.html").read_text()
    found = json.loads(runner.invoke(main, ["outcomes", str(file), "--json"]).output)
    assert found["registers"] == {"c": {"1": pytest.approx(1)}} and found["unfinished"] == 0
    assert found["loops"][0]["source"]["line"] == 4
    wrong = runner.invoke(main, ["outcomes", str(file), "--at", "lef"])
    assert wrong.exit_code == 2 and "did you mean 'leaf'" in wrong.output
    late = runner.invoke(main, ["outcomes", str(file), "--timeout", "1e-9"])
    assert late.exit_code == 3 and "the outcomes are unknown: limit" in late.output


def test_verbose_names_what_was_drawn(bell: str) -> None:
    data = json.loads(run("check", bell, "--json").stdout)
    shown = run("check", bell, "--verbose").stdout
    assert f"seed {data['seed']}, modulo {data['soundness']['primes'][0]}" in shown
    assert "modulo" not in run("check", bell).stdout
    again = json.loads(run("check", bell, "--json", "--seed", str(data["seed"])).stdout)
    assert again["soundness"] == data["soundness"]
