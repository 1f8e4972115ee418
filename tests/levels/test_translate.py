"""Untils along executions, against the definition."""

from __future__ import annotations

from itertools import product

import pytest

from qismc.levels.translate import Monitor
from qismc.symbolic.logic import Bool, Logic, evaluate


def until(left: list[bool], right: list[bool]) -> bool:
    """Some position has `right`, and all before it have `left`."""
    return any(right[k] and all(left[:k]) for k in range(len(right)))


def weak_until(left: list[bool], right: list[bool]) -> bool:
    return until(left, right) or all(left)


@pytest.mark.parametrize("constant", [False, True])
def test_untils_of_all_short_executions(constant: bool) -> None:
    """Three points of two levels each; the middle one is passed only where level 6 is 1."""
    logic = Logic()
    guards: list[Bool] = [True, logic.literal(6), True]
    sides: list[tuple[Bool, Bool]] = [(logic.literal(2 * k), logic.literal(2 * k + 1)) for k in range(3)]
    if constant:
        sides[0] = (True, False)
    monitor = Monitor(logic, pending=True)
    for guard, (left, right) in zip(guards, sides, strict=True):
        for _ in range(2):  # a second statement with the same store changes nothing
            monitor.visit(guard, False, left, right)
    for bits in product((0, 1), repeat=7):
        values = dict(enumerate(bits))
        passed = [k for k in range(3) if evaluate(guards[k], values)]
        left, right = ([evaluate(sides[k][side], values) for k in passed] for side in (0, 1))
        assert evaluate(monitor.failed(), values) == (not until(left, right))
        assert evaluate(monitor.failed(weak=True), values) == (not weak_until(left, right))


def test_responses_on_all_short_executions() -> None:
    """Three points of three levels each; the middle one is passed only where level 9 is 1."""
    logic = Logic()
    guards: list[Bool] = [True, logic.literal(9), True]
    parts = [[logic.literal(3 * k + j) for j in range(3)] for k in range(3)]
    monitor = Monitor(logic, pending=False)
    for guard, part in zip(guards, parts, strict=True):
        for _ in range(2):
            monitor.visit(guard, *part)
    for bits in product((0, 1), repeat=10):
        values = dict(enumerate(bits))
        passed = [k for k in range(3) if evaluate(guards[k], values)]
        trigger, left, right = ([evaluate(parts[k][j], values) for k in passed] for j in range(3))
        for weak, holds in ((False, until), (True, weak_until)):
            kept = all(holds(left[k:], right[k:]) for k, triggered in enumerate(trigger) if triggered)
            assert evaluate(monitor.failed(weak=weak), values) == (not kept)
