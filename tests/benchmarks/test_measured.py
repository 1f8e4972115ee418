"""Programs with many live bits against a simulator that follows every branch."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmarks import measured
from benchmarks.case import Case

from .oracle import verdict

CASES: list[Callable[[], Case]] = [
    lambda: measured.all_measured(4),
    lambda: measured.all_measured(4, "flip"),
    lambda: measured.ghz_measured(4),
    lambda: measured.ghz_measured(4, "cx"),
    lambda: measured.dynamic_ghz(4),
    lambda: measured.dynamic_ghz(4, "correction"),
    lambda: measured.semiclassical_qft(5),
    lambda: measured.semiclassical_qft(5, "swap"),
    lambda: measured.all_outcomes_qft(4),
    lambda: measured.iterative_phase_estimation(5),
    lambda: measured.iterative_phase_estimation(5, "swap"),
    lambda: measured.repetition_memory(3, 2),
    lambda: measured.repetition_memory(3, 2, broken="cx"),
    lambda: measured.repetition_memory(4, 2, overwritten=True),
    lambda: measured.repetition_memory(4, 2, overwritten=True, broken="cx"),
    lambda: measured.surface_memory(3, 1),
    lambda: measured.loop_among_live_bits(3),
    lambda: measured.loop_among_live_bits(3, "correction"),
]


@pytest.mark.parametrize("make", CASES, ids=lambda make: make().name)
def test_the_expected_verdict(make: Callable[[], Case]) -> None:
    case = make()
    assert verdict(case, turns=2) == case.expected


def test_impossible_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="rounds is 1"):
        measured.surface_memory(3, 1, "bits")
    with pytest.raises(ValueError, match="n is 3"):
        measured.semiclassical_qft(3)
