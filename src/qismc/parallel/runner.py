"""Many independent pieces of work on any `concurrent.futures.Executor`: results in order, none lost.

A worker that dies takes its process pool with it, and the innocent with the guilty. What was under way is
then done again one by one, so that the next death has one cause; what kills its worker again is given up.
"""

from __future__ import annotations

import os
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, TimeoutError
from typing import Any, Generic, TypeVar

from qismc.errors import UsageError
from qismc.parallel.apart import context, end_with_parent

Item = TypeVar("Item")
Answer = TypeVar("Answer")

RETRIES = 2
"""A piece of work whose worker dies more often than this is given up."""
ONCE = 0
"""For failures that would be the same again, in workers that take nothing else with them."""
UNDER_WAY = 64
"""Pieces of work that wait for workers, so that none of these is idle."""


class Inline(Executor):
    """Works in the calling thread, when something is submitted."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


LOOK_SECONDS = 1.0
"""An executor that may go away is looked at so often."""


def _stays() -> None:
    return None


class Gone(UsageError):  # noqa: N818 - the name says what happened
    """The executor has gone away: no answer comes any more."""


class Lent(Executor):
    """An executor that belongs to somebody else: it is not ours to shut down, and it may go away."""

    def __init__(self, executor: Executor, gone: Callable[[], str | None] = _stays) -> None:
        self._executor = executor
        self.gone = gone
        """Why nothing comes from it any more; None while it is there."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return self._executor.submit(fn, *args, **kwargs)


class Pool(ProcessPoolExecutor):
    """A pool of processes. If it is shut down while work is under way, its processes are killed at once."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        unfinished = cancel_futures and bool(self._pending_work_items)
        running = list((self._processes or {}).values()) if unfinished else []
        super().shutdown(wait and not unfinished, cancel_futures=cancel_futures)
        for process in running:
            process.kill()


def _worker() -> None:
    """Start of a worker: Ctrl-C is the parent's business. A worker that it hits between two pieces of work
    dies with a lock of the pool's queue, and then the parent waits for the other workers for ever."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def processes(jobs: int | None = None, preload: Sequence[str] = ()) -> Callable[[], Executor]:
    """Makes pools of processes that share no state with this one."""
    start = context(preload)
    return lambda: Pool(jobs or os.cpu_count() or 1, mp_context=start, initializer=_worker)


class Runner(Generic[Item, Answer]):
    """`work` on items; `lost` says what the answer is for an item that no worker survives."""

    def __init__(
        self,
        work: Callable[[Item], Answer],
        lost: Callable[[Item, str], Answer],
        pool: Callable[[], Executor],
        under_way: int = UNDER_WAY,
        retries: int = RETRIES,
    ) -> None:
        self._work, self._lost = work, lost
        self._pool, self._under_way, self._retries = pool, under_way, retries
        self._suspects = 0
        """So many of the next items are done one by one."""
        self._deaths: Counter[int] = Counter()

    def run(self, items: Iterable[Item]) -> Iterator[Answer]:
        """The answers in the order of the items."""
        waiting = deque(enumerate(items))
        flying: deque[tuple[int, Item, Future[Answer]]] = deque()
        executor = self._pool()
        try:
            while waiting or flying:
                while waiting and len(flying) < (1 if self._suspects else self._under_way):
                    number, item = waiting.popleft()
                    flying.append((number, item, self._submitted(executor, item)))
                number, item, future = flying[0]
                try:
                    answer = self._waited(executor, future)
                except BrokenExecutor as death:
                    executor.shutdown(wait=False, cancel_futures=True)
                    executor = self._pool()
                    if len(flying) > 1 or self._may_retry(number):
                        self._again(waiting, flying)
                        continue
                    answer = self._lost(item, str(death))
                except Gone:
                    raise
                except Exception as death:  # what an executor raises when a worker is lost is its own affair
                    if self._may_retry(number):
                        flying[0] = (number, item, self._submitted(executor, item))
                        continue
                    answer = self._lost(item, f"{type(death).__name__}: {death}")
                flying.popleft()
                self._suspects = max(0, self._suspects - 1)
                yield answer
        finally:
            executor.shutdown(wait=False, cancel_futures=True)

    def _waited(self, executor: Executor, future: Future[Answer]) -> Answer:
        """What the work returns; raises what it raised, and Gone."""
        while isinstance(executor, Lent):
            if why := executor.gone():
                raise Gone(why)
            try:
                return future.result(LOOK_SECONDS)
            except TimeoutError:
                if future.done():
                    break
        return future.result()

    def _submitted(self, executor: Executor, item: Item) -> Future[Answer]:
        """The future of an item; a pool that broke meanwhile refuses it, which its future then tells."""
        try:
            return executor.submit(self._work, item)
        except Exception as death:
            refused: Future[Answer] = Future()
            refused.set_exception(death)
            return refused

    def _may_retry(self, number: int) -> bool:
        self._deaths[number] += 1
        return self._deaths[number] <= self._retries

    def _again(
        self, waiting: deque[tuple[int, Item]], flying: deque[tuple[int, Item, Future[Answer]]]
    ) -> None:
        """Everything under way once more, one by one."""
        self._suspects = max(self._suspects, len(flying))
        while flying:
            number, item, _ = flying.pop()
            waiting.appendleft((number, item))
