"""How another tool is measured: prepared once, then run several times; the best processor time counts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

try:
    import resource
except ImportError:  # Windows: only this process is measured then
    resource = None  # type: ignore[assignment]

Run = Callable[[], bool]
"""Runs a prepared circuit once; False if the tool could not."""

ENOUGH_SECONDS = 2.0
"""Whatever the number of repeats is: nothing is repeated that has taken so long already."""


REST_SECONDS = 0.002
"""The time of a thread is booked when it leaves the processor; before, its latest work may be missing."""


def others_seconds() -> float:
    """The processor time of other threads, and of processes that this one waited for."""
    seconds = time.process_time() - time.thread_time()
    if resource is None:
        return seconds
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds + children.ru_utime + children.ru_stime


def best_of(run: Run, repeats: int) -> float | None:
    """The least processor time of several runs; None if one failed."""
    best, total = math.inf, 0.0
    for _ in range(repeats):
        others, start = others_seconds(), time.thread_time()
        if not run():
            return None
        own = time.thread_time() - start
        time.sleep(REST_SECONDS)
        spent = own + others_seconds() - others
        best, total = min(best, spent), total + spent
        if total > ENOUGH_SECONDS:
            break
    return best
