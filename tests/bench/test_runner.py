"""Rows of processes: answers, crashes, hangs, hunger for memory."""

from __future__ import annotations

import os
import time

from qismc.bench import runner
from qismc.bench.row import Bounds, Job

JOBS = [
    Job("right", "case", "ghz", {"n": 4}),
    Job("crash", "case", "ghz", {"n": 1}),
    Job("broken", "case", "ghz", {"n": 4, "broken": "diffusion"}),
]


def test_a_crash_is_a_row_and_the_others_go_on() -> None:
    right, crash, broken = runner.run(JOBS, Bounds(60, 4000))
    assert (right.verdict, right.expected) == ("holds", "holds")
    assert (broken.verdict, broken.expected) == ("violated", "violated")
    assert crash.verdict == "error"
    assert crash.reason is not None and "n is 1; it must be at least 2" in crash.reason


def sleep() -> None:
    time.sleep(60)


def die() -> None:
    os._exit(7)


def eat() -> int:
    return len(bytearray(3_000_000_000))


def test_a_process_that_hangs_is_ended() -> None:
    assert runner._in_process(runner._context(), sleep, (), Bounds(0.5, 4000), 1.0) is None


def test_a_process_that_dies_leaves_its_status() -> None:
    assert (
        runner._in_process(runner._context(), die, (), Bounds(30, 4000), 1.0)
        == "the process ended with status 7"
    )


def test_memory_is_bounded_where_nothing_polls() -> None:
    assert runner._in_process(runner._context(), eat, (), Bounds(30, 500), 1.0) == "MemoryError: "
