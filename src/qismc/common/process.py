"""The process that checks run in: its size, its garbage collector, the threads of its linear algebra.

What a check changes here it puts back. Every check passes here, so what it enters are classes: generators
take longer.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from threading import Lock
from typing import Any, ClassVar

try:
    import resource
except ImportError:  # Windows: sizes of processes are then not known
    resource = None  # type: ignore[assignment]

MIB = 1 << 20
MOST_BYTES = 1 << 62
"""Limits of memory beyond this are none: the system has no larger numbers."""


def peak_memory_mb() -> float:
    """The largest resident size of this process so far; 0 where the system does not tell."""
    if resource is None:
        return 0.0
    unit = MIB if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def _pages() -> tuple[float, float]:
    """Virtual and resident size of this process in bytes; raises OSError where the system does not tell."""
    with open("/proc/self/statm", encoding="ascii") as statm:  # noqa: PTH123 - polled often
        total, resident = statm.read().split()[:2]
    size = resource.getpagesize()
    return int(total) * size, int(resident) * size


def resident_memory_mb() -> float:
    """The resident size of this process now (its peak where the system does not tell)."""
    try:
        return _pages()[1] / MIB
    except OSError:
        return peak_memory_mb()


_bounds: list[int] = []
"""Of `bound_address_space`, the newest last: bounds of others are not ours to move."""


def bound_address_space(further_mb: float) -> Callable[[], None]:
    """A hard limit on what is allocated from now on, for loops that poll no limits; and how to lift it."""
    if resource is None or not hasattr(resource, "RLIMIT_AS") or not further_mb * MIB < MOST_BYTES:
        return lambda: None
    try:
        now = _pages()[0]
    except OSError:
        return lambda: None
    before, most = resource.getrlimit(resource.RLIMIT_AS)
    there = [limit for limit in (before, most) if limit != resource.RLIM_INFINITY]
    bound, ours = min([int(now + further_mb * MIB), *there]), _bounds[:]

    def lift() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (before, most))
        _bounds[:] = ours

    if bound != before:
        _bounds.append(bound)
        resource.setrlimit(resource.RLIMIT_AS, (bound, most))
    return lift


@contextmanager
def unbounded_address_space() -> Iterator[None]:
    """Inside, a bound of `bound_address_space` is lifted; then it is back, larger by what was allocated."""
    if resource is None or not _bounds:
        yield
        return
    bound, most = resource.getrlimit(resource.RLIMIT_AS)
    if bound != _bounds[-1]:
        yield
        return
    size = _pages()[0]
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        yield
    finally:
        larger = bound + int(_pages()[0] - size)
        _bounds[-1] = larger if most < 0 else min(larger, most)
        resource.setrlimit(resource.RLIMIT_AS, (_bounds[-1], most))


RARELY = (100_000, 20, 100)
"""New objects before the young ones are looked through, and so on; Python's own numbers are 700, 10, 10."""


class bulk_allocation:  # noqa: N801 - read as a function
    """Pause the cyclic garbage collector: programs and locations are a million objects and no garbage."""

    def __enter__(self) -> None:
        self._was_enabled = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        if self._was_enabled:
            gc.enable()


class rare_collection:  # noqa: N801 - read as a function
    """Look for cyclic garbage seldom: what a check keeps grows large, and looking through it is dear.

    The numbers belong to the process: of checks on several threads the last one that ends brings them back.
    """

    _lock: ClassVar = Lock()
    _inside: ClassVar[int] = 0
    _before: ClassVar[tuple[int, int, int]]

    def __enter__(self) -> None:
        cls = rare_collection
        with cls._lock:
            if cls._inside == 0:
                cls._before = gc.get_threshold()
                gc.set_threshold(*RARELY)
            cls._inside += 1

    def __exit__(self, *_: object) -> None:
        cls = rare_collection
        with cls._lock:
            cls._inside -= 1
            if cls._inside == 0:
                gc.set_threshold(*cls._before)


BRINGERS = ("numpy", "scipy.linalg")
"""Modules that load libraries of linear algebra, each its own."""


class blas_threads:  # noqa: N801 - read as a function
    """Within it, linear algebra takes at most so many threads, if threadpoolctl is there.

    NumPy and SciPy bring libraries whose threads are as many as the machine has cores, and wait for work by
    keeping them busy. Only threadpoolctl can tell libraries that are loaded already.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._before: list[tuple[Any, int]] = []

    def __enter__(self) -> None:
        for library in _libraries(tuple([name for name in BRINGERS if name in sys.modules])):
            threads = library.get_num_threads()
            if threads > self._most:
                self._before.append((library, threads))
                library.set_num_threads(self._most)

    def __exit__(self, *_: object) -> None:
        while self._before:
            library, threads = self._before.pop()
            library.set_num_threads(threads)


@cache
def _libraries(_: tuple[str, ...]) -> list[Any]:
    """What such modules have brought, as threadpoolctl controls it; nothing without it."""
    try:
        threadpoolctl = import_module("threadpoolctl")
    except ImportError:
        return []
    found: list[Any] = threadpoolctl.ThreadpoolController().select(user_api="blas").lib_controllers
    return found
