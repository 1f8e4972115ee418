"""`qismc campaign`: which faults does a specification notice?"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console

from qismc.cli import options as given
from qismc.cli.options import named, watched
from qismc.cli.status import INTERRUPTED
from qismc.cli.terminal import progress_bar
from qismc.common.choices import engine_and_store
from qismc.common.files import check_writable
from qismc.common.loading import loading
from qismc.errors import QismcError, UsageError
from qismc.limits import Limits

WIDTH = 160
"""Of the table where no terminal says how wide it is."""


@click.command()
@click.argument("programs", nargs=-1, required=True, metavar="FILE|FOLDER...")
@click.option("--spec", "specs", multiple=True, metavar="FORMULA", help="instead of the //@ spec lines")
@given.PROPS
@given.INCLUDE
@given.INIT
@click.option("--faults", metavar="KINDS", help="kinds of edits, with commas; default: all")
@click.option("--count", type=click.IntRange(1), default=100, show_default=True, help="mutants of a program")
@click.option("--seed", type=int, metavar="N", help="of random choices: which mutants are made")
@click.option("--jobs", type=click.IntRange(1), help="processes; default: one per core")
@click.option("--dask", metavar="ADDRESS", help="of the scheduler of a Dask cluster that does the work")
@given.METHOD
@click.option(
    "--timeout", type=float, default=10.0, show_default=True, metavar="S", help="seconds per mutant"
)
@click.option("--memory", type=float, metavar="MB", help="megabytes of a process that checks mutants")
@given.written("--out", "JSON lines; resumed if they exist")
def campaign(
    programs: tuple[str, ...],
    *,
    specs: tuple[str, ...],
    faults: str | None,
    jobs: int | None,
    dask: str | None,
    out: str | None,
    **options: Any,
) -> None:
    """Check mutants of correct programs: their own //@ spec lines, or the states that they end in.

    Exit status: 0 done, 2 wrong input or a cluster that has gone away, 130 interrupted.
    """
    with loading():
        from qismc.campaigns import Unsuitable, mutants  # noqa: PLC0415 - `--help` should be quick
        from qismc.campaigns import named as called  # noqa: PLC0415
        from qismc.edits import KINDS  # noqa: PLC0415

    if jobs is not None and dask is not None:
        raise UsageError("--jobs and --dask exclude each other")
    check_writable(out)
    kinds = tuple(KINDS) if faults is None else tuple(kind.strip() for kind in faults.split(","))
    how = {name: value for name, value in named(options).items() if value is not None}
    timeout, memory = how.pop("timeout"), how.pop("memory", None)
    limits = Limits(seconds=timeout, memory_mb=memory)
    how["engine"], how["store"] = engine_and_store(how.pop("method"), how.pop("numbers"))
    chosen = []
    with watched(limits):
        things = list(called(list(programs)))
    for name, thing in things:
        with watched(limits):
            found = mutants(name, thing, list(specs) or None, kinds=kinds, limits=limits, **how)
        if isinstance(found, Unsuitable):
            click.echo(f"left out: {found.name}: {found.reason}", err=True)
        else:
            chosen += found
    if not chosen:
        raise UsageError("there is no program to make mutants of")
    _run(chosen, jobs, dask, out)


@contextmanager
def _pool(jobs: int | None, dask: str | None) -> Iterator[Callable[[], Executor]]:
    with loading():
        from qismc.campaigns import PRELOAD, dask_pool  # noqa: PLC0415 - `--help` should be quick
        from qismc.parallel import processes  # noqa: PLC0415

    if dask is not None:
        with dask_pool(dask) as pool:
            yield pool
    else:
        yield processes(jobs or os.cpu_count() or 1, PRELOAD)


def _run(chosen: Sequence[Any], jobs: int | None, dask: str | None, out: str | None) -> None:
    with loading():
        from qismc.campaigns import report, rows  # noqa: PLC0415 - `--help` should be quick

    found: list[Any] = []
    cause: BaseException | None = None
    start = time.perf_counter()
    with _pool(jobs, dask) as pool, progress_bar("mutants", len(chosen)) as advance:
        try:
            for row in rows(chosen, pool, out):
                found.append(row)
                advance()
        except (KeyboardInterrupt, QismcError) as reason:  # the rows so far are shown
            cause = reason
    console = Console(highlight=False)
    wide = console if console.is_terminal else Console(highlight=False, width=WIDTH)
    wide.print(report(found, time.perf_counter() - start))
    if cause is not None:
        wide.print(f"interrupted after {len(found)} of {len(chosen)} mutants")
        if isinstance(cause, QismcError):
            raise cause
        sys.exit(INTERRUPTED)
