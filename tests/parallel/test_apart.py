"""Processes of their own: hangs, deaths, hunger for memory, and the innocent beside them."""

from __future__ import annotations

import multiprocessing
import os
import time

import pytest

from qismc.parallel.apart import Apart, Died, OutOfTime, Walls

from .work import die, eat, failing, sleep, square


def test_a_process_that_hangs_is_ended_and_the_others_answer() -> None:
    with Apart(2, Walls(seconds=4.0)) as executor:
        hanging, fine = executor.submit(sleep, 60), executor.submit(square, 5)
        assert fine.result() == 25
        with pytest.raises(OutOfTime, match="no answer within 4 s"):
            hanging.result()


def test_a_process_that_dies_leaves_its_status() -> None:
    with Apart(1, Walls(30)) as executor, pytest.raises(Died, match="ended with status 7"):
        executor.submit(die, 7).result()


def test_memory_is_bounded_where_nothing_polls() -> None:
    with Apart(1, Walls(30, memory_mb=500)) as executor:
        with pytest.raises(RuntimeError, match="MemoryError"):
            executor.submit(eat, 3_000_000_000).result()
        assert executor.submit(eat, 1_000_000).result() == 1_000_000


def test_failures_carry_their_message_and_processes_have_one_thread() -> None:
    with Apart(1, Walls(30)) as executor:
        with pytest.raises(RuntimeError, match="ValueError: no 3"):
            executor.submit(failing, 3).result()
        assert os.environ["OMP_NUM_THREADS"], "the server of processes inherits it when it is started"


def test_a_shutdown_ends_what_runs() -> None:
    others = set(multiprocessing.active_children())
    executor = Apart(1, Walls())
    executor.submit(sleep, 600)
    while not (own := set(multiprocessing.active_children()) - others):
        time.sleep(0.01)
    executor.shutdown(wait=True, cancel_futures=True)
    assert not own & set(multiprocessing.active_children())
