"""The rows of jobs: every one in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from benchmarks.measure import measure, warm_up
from benchmarks.peers import Peer, measure_peer
from benchmarks.row import Bounds, Job, Row, unanswered
from qismc.parallel.apart import Apart, Walls
from qismc.parallel.runner import ONCE, Runner

GRACE_SECONDS = 40.0
"""Beyond the time limit: for reading the input, the independent simulation, a look at an execution, and an
orderly end."""
PEER_GRACE_SECONDS = 5.0
"""For loading a peer and preparing its circuit; each peer has the time limit to itself."""
MEMORY_SLACK = 2.0
"""The hard limit of the address space, in units of the memory limit; the soft one acts before it."""
PRELOAD = ("benchmarks.measure",)


@dataclass(frozen=True)
class _Peered:
    job: Job
    peer: Peer


def run(jobs: Sequence[Job], bounds: Bounds, peers: Sequence[Peer] = (), workers: int = 1) -> Iterator[Row]:
    """The rows of the jobs in order; `workers` of them are measured at the same time."""
    own = Runner(
        partial(_measured, bounds),
        partial(_unmeasured, bounds),
        lambda: Apart(workers, _walls(bounds, GRACE_SECONDS), PRELOAD),
        under_way=workers,
        retries=ONCE,
    ).run(jobs)
    others = Runner(
        partial(_measured_peer, bounds),
        _unmeasured_peer,
        lambda: Apart(1, _walls(bounds, PEER_GRACE_SECONDS), PRELOAD),
        under_way=1,
        retries=ONCE,
    )
    for job, row in zip(jobs, own, strict=True):
        times = others.run([_Peered(job, peer) for peer in peers])
        names = [peer.name for peer in peers]
        yield replace(row, peers=dict(zip(names, times, strict=True)))


def _walls(bounds: Bounds, grace: float) -> Walls:
    return Walls(bounds.seconds + grace, MEMORY_SLACK * bounds.memory_mb)


def _measured(bounds: Bounds, job: Job) -> Row:
    warm_up()
    return measure(job, bounds)


def _unmeasured(bounds: Bounds, job: Job, why: str) -> Row:
    """The row of a job whose process hung or died."""
    kind, _, message = why.partition(": ")
    if kind == "OutOfTime":
        return unanswered(job.name, "unknown", f"limit: no answer within {bounds.seconds:g} s")
    return unanswered(job.name, "error", message)


def _measured_peer(bounds: Bounds, item: _Peered) -> float | None:
    return measure_peer(item.peer, item.job, bounds)


def _unmeasured_peer(_: _Peered, __: str) -> None:
    return None
