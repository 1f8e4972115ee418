"""Every row in a process of its own, with limits that hold whatever happens inside."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any

from qismc.bench.measure import measure, warm_up
from qismc.bench.peers import measure_peer
from qismc.bench.row import Bounds, Job, Row, unanswered
from qismc.limits import MIB

GRACE_SECONDS = 20.0
"""Beyond the time limit: for reading the input, the independent simulation and an orderly end."""
PEER_GRACE_SECONDS = 2.0
"""For loading a peer and preparing its circuit."""
MEMORY_SLACK = 2.0
"""The hard limit of the address space, in units of the memory limit; the soft one acts before it."""
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")
"""Rows are measured on one core; a variable that is set already stays as it is."""


def run(jobs: Sequence[Job], bounds: Bounds, peers: Sequence[str] = ()) -> Iterator[Row]:
    """The rows of the jobs, one after the other."""
    context = _context()
    for job in jobs:
        row = run_one(context, job, bounds)
        found = {name: _seconds_of_peer(context, name, job, bounds) for name in peers}
        yield replace(row, peers=found)


def run_one(context: ForkServerContext, job: Job, bounds: Bounds) -> Row:
    """The row of one job, also if its process hangs or dies."""
    answer = _in_process(context, _measured, (job, bounds), bounds, GRACE_SECONDS)
    if isinstance(answer, Row):
        return answer
    if answer is None:
        return unanswered(job.name, "unknown", f"limit: no answer within {bounds.seconds:g} s")
    return unanswered(job.name, "error", str(answer))


def _context() -> ForkServerContext:
    """Rows are forked from a server that has loaded the modules, so that starting one is quick."""
    for variable in ONE_THREAD:
        os.environ.setdefault(variable, "1")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["qismc.bench.measure"])
    return context


def _seconds_of_peer(context: ForkServerContext, name: str, job: Job, bounds: Bounds) -> float | None:
    answer = _in_process(context, measure_peer, (name, job), bounds, PEER_GRACE_SECONDS)
    return answer if isinstance(answer, float) else None


def _measured(job: Job, bounds: Bounds) -> Row:
    warm_up()
    return measure(job, bounds)


def _in_process(
    context: ForkServerContext,
    work: Callable[..., Any],
    arguments: tuple[Any, ...],
    bounds: Bounds,
    grace: float,
) -> Any:
    """What `work` returns in a new process; None after a timeout, a message if it failed."""
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(sender, work, arguments, bounds), daemon=True)
    process.start()
    sender.close()
    try:
        if not receiver.poll(bounds.seconds + grace):
            return None
        return receiver.recv()
    except EOFError:
        process.join()
        return f"the process ended with status {process.exitcode}"
    finally:
        process.kill()
        process.join()
        receiver.close()


def _child(
    sender: Connection[Any, Any], work: Callable[..., Any], arguments: tuple[Any, ...], bounds: Bounds
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business: it ends this process
    _bound_memory(bounds)
    try:
        answer = work(*arguments)
    except Exception as error:  # a crash is a row, too
        answer = f"{type(error).__name__}: {error}"
    sender.send(answer)


def _bound_memory(bounds: Bounds) -> None:
    """A hard limit on what is allocated from now on, for loops that poll no limits."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    wanted = int(_address_space() + MEMORY_SLACK * bounds.memory_mb * MIB)
    resource.setrlimit(resource.RLIMIT_AS, (wanted if most < 0 else min(wanted, most), most))


def _address_space() -> int:
    """The virtual size of this process in bytes; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return 0
    return pages * resource.getpagesize()
