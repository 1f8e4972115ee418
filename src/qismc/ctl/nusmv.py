"""Runs NuSMV on a model of ours and maps its answer back to locations."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from qismc.ctl.evaluation import Atoms
from qismc.ctl.graph import Graph
from qismc.ctl.smv import location_number, to_smv
from qismc.errors import UsageError
from qismc.language import Formula

VARIABLE = "QISMC_NUSMV"
PROGRAMS = ("NuSMV", "nusmv", "nuXmv", "nuxmv")
MOST_OUTPUT = 50_000_000
"""NuSMV's traces of graphs that it can handle are far shorter than this."""

_HINT = 'the built-in engine (ctl="builtin") needs no other program'


@dataclass(frozen=True)
class NusmvAnswer:
    """NuSMV's verdict at the initial location; a trace where it printed one, with its loop."""

    holds: bool
    steps: tuple[int, ...] = ()
    loop_start: int | None = None


def check_with_nusmv(
    formula: Formula, graph: Graph, atoms: Atoms, *, seconds: float = 60.0, binary: str | None = None
) -> NusmvAnswer:
    """The truth of the formula at the initial location, as NuSMV sees it."""
    program = find_nusmv(binary)
    model = to_smv(formula, graph, atoms)
    with tempfile.TemporaryDirectory(prefix="qismc-") as folder:
        path = Path(folder) / "model.smv"
        path.write_text(model, encoding="utf-8")
        output = _run([program, str(path)], seconds)
    return read_answer(output, graph)


def find_nusmv(binary: str | None = None) -> str:
    """The path of NuSMV: the one given, that of QISMC_NUSMV, or the first on PATH."""
    chosen = binary or os.environ.get(VARIABLE)
    if chosen:
        found = shutil.which(chosen)
        if found is None:
            raise UsageError(f"NuSMV is not at '{chosen}', or it cannot be executed", hint=_HINT)
        return found
    found = next((path for name in PROGRAMS if (path := shutil.which(name))), None)
    if found is None:
        hint = f"install it, or set {VARIABLE} to its path; {_HINT}"
        raise UsageError(f"NuSMV was not found: there is no {', '.join(PROGRAMS)} on PATH", hint=hint)
    return found


def _run(command: list[str], seconds: float) -> str:
    """What the program printed; an error if it fails, hangs or prints without end."""
    process = _start(command)
    late = threading.Event()

    def give_up() -> None:
        late.set()
        _kill(process)

    clock = threading.Timer(seconds, give_up)
    clock.start()
    with process:
        try:
            assert process.stdout is not None
            output = process.stdout.read(MOST_OUTPUT + 1).decode("utf-8", errors="replace")
            if len(output) > MOST_OUTPUT:
                raise UsageError(f"NuSMV prints without end: {_excerpt(output)}", hint=_HINT)
            status = process.wait()
        finally:
            clock.cancel()
            _kill(process)
    if late.is_set():
        raise UsageError(f"NuSMV gave no answer within {seconds:g} s", hint=_HINT)
    if status != 0:
        raise UsageError(f"NuSMV failed with status {status}: {_excerpt(output)}", hint=_HINT)
    return output


def _start(command: list[str]) -> subprocess.Popen[bytes]:
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    try:
        return subprocess.Popen(
            command, stdin=nothing, stdout=pipe, stderr=subprocess.STDOUT, start_new_session=True
        )
    except OSError as error:
        raise UsageError(f"NuSMV at '{command[0]}' does not start: {error}", hint=_HINT) from None


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the program and what it has started, if they still run."""
    if process.poll() is not None:
        return
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _excerpt(output: str) -> str:
    lines = [line for line in output.splitlines() if line.strip() and not line.startswith("***")]
    return " / ".join(lines[-3:])[:300] or "it printed nothing"


# --- the answer ---------------------------------------------------------------------------------------------


def read_answer(output: str, graph: Graph) -> NusmvAnswer:
    """The verdict and trace in what NuSMV printed; an error unless they make sense for this graph."""
    verdicts = re.findall(r"^-- specification .* is (true|false)\s*$", output, re.MULTILINE)
    if len(verdicts) != 1:
        message = f"NuSMV's output has {len(verdicts)} verdicts instead of one: {_excerpt(output)}"
        raise UsageError(message, hint=_HINT)
    steps, loops = _trace(output)
    _check_trace(steps, graph)
    return NusmvAnswer(verdicts[0] == "true", *_folded(steps, loops))


def _trace(output: str) -> tuple[list[int], list[int]]:
    """The locations of the trace and the positions at which a loop is said to start.

    A state prints only the variables that have changed, so a state without a location repeats the last one.
    """
    steps: list[int] = []
    loops: list[int] = []
    for line in output.splitlines():
        if re.match(r"\s*-- Loop starts here", line):
            loops.append(len(steps))
        elif re.match(r"\s*-> State: [\d.]+ <-", line):
            steps.append(steps[-1] if steps else -1)
        elif (found := re.match(r"\s*location = (l\d+)\s*$", line)) and steps:
            steps[-1] = location_number(found.group(1))
    return steps, loops


def _check_trace(steps: list[int], graph: Graph) -> None:
    if steps and steps[0] != graph.initial:
        raise UsageError(f"NuSMV's trace does not start at l{graph.initial}", hint=_HINT)
    for source, target in pairwise(steps):
        if not 0 <= target < graph.size or target not in graph.successors.of(source):
            raise UsageError(f"NuSMV's trace goes from l{source} to l{target}, which is no edge", hint=_HINT)


def _folded(steps: list[int], loops: list[int]) -> tuple[tuple[int, ...], int | None]:
    """NuSMV repeats the first location of a loop at its end: leave the repetition out."""
    starts = [k for k in loops if k < len(steps) - 1 and steps[k] == steps[-1]]
    return (tuple(steps[:-1]), starts[-1]) if starts else (tuple(steps), None)
