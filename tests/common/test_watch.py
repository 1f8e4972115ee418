"""Limits of code that polls nothing."""

from __future__ import annotations

import contextlib
import signal
import time
from importlib import import_module
from typing import Any

import pytest

import qismc
from qismc import QuantumCircuit
from qismc.common.process import MIB, resident_memory_mb
from qismc.common.watch import EVERY_SECONDS, GUEST_SECONDS, Watch
from qismc.errors import LimitReached, Stopped
from qismc.limits import Limits

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no timer")


def busy(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def test_time_is_over_wherever_one_is() -> None:
    message = "the time limit of 1 s passed during baking"
    with pytest.raises(LimitReached, match=message), Watch(Limits(seconds=1)) as watch:
        watch.stage = "baking"
        busy(30)
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_who_swallows_it_is_told_again() -> None:
    told = 0
    with Watch(Limits(seconds=0.1)):
        while told < 2:
            try:
                busy(30)
            except LimitReached:
                told += 1


def test_memory_is_that_of_the_process() -> None:
    message = r"the memory limit of 1 MB was reached during reading \([0-9]+ MB are in use\)"
    with pytest.raises(LimitReached, match=message), Watch(Limits()) as watch:
        watch.limits = Limits(memory_mb=1)
        busy(30)


def test_what_is_allocated_at_once_is_bounded_meanwhile() -> None:
    allowed = resident_memory_mb() + 100
    with pytest.raises(MemoryError), Watch(Limits(memory_mb=allowed)):
        bytearray(int(5 * allowed) * MIB)
    assert len(bytearray(10 * MIB)) == 10 * MIB


def test_ctrl_c_is_told_from_what_users_raise() -> None:
    before = signal.getsignal(signal.SIGINT)  # jobs in the background may ignore it
    with pytest.raises(Stopped), Watch():
        signal.raise_signal(signal.SIGINT)
        busy(30)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_last_stage_has_its_grace() -> None:
    with Watch(Limits(seconds=0.01)) as watch:
        with watch.finishing("the report"):
            busy(2 * EVERY_SECONDS)
        with pytest.raises(LimitReached, match="the report"):
            busy(30)


def test_it_ticks() -> None:
    ticks: list[float] = []
    with Watch(tick=lambda watch: ticks.append(watch.elapsed)):
        while len(ticks) < 3:
            busy(0.01)
    assert ticks == sorted(ticks)


def test_a_guest_asks_for_nothing_that_it_does_not_need() -> None:
    interrupt = signal.getsignal(signal.SIGINT)
    with Watch(Limits(), guest=True):
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    with Watch(Limits(seconds=100, memory_mb=1e6), guest=True):
        assert signal.getsignal(signal.SIGINT) is interrupt
        assert signal.getitimer(signal.ITIMER_REAL) != (0, 0)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


def test_a_guest_lets_budgets_do_what_they_can() -> None:
    with Watch(Limits(seconds=0.01), guest=True):
        busy(2 * EVERY_SECONDS)
        with pytest.raises(LimitReached):
            busy(30)


def test_a_guest_leaves_a_timer_of_others_alone() -> None:
    told: list[int] = []
    signal.signal(signal.SIGALRM, lambda number, _: told.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 2 * EVERY_SECONDS)
        with Watch(Limits(seconds=EVERY_SECONDS), guest=True):
            while not told:
                busy(0.01)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def test_nothing_is_lost_while_resting() -> None:
    with Watch(Limits(seconds=0.01)) as watch:
        watch.rest()
        busy(3 * EVERY_SECONDS)
        with watch.finishing("the report"), pytest.raises(LimitReached):
            busy(30)


def test_a_verdict_is_not_lost_while_memory_is_freed(monkeypatch: pytest.MonkeyPatch) -> None:
    checking = import_module("qismc.deciders.pipeline")
    original = checking.check_model

    def check_model(*asked: Any, **how: Any) -> Any:
        found = original(*asked, **how)
        busy(GUEST_SECONDS + 3 * EVERY_SECONDS)  # as if what it held were freed slowly
        return found

    monkeypatch.setattr(checking, "check_model", check_model)
    assert qismc.check(QuantumCircuit(1), "AG (leaf -> |0>)", limits=Limits(seconds=0.5))


@pytest.mark.parametrize("at", range(1, 7))
@pytest.mark.parametrize("guest", [False, True])
def test_ctrl_c_while_a_watch_begins_or_ends(at: int, guest: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The n-th call that changes a handler or the timer is interrupted: none of them is left behind."""
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGALRM)
    count = 0

    def interrupted(original: Any) -> Any:
        def call(*given: Any) -> Any:
            nonlocal count
            count += 1
            if count == at:
                raise KeyboardInterrupt
            return original(*given)

        return call

    with monkeypatch.context() as patched:
        patched.setattr(signal, "signal", interrupted(signal.signal))
        patched.setattr(signal, "setitimer", interrupted(signal.setitimer))
        with contextlib.suppress(KeyboardInterrupt), Watch(Limits(seconds=100), guest=guest):
            pass
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGALRM)) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
