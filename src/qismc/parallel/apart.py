"""Each piece of work in a process of its own, with limits that hold whatever happens inside."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from typing import Any

from qismc.common.process import bound_address_space

METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
"""Processes that share no state with this one; where it can be, forked from a server with loaded modules."""
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")
"""What is measured runs on one core; a variable that is set already stays as it is."""


class OutOfTime(Exception):  # noqa: N818 - the name says what happened
    """A process did not answer in its time, and was ended."""


class Died(Exception):  # noqa: N818 - the name says what happened
    """A process ended without an answer."""


@dataclass(frozen=True)
class Walls:
    """What a process may use at most; None means no limit."""

    seconds: float | None = None
    memory_mb: float | None = None
    """Of address space, beyond what the process has when it starts."""


def context(preload: Sequence[str] = ()) -> BaseContext:
    """How processes are started; modules of `preload` are loaded once for all of them."""
    found = multiprocessing.get_context(METHOD)
    if METHOD == "forkserver":
        found.set_forkserver_preload(["__main__", *preload])
    return found


class Apart(Executor):
    """At most `jobs` processes at a time; one that hangs or dies is the exception of its own piece alone."""

    def __init__(self, jobs: int, walls: Walls, preload: Sequence[str] = ()) -> None:
        for variable in ONE_THREAD:
            os.environ.setdefault(variable, "1")
        self._context = context(preload)
        self._walls = walls
        self._waiters = ThreadPoolExecutor(jobs)
        self._running: dict[int, Any] = {}
        self._over = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return self._waiters.submit(self._waited, partial(fn, *args, **kwargs))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End what still runs, if it is not waited for."""
        self._over = cancel_futures
        if cancel_futures:
            for process in list(self._running.values()):
                process.kill()
        self._waiters.shutdown(wait, cancel_futures=cancel_futures)

    def _waited(self, work: Callable[[], Any]) -> Any:
        """What `work` returns in a new process; raises what it raised, OutOfTime or Died."""
        receiver, sender = self._context.Pipe(duplex=False)
        process = self._context.Process(target=_child, args=(sender, work, self._walls), daemon=True)  # type: ignore[attr-defined]
        process.start()
        self._running[id(process)] = process
        sender.close()
        try:
            if self._over or not receiver.poll(self._walls.seconds):
                raise OutOfTime(f"no answer within {self._walls.seconds or 0:g} s")
            answer, error = receiver.recv()
        except EOFError:
            process.join()
            raise Died(f"the process ended with status {process.exitcode}") from None
        finally:
            process.kill()
            process.join()
            receiver.close()
            del self._running[id(process)]
        if error is not None:
            raise error
        return answer


def end_with_parent() -> None:
    """From now on this process ends when the one that asked for it does, though it be killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: Any) -> None:
    parent.join()
    os._exit(1)  # nobody is left to tell, and other threads may wait for ever


def _child(sender: Connection[Any, Any], work: Callable[[], Any], walls: Walls) -> None:
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business: it ends this process
    if walls.memory_mb is not None:
        bound_address_space(walls.memory_mb)
    answer, error = None, None
    try:
        answer = work()
    except Exception as problem:  # the parent decides what a failure means
        error = RuntimeError(f"{type(problem).__name__}: {problem}")
    sender.send((answer, error))
