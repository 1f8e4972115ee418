"""Every command that takes a program keeps its limits, and says so, also where nobody polls them."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import qismc
from qismc.cli import main
from qismc.cli.main import print_repairs
from qismc.cli.status import INTERRUPTED
from qismc.common.process import resident_memory_mb
from qismc.errors import LimitReached
from qismc.repairs.repairs import Repairs

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no timer")
EXAMPLES = Path(__file__).parents[2] / "examples"
ENDLESS = "def endless():\n    while True:\n        pass\n"
GROWING = "def growing():\n    kept = []\n    while True:\n        kept.append(bytearray(1_000_000))\n"
COMMANDS = {
    "check": ["check", "PROGRAM", "--spec", "AG true"],
    "equivalent": ["equivalent", "PROGRAM", "wire.qasm"],
    "outcomes": ["outcomes", "PROGRAM"],
    "repair": ["repair", "PROGRAM", "--spec", "AG true"],
    "show": ["show", "PROGRAM"],
    "verify-certificate": ["verify-certificate", "wire.json", "PROGRAM"],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stops.py").write_text("def stops():\n    raise KeyboardInterrupt\n")
    (tmp_path / "endless.py").write_text(ENDLESS)
    (tmp_path / "growing.py").write_text(GROWING)
    (tmp_path / "wire.qasm").write_text("OPENQASM 3.0;\nqubit[1] q;\n//@ spec AG |0>\n")
    return tmp_path


def asked(command: str, program: str, *limits: str) -> Result:
    if command == "campaign":
        return CliRunner().invoke(main, [command, program, *limits])
    if command == "verify-certificate":
        CliRunner().invoke(main, ["check", "wire.qasm", "--certificate", "wire.json"])
    words = [program if word == "PROGRAM" else word for word in COMMANDS[command]]
    return CliRunner().invoke(main, [*words, *limits])


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", COMMANDS)
def test_the_time_is_over(command: str) -> None:
    result = asked(command, "endless.py:endless", "--timeout", "0.2")
    assert result.exit_code == 3, result.output
    assert "the time limit of 0.2 s passed during" in result.output


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", COMMANDS)
def test_the_memory_is_used_up(command: str) -> None:
    most = f"{resident_memory_mb() + 50:.0f}"
    result = asked(command, "growing.py:growing", "--memory", most)
    assert result.exit_code == 3, result.output
    assert f"the memory limit of {most} MB was reached during" in " ".join(result.output.split())


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", [*COMMANDS, "campaign"])
def test_what_looks_like_ctrl_c_in_a_module_is_wrong_input(command: str) -> None:
    result = asked(command, "stops.py:stops")
    assert result.exit_code == 2 and "stops.py:2: " in result.stderr


@pytest.mark.usefixtures("folder")
def test_a_campaign_leaves_out_what_takes_too_long() -> None:
    result = CliRunner().invoke(main, ["campaign", "endless.py:endless", "--timeout", "0.2"])
    assert result.exit_code == 2
    assert "left out: endless.py:endless: limit: the time limit of 0.2 s passed" in result.stderr
    refused = CliRunner().invoke(main, ["campaign", "wire.qasm", "--out", "no/such/folder.jsonl"])
    assert refused.exit_code == 2 and "'no/such/folder.jsonl' cannot be written" in refused.stderr


def test_an_interrupted_search_shows_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    result = qismc.check(EXAMPLES / "rus_buggy.qasm")
    repairs = result.repairs(limit=3)
    next(iter(repairs))

    def stop() -> None:
        raise KeyboardInterrupt

    repairs.watch = stop
    assert isinstance(repairs, Repairs) and print_repairs(result, repairs, as_json=False) == INTERRUPTED
    shown = capsys.readouterr().out
    assert "insert reset q[0]" in " ".join(shown.split()) and "interrupted" in shown


@pytest.mark.parametrize(
    ("cause", "why"),
    [
        (KeyboardInterrupt(), "interrupted"),
        (MemoryError(), "out of memory"),
        (LimitReached("no time"), "limit: no time"),
    ],
)
def test_verdicts_are_not_lost_with_the_report(
    cause: BaseException, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An execution is replayed when the report wants to show it: then somebody may lose patience."""

    def look(*_: object) -> None:
        raise cause

    monkeypatch.setattr("qismc.evidence.explanation.Explainer._looked_at", look)
    result = CliRunner().invoke(main, ["check", str(EXAMPLES / "rus_buggy.qasm")])
    assert result.exit_code == 1 and "VIOLATED" in result.stdout
    assert f"the report is cut short: {why}" in " ".join(result.stdout.split())
