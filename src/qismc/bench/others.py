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


def own_seconds() -> float:
    """The processor time of this process and of those that it waited for."""
    if resource is None:
        return time.process_time()
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def best_of(run: Run, repeats: int) -> float | None:
    """The least processor time of several runs; None if one failed."""
    best, begin = math.inf, own_seconds()
    for _ in range(repeats):
        start = own_seconds()
        if not run():
            return None
        best = min(best, own_seconds() - start)
        if own_seconds() - begin > ENOUGH_SECONDS:
            break
    return best
