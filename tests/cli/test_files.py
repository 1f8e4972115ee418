"""Files that cannot be read or written: one line that says so, status 2, and the verdict all the same."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import qismc
from qismc.cli import main
from qismc.errors import UsageError

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes and devices in folders")
TEXT = (
    'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit q;\nbit c;\nh q;\nc = measure q;\n'
    "//@ spec AG (leaf -> full)\n"
)
PLACES = {
    "/dev/full": "No space left on device",
    "pipe": "No such device or address",
    "folder": "s a directory",  # click says it otherwise than the system
    "no/such/file": "No such file or directory",
}
COMMANDS = {
    "html": ["check", "p.qasm", "--html"],
    "sarif": ["check", "p.qasm", "--sarif"],
    "smv": ["check", "p.qasm", "--smv"],
    "certificate": ["check", "p.qasm", "--certificate"],
    "equivalent": ["equivalent", "p.qasm", "p.qasm", "--html"],
    "outcomes": ["outcomes", "p.qasm", "--html"],
    "campaign": ["campaign", "p.qasm", "--count", "2", "--jobs", "1", "--out"],
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    Path("p.qasm").write_text(TEXT)
    Path("folder").mkdir()
    os.mkfifo("pipe")
    yield tmp_path
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")], "nothing is left behind"


def asked(*words: str) -> Result:
    return CliRunner().invoke(main, [*words])


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_cannot_be_written(command: str, place: str) -> None:
    result = asked(*COMMANDS[command], place)
    assert result.exit_code == 2, result.output
    reason = "no regular file" if command == "campaign" and place in ("/dev/full", "pipe") else PLACES[place]
    assert place in result.stderr and reason in " ".join(result.stderr.split())
    assert "internal" not in result.output


@pytest.mark.parametrize("command", ["html", "sarif", "smv", "equivalent"])
def test_the_verdict_is_not_lost_with_the_file(command: str) -> None:
    result = asked(*COMMANDS[command], "/dev/full")
    assert "HOLDS" in result.stdout and "error: '/dev/full' cannot be written" in result.stderr


def test_the_outcomes_are_not_lost_with_the_file() -> None:
    assert "0.5" in asked(*COMMANDS["outcomes"], "/dev/full").stdout
    result = asked(*COMMANDS["outcomes"], "/dev/full", "--json")
    assert json.loads(result.stdout) and result.exit_code == 2


def test_of_several_programs_each_has_its_verdict() -> None:
    Path("r.qasm").write_text(TEXT)
    Path("p-qasm.html").symlink_to("/dev/full")
    result = asked("check", "p.qasm", "r.qasm", "--json", "--html", "{program}.html")
    first, second = json.loads(result.stdout)["programs"]
    assert result.exit_code == 2 and Path("r-qasm.html").exists()
    assert first["verdict"] == second["verdict"] == "holds"
    assert "p-qasm.html' cannot be written: No space left" in first["error"] and "error" not in second


def test_a_full_disk_leaves_the_file_of_before(monkeypatch: pytest.MonkeyPatch) -> None:
    from qismc.common import files

    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    Path("page.html").write_text("before")
    monkeypatch.setattr(files.os, "replace", full)
    result = asked(*COMMANDS["html"], "page.html")
    assert result.exit_code == 2 and "No space left" in result.stderr
    assert Path("page.html").read_text() == "before"


@pytest.mark.parametrize("place", ["/dev/full", "folder", "no/such/file"])
def test_python_is_told_by_our_own_error(place: str) -> None:
    result = qismc.check("p.qasm")
    for write in (result.to_html, qismc.Model("p.qasm").outcomes().to_html):
        with pytest.raises(UsageError, match=f"'{place}' cannot be written"):
            write(place)
    with pytest.raises(UsageError, match=f"'{place}' cannot be written"):
        qismc.check("p.qasm", certificate=place)


@pytest.mark.parametrize("place", ["/dev/zero", "/dev/full", "pipe", "folder"])
def test_nothing_but_regular_files_is_read(place: str) -> None:
    asked("check", "p.qasm", "--certificate", "p.json")
    for suffix in ("qasm", "qpy", "inc", "py"):
        Path(f"x.{suffix}").symlink_to(place)
    for command in (
        *(
            ["check", name]
            for name in (place, "x.qasm", "x.qpy", "x.inc", "x.py", "x.py:f")
            if name != "folder"
        ),
        ["equivalent", "x.qasm", "p.qasm"],
        ["equivalent", "p.qasm", "x.qpy"],
        ["outcomes", "x.qasm"],
        ["show", "x.qasm"],
        ["repair", "x.qasm"],
        ["campaign", "x.qpy"],
        ["verify-certificate", place, "p.qasm"],
        ["verify-certificate", "p.json", "x.qasm"],
    ):
        result = asked(*command)
        assert result.exit_code == 2 and "internal" not in result.output, (command, result.output)


def test_programs_of_any_size_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("large.qasm").open("wb") as stream:
        stream.truncate(10 << 30)  # a hole: it takes no room on the disk
    Path("large.qpy").symlink_to("large.qasm")
    for name in ("large.qasm", "large.qpy"):
        result = asked("check", name)
        assert result.exit_code == 2 and "larger than 1,073,741,824 bytes" in result.stderr
