"""Campaigns whose parent, scheduler or disk ends before them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from qismc.campaigns import running as campaigns
from qismc.campaigns.running import campaign
from qismc.cli import main
from qismc.errors import UsageError

FIXED = str(Path(__file__).parents[2] / "examples" / "rus_fixed.qasm")
PATIENCE_SECONDS = 120.0
"""For what must happen, on a slow machine, too."""


def happens(event: Callable[[], bool]) -> bool:
    """Wait for it."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not event() and time.monotonic() < end:
        time.sleep(0.05)
    return event()


def lines(file: Path) -> int:
    return len(file.read_text().splitlines()) if file.exists() else 0


def members(session: int) -> set[int]:
    """The processes of a session that run, by what the system tells."""
    found = set()
    for entry in Path("/proc").iterdir():
        try:
            state, _, _, of = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
        except (OSError, ValueError):
            continue
        if int(of) == session and state != "Z":
            found.add(int(entry.name))
    return found


def started(work: list[str], folder: Path) -> subprocess.Popen[bytes]:
    """A command in a session of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "qismc", *work],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not tell")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize(
    "work",
    [
        ["campaign", FIXED, "--count", "5000", "--jobs", "2", "--out", "rows.jsonl"],
        ["check", *(3000 * [FIXED]), "--jobs", "2", "--quiet"],
    ],
    ids=["campaign", "check"],
)
def test_no_worker_outlives_its_parent(work: list[str], number: int, tmp_path: Path) -> None:
    parent = started(work, tmp_path)
    try:
        assert happens(lambda: len(members(parent.pid)) >= 4)  # the parent, the server of processes, workers
        assert work[0] == "check" or happens(lambda: lines(tmp_path / "rows.jsonl") > 2)
        parent.send_signal(number)
        assert parent.wait(PATIENCE_SECONDS) == -number
        assert happens(lambda: not members(parent.pid)), members(parent.pid)
    finally:
        for process in members(parent.pid):
            os.kill(process, signal.SIGKILL)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not tell")
@pytest.mark.parametrize("everybody", [False, True], ids=["parent", "terminal"])
def test_ctrl_c_shows_the_rows_so_far_and_leaves_nobody(everybody: bool, tmp_path: Path) -> None:
    """A terminal sends the signal to the workers as well."""
    parent = started(["campaign", FIXED, "--count", "5000", "--jobs", "2", "--out", "rows.jsonl"], tmp_path)
    try:
        assert happens(lambda: lines(tmp_path / "rows.jsonl") > 2)
        (os.killpg if everybody else os.kill)(parent.pid, signal.SIGINT)
        shown, _ = parent.communicate(timeout=PATIENCE_SECONDS)
        assert parent.returncode == 130 and b"interrupted after" in shown, shown
        assert happens(lambda: not members(parent.pid)), members(parent.pid)
    finally:
        for process in members(parent.pid):
            os.kill(process, signal.SIGKILL)


def test_a_closed_scheduler_ends_the_run_with_the_rows_so_far(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    import dask

    out = tmp_path / "rows.jsonl"
    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
        cluster = distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None, protocol="tcp"
        )
        args = ["campaign", FIXED, "--count", "500", "--dask", cluster.scheduler_address, "--out", str(out)]
        closing = threading.Thread(target=lambda: happens(lambda: lines(out) > 2) and cluster.close())
        closing.start()
        done = CliRunner().invoke(main, args)
        closing.join()
    assert done.exit_code == 2, done.output
    assert "error: the Dask scheduler has gone away" in done.stderr
    assert f"interrupted after {lines(out)} of" in done.stdout and 2 < lines(out) < 500
    assert "kind" in done.stdout, "the table of the rows so far"


def test_a_disk_that_is_full_ends_the_run_with_the_rows_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, append = tmp_path / "rows.jsonl", campaigns._append

    def until_full(path: Path, row: object) -> None:
        if lines(path) == 3:
            monkeypatch.setattr(campaigns.json, "dumps", lambda _: "\0" * 10)
            append(Path("/dev/full"), row)  # type: ignore[arg-type]
        append(path, row)  # type: ignore[arg-type]

    monkeypatch.setattr(campaigns, "_append", until_full)
    done = CliRunner().invoke(main, ["campaign", FIXED, "--count", "9", "--jobs", "1", "--out", str(out)])
    assert done.exit_code == 2 and "No space left on device" in done.stderr
    assert "interrupted after 3 of" in done.stdout and lines(out) == 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes and devices in folders")
@pytest.mark.parametrize("place", ["/dev/full", "/dev/zero", "pipe"])
def test_rows_are_not_read_from_devices(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    with pytest.raises(UsageError, match=f"'{place}' cannot be read: it is no regular file"):
        list(campaign(FIXED, count=2, out=place))


SLOW_END = """
import concurrent.futures.process as pools, sys, time
from qismc.cli import run

ended = pools._ExecutorManagerThread.shutdown_workers

def late(self):
    time.sleep(1)
    ended(self)

pools._ExecutorManagerThread.shutdown_workers = late
run()
"""


def test_workers_are_told_before_the_process_leaves(tmp_path: Path) -> None:
    """Queues that are closed before would leave both sides waiting for each other."""
    script, rows = tmp_path / "slow_end.py", str(tmp_path / "rows.jsonl")
    script.write_text(f"if __name__ == '__main__':\n{textwrap.indent(SLOW_END, '    ')}")
    command = [sys.executable, str(script), "campaign", FIXED, "--count", "1", "--jobs", "1", "--out", rows]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS)
    assert done.returncode == 0 and "1 mutant in" in done.stdout, done.stdout + done.stderr
