"""Rows of processes: in order, crashes included."""

from __future__ import annotations

import pytest

from benchmarks import runner
from benchmarks.row import Bounds, Job

JOBS = [
    Job("right", "case", "ghz", {"n": 4}),
    Job("crash", "case", "ghz", {"n": 1}),
    Job("broken", "case", "ghz", {"n": 4, "broken": "diffusion"}),
]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_crash_is_a_row_and_the_others_go_on(workers: int) -> None:
    right, crash, broken = runner.run(JOBS, Bounds(60, 4000), workers=workers)
    assert (right.verdict, right.expected) == ("holds", "holds")
    assert (broken.verdict, broken.expected) == ("violated", "violated")
    assert crash.verdict == "error"
    assert crash.reason is not None and "n is 1; it must be at least 2" in crash.reason


def test_a_process_that_hangs_leaves_an_unknown_row() -> None:
    row = runner._unmeasured(Bounds(3, 1), JOBS[0], "OutOfTime: no answer within 23 s")
    assert (row.verdict, row.reason) == ("unknown", "limit: no answer within 3 s")


def test_a_process_that_dies_leaves_its_status() -> None:
    row = runner._unmeasured(Bounds(3, 1), JOBS[0], "Died: the process ended with status 7")
    assert (row.verdict, row.reason) == ("error", "the process ended with status 7")
