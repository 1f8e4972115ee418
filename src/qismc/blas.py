"""How many threads NumPy's linear algebra takes while a check runs.

NumPy and SciPy bring libraries whose threads are as many as the machine has cores, and wait for work by
keeping them busy. Only threadpoolctl can tell libraries that are loaded already; without it they do as they
please.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from importlib import import_module
from typing import Any

BRINGERS = ("numpy", "scipy.linalg")
"""Modules that load libraries of linear algebra, each its own."""


@contextmanager
def blas_threads(most: int) -> Iterator[None]:
    """Within it, linear algebra takes at most so many threads, if threadpoolctl is there."""
    with _limited(most):
        yield


def _limited(most: int) -> AbstractContextManager[Any]:
    controller = _controller(tuple(name for name in BRINGERS if name in sys.modules))
    if controller is None or not any(library["num_threads"] > most for library in controller.info()):
        return nullcontext()
    limited: AbstractContextManager[Any] = controller.limit(limits=most, user_api="blas")
    return limited


@cache
def _controller(_: tuple[str, ...]) -> Any:
    """Of the libraries that such modules have brought; None without threadpoolctl."""
    try:
        threadpoolctl = import_module("threadpoolctl")
    except ImportError:
        return None
    return threadpoolctl.ThreadpoolController().select(user_api="blas")
