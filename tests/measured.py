"""Commands in processes of their own, and what these use from their start until they are gone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

FACTOR = 1.5
"""What may be used, in units of the limit, beside what the command needs to start."""
MEASURING = """
import json, os, sys
process = os.fork() or os.execv(sys.argv[2], sys.argv[2:])
_, status, used = os.wait4(process, 0)
numbers = os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss
open(sys.argv[1], "w").write(json.dumps(numbers))
"""
"""A small process starts the command: the size of the one that forks counts as the child's."""


class Used(NamedTuple):
    """What a whole process has used."""

    status: int
    output: str
    seconds: float
    """Of processor time."""
    memory_mb: float
    """The largest resident size."""


def used_by(
    *command: str, folder: Path, text: Path | None = None, python: tuple[str, ...] = ("-m", "qismc")
) -> Used:
    """Run `python -m qismc COMMAND` in a folder, `text` as its standard input, until it is gone."""
    path = os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path)
    asked = [sys.executable, *python, *command]
    with tempfile.NamedTemporaryFile() as numbers, Path(text or os.devnull).open("rb") as given:
        done = subprocess.run(
            [sys.executable, "-S", "-c", MEASURING, numbers.name, *asked],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path},
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=True,
        )
        status, seconds, size = json.loads(Path(numbers.name).read_text())
    return Used(status, done.stdout, seconds, size / (1 << 20 if sys.platform == "darwin" else 1 << 10))


@cache
def start() -> Used:
    """What a command needs that does next to nothing, Qiskit loaded."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "wire.py").write_text("from qiskit import QuantumCircuit\nwire = QuantumCircuit(1)\n")
        return used_by("check", "wire.py:wire", "--spec", "AG |0>", folder=Path(folder))


def assert_within(used: Used, seconds: float, memory_mb: float) -> None:
    """Both limits held for the whole process; generously, as machines differ and are busy."""
    assert used.seconds <= FACTOR * seconds + 2 * start().seconds + 1, used
    assert used.memory_mb <= FACTOR * memory_mb, used
