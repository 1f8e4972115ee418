"""Standard streams that are closed, full or not read: the verdict is told, and the exit status is right."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from qismc.cli.terminal import Line, describe
from qismc.common.watch import Watch
from qismc.limits import Budget, Limits

HEAD = 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[1];\ncreg c[1];\n'
FULL = Path("/dev/full")
on_a_full_device = pytest.mark.skipif(not FULL.exists(), reason="there is no full device")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "right.qasm").write_text(HEAD + "x q[0];\n//@ spec AG (leaf -> |1>)\n")
    (tmp_path / "wrong.qasm").write_text(HEAD + "h q[0];\n//@ spec AG (leaf -> |1>)\n")
    return tmp_path


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    line = line.replace("qismc", f"'{sys.executable}' -m qismc", 1)
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, check=False, env={**os.environ, **environment}
    )


@on_a_full_device
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("qismc check wrong.qasm", "VIOLATED"),
        ("qismc check wrong.qasm right.qasm --json", '"verdict": "violated"'),
        ("qismc outcomes right.qasm", "probability"),
        ("qismc --help", "Usage"),
        ("qismc version", "qismc "),
    ],
)
def test_a_full_device(line: str, told: str) -> None:
    found = shell(f"{line} > /dev/full")
    assert found.returncode == 2
    said = found.stderr.decode()
    assert said.startswith("error: the standard output cannot be written: No space left on device\n")
    assert told in said and "bug of qismc" not in said and "Traceback" not in said


@on_a_full_device
@pytest.mark.usefixtures("folder")
def test_messages_that_nobody_can_be_told() -> None:
    for streams in ("2> /dev/full", "2>&-", "> /dev/full 2>&-"):
        assert shell(f"qismc check missing.qasm {streams}").returncode == 2


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("program", "status"), [("right.qasm", 0), ("wrong.qasm", 1)])
def test_closed_streams_and_readers_that_leave(program: str, status: int) -> None:
    assert shell(f"qismc check {program} <&- >&- 2>&-").returncode == status
    left = shell(f"qismc check {program} --verbose | true; exit ${{PIPESTATUS[0]}}")
    assert (left.returncode, left.stderr) == (status, b"")


@pytest.mark.usefixtures("folder")
def test_a_closed_standard_input() -> None:
    found = shell("qismc check - --spec 'AF leaf' <&-")
    assert found.returncode == 2 and b"error: the standard input is closed" in found.stderr


@pytest.mark.parametrize(
    "environment",
    [
        {"COLUMNS": "0"},
        {"COLUMNS": "1"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"XDG_CACHE_HOME": os.fsdecode(b"/tmp/\xff")},
        {"XDG_CACHE_HOME": "/dev/null"},
    ],
    ids=["none", "narrow", "C", "bytes", "device"],
)
def test_environments(folder: Path, environment: dict[str, str]) -> None:
    name = os.fsdecode("größe-\N{GREEK SMALL LETTER PSI}".encode() + b"-\xff.qasm")
    try:
        (folder / name).write_text((folder / "wrong.qasm").read_text())
    except OSError:
        pytest.skip("names of files are text here")
    line = "qismc check gr*.qasm --html report.html --json --sarif found.sarif"
    found = shell(line, **environment)
    assert found.returncode == 1, found.stderr
    assert b'"verdict": "violated"' in found.stdout
    assert (folder / "report.html").read_bytes() and (folder / "found.sarif").read_bytes()
    assert b"VIOLATED  spec1: AG (leaf -> |1>)" in shell("qismc check wrong.qasm", **environment).stdout


def test_the_stage_and_the_numbers() -> None:
    watch = Watch()
    assert describe(watch) == "reading: 0 s"
    watch.budget = Budget(Limits())
    watch.budget.spend("searching")
    watch.budget.count_locations(1)
    watch.budget.count_dimension(4)
    watch.budget.largest = lambda: 12
    assert describe(watch) == "searching: 1 location, dimension 4, 12 nodes, 0 s"


def test_it_is_gone_when_the_work_is_done() -> None:
    stream = io.StringIO()
    line = Line(Console(file=stream, force_terminal=True, width=60))
    watch = Watch()
    line(watch)
    assert stream.getvalue() == "", "quick work is not worth a line"
    watch._start -= 5
    line(watch)
    assert "reading: 5 s" in stream.getvalue()
    line.close()
    assert stream.getvalue().rstrip().endswith(("\x1b[2K", "\x1b[?25h"))
