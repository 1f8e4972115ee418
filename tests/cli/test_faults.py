"""The n-th write, start of a process or allocation fails: a message, an exit status, no half file."""

from __future__ import annotations

import errno
import json
import multiprocessing.process
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import qismc
from qismc.cli import main

PROGRAM = 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[2];\ncreg c[1];\nh q[0];\ncx q[0], q[1];\n'
SPECS = "//@ spec right: AG (leaf -> |00> + |11>)\n//@ spec wrong: AG (leaf -> |00>)\n"
REPORTS = {"--html": "report.html", "--sarif": "found.sarif", "--certificate": "proof.json"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("first.qasm", "second.qasm"):
        (tmp_path / name).write_text(PROGRAM + SPECS)
    return tmp_path


def failing(original: Callable[..., Any], at: int, error: BaseException) -> Callable[..., Any]:
    """The same function, but its n-th call fails."""
    count = 0

    def call(*given: Any, **named: Any) -> Any:
        nonlocal count
        count += 1
        if count == at:
            raise error
        return original(*given, **named)

    return call


def is_clean(found: Result, allowed: tuple[int, ...]) -> None:
    assert found.exit_code in allowed, found.output
    assert "Traceback" not in found.output and "bug of qismc" not in found.output


@pytest.mark.parametrize("at", range(1, 5))
def test_writes(at: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One write for each file that is asked for, and no other."""
    full = OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr(os, "replace", failing(os.replace, at, full))
    arguments = [word for pair in REPORTS.items() for word in pair]
    found = CliRunner().invoke(main, ["check", "first.qasm", *arguments])
    lost = [name for name in REPORTS.values() if f"error: '{name}' cannot be written" in found.output]
    assert len(lost) == (at <= len(REPORTS)) and not any((folder / name).exists() for name in lost)
    is_clean(found, (2,) if lost else (1,))
    for name in ("found.sarif", "proof.json"):
        if (folder / name).exists():
            assert json.loads((folder / name).read_text())
    assert not list(folder.glob(".qismc*"))


@pytest.mark.parametrize("at", [1, 2])
@pytest.mark.usefixtures("folder")
def test_starts_of_processes(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server of forks that was killed at its start gives the first of these errors."""
    process = multiprocessing.process.BaseProcess
    for error in (EOFError(), OSError(errno.EAGAIN, "Resource temporarily unavailable")):
        with monkeypatch.context() as patched:
            patched.setattr(process, "start", failing(process.start, at, error))
            found = CliRunner().invoke(main, ["check", "first.qasm", "second.qasm", "--jobs", "2", "--json"])
        is_clean(found, (1,))
        assert [p["verdict"] for p in json.loads(found.stdout)["programs"]] == ["violated"] * 2


@pytest.mark.parametrize("at", [30, 100, 300, 1000, 3000, 10_000])
@pytest.mark.usefixtures("folder")
def test_allocations(at: int) -> None:
    """The n-th call of a function of ours finds no memory."""
    ours, count = str(Path(qismc.__file__).parent), 0

    def watch(frame: Any, event: str, _: Any) -> None:
        nonlocal count
        if event == "call" and frame.f_code.co_filename.startswith(ours):
            count += 1
            if count == at:
                sys.setprofile(None)
                raise MemoryError

    sys.setprofile(watch)
    try:
        found = CliRunner().invoke(main, ["check", "first.qasm", "--html", "report.html"])
    finally:
        sys.setprofile(None)
    is_clean(found, (1, 3))
