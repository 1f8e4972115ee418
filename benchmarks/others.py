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
SETTLED_SECONDS, MOST_REPEATS = 0.05, 100
"""Short runs are repeated until they have taken this together, or so often: an interpreter that has seen code
a few times only is slower than it stays."""

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
    """The least processor time of several runs, more of them where they are short; None if one failed."""
    best, total = math.inf, 0.0
    for number in range(1, max(repeats, MOST_REPEATS) + 1):
        others, start = others_seconds(), time.thread_time()
        if not run():
            return None
        own = time.thread_time() - start
        time.sleep(REST_SECONDS)
        spent = own + max(0.0, others_seconds() - others)  # two clocks, read one after the other
        best, total = min(best, spent), total + spent
        if total > ENOUGH_SECONDS or (number >= repeats and (repeats == 1 or total > SETTLED_SECONDS)):
            break
    return best
