"""How many threads NumPy's linear algebra takes while a check runs.

NumPy and SciPy bring libraries whose threads are as many as the machine has cores, and wait for work by
keeping them busy. Only threadpoolctl can tell libraries that are loaded already; without it they do as they
please.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from typing import Any

BRINGERS = ("numpy", "scipy.linalg")
"""Modules that load libraries of linear algebra, each its own."""


class blas_threads:  # noqa: N801 - read as a function
    """Within it, linear algebra takes at most so many threads, if threadpoolctl is there."""

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
