"""Results in order, and none lost when workers are killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from qismc.parallel import runner
from qismc.parallel.runner import Gone, Inline, Lent, Pool, Runner, processes

from .work import failing, square, square_of


def lost(item: object, why: str) -> int:
    assert why
    return -1


def test_inline_and_threads_answer_in_order() -> None:
    wanted = [k * k for k in range(200)]
    assert list(Runner(square, lost, Inline).run(range(200))) == wanted
    assert list(Runner(square, lost, lambda: ThreadPoolExecutor(3)).run(range(200))) == wanted


def test_processes_answer_in_order() -> None:
    assert list(Runner(square, lost, processes(2)).run(range(20))) == [k * k for k in range(20)]


def test_ctrl_c_does_not_reach_the_workers() -> None:
    """A worker that died of it between two pieces of work would leave the queue's lock taken."""
    pool = processes(2)()
    ids = {pool.submit(os.getpid).result() for _ in range(20)}
    for worker in ids:
        os.kill(worker, signal.SIGINT)
    assert [pool.submit(square, k).result() for k in range(20)] == [k * k for k in range(20)]
    pool.shutdown()


def test_what_is_under_way_is_killed_when_nobody_waits_for_it() -> None:
    pool = processes(2)()
    assert isinstance(pool, Pool)
    pool.submit(square, 3).result()
    for _ in range(5):
        pool.submit(time.sleep, 3600)
    workers = list(pool._processes.values())
    pool.shutdown(wait=True, cancel_futures=True)
    for worker in workers:
        worker.join(60)
    assert workers and all(worker.exitcode is not None for worker in workers)


def test_a_killed_worker_costs_a_retry_and_never_a_row(tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.write_text("once")
    items = [(k, str(trap) if k == 5 else "") for k in range(12)]
    assert list(Runner(square_of, lost, processes(2)).run(items)) == [k * k for k in range(12)]
    assert not trap.exists()


def test_a_pool_that_breaks_between_two_submissions_costs_a_retry() -> None:
    class Fragile(Inline):
        """The first pool dies of its third piece of work, and refuses the next."""

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            taken.append(args)
            if len(taken) == 3:
                dying: Future[Any] = Future()
                dying.set_exception(BrokenExecutor("a worker died"))
                return dying
            if len(taken) == 4:
                raise BrokenExecutor("the pool is not usable anymore")
            return super().submit(fn, *args, **kwargs)

    taken: list[Any] = []
    assert list(Runner(square, lost, Fragile).run(range(9))) == [k * k for k in range(9)]


@pytest.mark.parametrize("refuses", [False, True])
def test_an_executor_that_goes_away_ends_the_run(refuses: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent(Inline):
        """It answers three times; later futures stay open, or there are none."""

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            taken.append(args)
            if len(taken) <= 3:
                return super().submit(fn, *args, **kwargs)
            if refuses:
                raise RuntimeError("closed")
            return Future()

    taken: list[Any] = []
    monkeypatch.setattr(runner, "LOOK_SECONDS", 0.01)
    lent = Lent(Silent(), lambda: "it has gone" if len(taken) > 3 and len(found) == 3 else None)
    found: list[int] = []
    with pytest.raises(Gone, match="it has gone"):
        for answer in Runner(square, lost, lambda: lent).run(range(9)):
            found.append(answer)
    assert found == [0, 1, 4]


def test_what_always_kills_its_worker_is_given_up_and_nothing_else(tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.write_text("always")
    items = [(k, str(trap) if k == 3 else "") for k in range(8)]
    wanted = [k * k if k != 3 else -1 for k in range(8)]
    assert list(Runner(square_of, lost, processes(2)).run(items)) == wanted


def test_work_that_raises_is_given_up() -> None:
    assert list(Runner(failing, lost, Inline).run(range(3))) == [-1, -1, -1]
