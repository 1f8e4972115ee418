"""Loading modules that are large or have native code."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from qismc.common.process import bulk_allocation, unbounded_address_space

WAITING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGALRM") if hasattr(signal, name))


class _Later:
    """Handlers of Python that wait. To block the signals is not enough: any other thread may receive them,
    and their handlers then run in the main thread all the same."""

    def __init__(self) -> None:
        self._handlers: dict[int, Any] = {}
        self._came: list[int] = []
        self._waits = True

    def begin(self) -> None:
        for number in WAITING:
            handler = signal.getsignal(number)
            if callable(handler):
                self._handlers[number] = handler
                signal.signal(number, self._handle)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if not self._waits:  # as if the handler were back already
            self._handlers[number](number, frame)
        elif number not in self._came:
            self._came.append(number)

    def end(self) -> None:
        """Bring the handlers back and call those that waited; may be called again after one has raised."""
        self._waits = False
        for number, handler in self._handlers.items():
            if signal.getsignal(number) == self._handle:
                signal.signal(number, handler)
        while self._came:
            signal.raise_signal(self._came.pop())


@contextmanager
def loading(*modules: str) -> Iterator[None]:
    """Inside, no limit and no Ctrl-C raises an exception; both do when the modules are there.

    Native code does not expect exceptions of signal handlers while it sets itself up: Qiskit's ended the
    process. Nor does it say that address space was missing, but that something is broken. The garbage
    collector pauses, because modules are a hundred thousand objects and no garbage.

    Where `modules` are loaded already, nothing waits: that saves 30 microseconds of every check.
    """
    if modules and all(name in sys.modules for name in modules):
        yield
        return
    if threading.current_thread() is not threading.main_thread():
        with bulk_allocation():
            yield
        return
    later = _Later()
    try:
        later.begin()
        with bulk_allocation(), unbounded_address_space():
            yield
    finally:
        try:
            later.end()
        except BaseException:  # the handlers of both have come
            later.end()
            raise
