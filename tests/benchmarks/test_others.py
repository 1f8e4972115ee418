"""The best of several runs counts; a failed one means that there is no time."""

from __future__ import annotations

from itertools import chain, repeat

from benchmarks import others
from benchmarks.others import best_of


def test_the_least_time_counts() -> None:
    loops = chain([400_000, 1_000], repeat(400_000))
    once = best_of(lambda: sum(range(400_000)) > 0, 1)
    best = best_of(lambda: sum(range(next(loops))) > 0, 3)
    assert best is not None and once is not None and 0 <= best < once


def test_short_runs_are_repeated_further() -> None:
    done: list[int] = []

    def run() -> bool:
        done.append(1)
        return True

    assert best_of(run, 3) is not None and len(done) == others.MOST_REPEATS
    done.clear()
    assert best_of(run, 1) is not None and len(done) == 1


def test_failures_have_no_time() -> None:
    answers = iter([True, False, True])
    assert best_of(lambda: next(answers), 3) is None
    assert next(answers) is True  # nothing ran after the failure
