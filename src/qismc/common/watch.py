"""Someone who looks at the clock and at the size of this process, whatever runs meanwhile.

Long loops poll their budgets. Readers, reports and other people's code do not: for these a timer of the
system interrupts the main thread several times a second, also inside native loops. The command line owns its
process. A library is a guest in one: it takes the timer only if a limit was asked for and nobody else has the
timer, and leaves Ctrl-C and the address space alone; in other threads budgets are all there is.
"""

from __future__ import annotations

import atexit
import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any

from qismc.common.process import bound_address_space, resident_memory_mb
from qismc.errors import Stopped
from qismc.limits import UNLIMITED, Budget, Limits, check_memory, out_of_time

EVERY_SECONDS = 0.1
GRACE_SECONDS = 0.4
"""For an orderly end after a limit, until it is enforced again; and for a report after the last second."""
GUEST_SECONDS = 0.9
"""Before this a guest lets budgets do: programs that are read by then end in UNKNOWN, not in an exception."""
GUEST_GRACE_SECONDS = 5.0
"""A guest's grace: to free much memory takes time, and an exception that comes then is the caller's."""
ADDRESS_SLACK = 2.0
"""Address space in units of the memory limit: what is reserved at once is not yet used."""


def disarm() -> None:
    """Stop the timer, if there is one."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)


class Watch:
    """Raises LimitReached in the main thread when time or memory is used up, and Stopped for Ctrl-C."""

    def __init__(
        self,
        limits: Limits | None = None,
        tick: Callable[[Watch], None] | None = None,
        *,
        guest: bool = False,
    ) -> None:
        self.limits = limits or UNLIMITED
        self._guest = guest
        self.stage = "reading"
        self.budget: Budget | None = None
        """Of the check that is under way, if it is known."""
        self._tick = tick
        self._start = self._not_before = time.monotonic()
        self._before: list[tuple[int, Any]] = []
        self._lift: Callable[[], None] = lambda: None

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._start

    @property
    def deadline(self) -> float:
        """When the time is over, by `time.monotonic`."""
        return math.inf if self.limits.seconds is None else self._start + self.limits.seconds

    @property
    def doing(self) -> str:
        """The stage, as the budget knows it if there is one."""
        return self.stage if self.budget is None else self.budget.stage

    @property
    def nodes(self) -> int:
        """The size of the largest vector so far; 0 if nobody knows."""
        return 0 if self.budget is None else self.budget.largest()

    def __enter__(self) -> Watch:
        self._start = self._not_before = time.monotonic()
        self._not_before += GUEST_SECONDS if self._guest else 0.0
        if threading.current_thread() is threading.main_thread():
            try:
                self._begin()
            except BaseException:  # Ctrl-C meanwhile
                self._end()
                raise
        return self

    def _begin(self) -> None:
        if not self._guest:
            self._handle(signal.SIGINT, self._stop)
        if hasattr(signal, "setitimer") and (not self._guest or self._may_take_the_timer()):
            self._handle(signal.SIGALRM, self._look)
            atexit.unregister(disarm)
            atexit.register(disarm)  # a timer that outlives its handler ends the process
            signal.setitimer(signal.ITIMER_REAL, EVERY_SECONDS, EVERY_SECONDS)
        if self.limits.memory_mb is not None and not self._guest:
            left = max(0.0, self.limits.memory_mb - resident_memory_mb())
            self._lift = bound_address_space(ADDRESS_SLACK * left + self.limits.memory_mb)

    def _may_take_the_timer(self) -> bool:
        """Is there something to watch, and is nobody using the timer?"""
        if self.limits.seconds is None and self.limits.memory_mb is None:
            return False
        free = signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
        return free and signal.getitimer(signal.ITIMER_REAL) == (0, 0)

    def _handle(self, number: int, handler: Callable[[int, FrameType | None], None]) -> None:
        self._before.append((number, signal.getsignal(number)))
        signal.signal(number, handler)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._end()
        except BaseException:  # Ctrl-C meanwhile
            self._end()
            raise

    def _end(self) -> None:
        """What is left to undo, in an order in which it may be interrupted and begun again."""
        if self._before:
            disarm()
        self._lift()
        while self._before:
            signal.signal(*self._before[-1])
            self._before.pop()

    def _stop(self, _: int, __: FrameType | None) -> None:
        raise Stopped

    def _look(self, _: int, __: FrameType | None) -> None:
        now = time.monotonic()
        if now >= self._not_before:
            self._not_before = now + (GUEST_GRACE_SECONDS if self._guest else GRACE_SECONDS)
            if self.limits.seconds is not None and self.elapsed > self.limits.seconds:
                raise out_of_time(self.limits, self.doing)
            check_memory(self.limits, self.doing)
            self._not_before = now
        if self._tick is not None:
            self._tick(self)

    def rest(self) -> None:
        """Enforce nothing until the last stage: what is decided must not be lost while memory is freed."""
        self._not_before = math.inf

    @contextmanager
    def finishing(self, stage: str, *, silent: bool = True) -> Iterator[None]:
        """A last stage, which has its grace even when the time is over; a silent one shows no progress."""
        self.stage, self.budget = stage, None
        self._tick = None if silent else self._tick
        self._not_before = time.monotonic() + GRACE_SECONDS
        yield
