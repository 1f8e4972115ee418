"""`python -m benchmarks`: measure suites, or a folder of OpenQASM files with injected faults."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TextIO

import click
from rich.console import Console
from rich.progress import Progress

from benchmarks.row import Bounds, Job, Row
from benchmarks.suites import LARGE, NAMES, folder, suite
from qismc.cli.status import INTERRUPTED, Reported
from qismc.errors import UsageError

if TYPE_CHECKING:
    from benchmarks.peers import Peer

BEST_OF = 3
"""Runs of both sides where times are compared."""
WIDTH = 220
"""Of the table where no terminal says how wide it is."""


@click.command(cls=Reported)
@click.argument("name", metavar="[SUITE]", required=False, type=click.Choice(NAMES))
@click.option("--folder", "directory", metavar="DIR", help="all .qasm files below DIR, with injected Paulis")
@click.option("--json", "json_file", metavar="FILE", help="write one JSON object per row")
@click.option("--plot", "plot_file", metavar="FILE", help="draw time against size (needs matplotlib)")
@click.option("--peers", is_flag=True, help="measure mqt-core, qiskit-aer and stim, too, where installed")
@click.option(
    "--peer",
    "commands",
    multiple=True,
    metavar="NAME='CMD {file}'",
    help="measure a command on each circuit as an OpenQASM 2 file; may be given several times",
)
@click.option(
    "--repeat",
    "repeats",
    type=click.IntRange(1),
    metavar="N",
    help="take the best of N runs  [default: 3 with peers, else 1]",
)
@click.option("--timeout", type=float, default=60.0, show_default=True, metavar="S", help="seconds per row")
@click.option("--memory", type=float, default=4000.0, show_default=True, metavar="MB", help="per row")
@click.option("--seed", type=int, default=0, show_default=True, help="chooses the injected faults")
@click.option(
    "--jobs",
    "workers",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="rows at the same time; times then disturb each other",
)
def bench(
    name: str | None,
    directory: str | None,
    json_file: str | None,
    plot_file: str | None,
    *,
    peers: bool,
    commands: tuple[str, ...],
    repeats: int | None,
    timeout: float,
    memory: float,
    seed: int,
    workers: int,
) -> None:
    """Measure a SUITE, each row in its own process; default: all suites, or only the folder if one is given.

    Exit status: 0 all verdicts right, 1 some wrong, 3 some missing and none wrong, 2 wrong input.
    """
    from benchmarks import peers as others  # noqa: PLC0415 - `qismc --help` should be quick
    from benchmarks import plot  # noqa: PLC0415
    from qismc.limits import Limits  # noqa: PLC0415

    Limits(seconds=timeout, memory_mb=memory)  # refuses what is not positive
    only_folder = directory is not None and name in (None, LARGE)
    jobs = [] if only_folder else suite(name or "all")
    if directory is not None:
        jobs += folder(Path(directory), seed, faults=name != LARGE)
    if plot_file is not None:
        plot.require_matplotlib()
    sampled = name == "quantities" or (peers and name in (None, "all") and not only_folder)
    named = [p for p in others.PEERS if (sampled if p == others.SHOTS else peers)]
    own = [others.of_command(command) for command in commands]
    names = (*named, *(peer.name for peer in own))
    measurable = [others.Peer(peer) for peer in named if peer in others.installed()] + own
    bounds = Bounds(timeout, memory, repeats or (BEST_OF if names else 1))
    with ExitStack() as stack:
        lines = None if json_file is None else stack.enter_context(_opened(json_file))
        rows, complete = _measured(jobs, bounds, measurable, lines, workers)
    if plot_file is not None:
        plot.plot(rows, Path(plot_file))
    _finish(rows, names, complete)


def _opened(file: str) -> TextIO:
    try:
        return Path(file).open("w", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"'{file}' cannot be written: {error.strerror}") from error


def _measured(
    jobs: Sequence[Job], bounds: Bounds, peers: Sequence[Peer], lines: TextIO | None, workers: int
) -> tuple[list[Row], bool]:
    """The rows, and whether these are all of them; Ctrl-C ends the run, not the report."""
    from benchmarks.runner import run  # noqa: PLC0415 - `qismc --help` should be quick
    from benchmarks.table import json_line  # noqa: PLC0415

    rows: list[Row] = []
    with Progress(*Progress.get_default_columns(), console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(jobs[0].name, total=len(jobs))
        try:
            for row in run(jobs, bounds, peers, workers):
                rows.append(row)
                if lines is not None:
                    print(json_line(row), file=lines, flush=True)
                following = jobs[len(rows)].name if len(rows) < len(jobs) else "done"
                progress.update(task, advance=1, description=following)
        except KeyboardInterrupt:
            return rows, False
    return rows, True


def _finish(rows: list[Row], peers: Sequence[str], complete: bool) -> NoReturn:
    from benchmarks import scaling  # noqa: PLC0415 - `qismc --help` should be quick
    from benchmarks.table import exit_status, remarks, table  # noqa: PLC0415

    console = Console(highlight=False)
    wide = console if console.is_terminal else Console(highlight=False, width=WIDTH)
    wide.print(table(rows, peers))
    for remark in [*remarks(rows), *scaling.remarks(rows)]:
        wide.print(remark)
    status = exit_status(rows)
    if not complete:
        wide.print(f"interrupted after {len(rows)} rows")
        status = status if any(row.wrong for row in rows) else INTERRUPTED
    sys.exit(status)
