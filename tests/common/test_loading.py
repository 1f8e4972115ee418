"""Signals wait until modules are loaded."""

from __future__ import annotations

import gc
import mmap
import os
import signal
import threading

import pytest

from qismc.common.loading import loading
from qismc.limits import MIB, bound_address_space

pytestmark = pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals cannot be held back")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGALRM])
def test_signals_arrive_when_the_modules_are_there(number: int) -> None:
    seen: list[str] = []
    before = signal.signal(number, lambda *_: seen.append("signal"))
    try:
        with loading():
            os.kill(os.getpid(), number)
            seen.append("loaded")
    finally:
        signal.signal(number, before)
    assert seen == ["loaded", "signal"]


def test_what_was_before_comes_back_after_an_error() -> None:
    mask, collects = signal.pthread_sigmask(signal.SIG_BLOCK, ()), gc.isenabled()
    with pytest.raises(ImportError), loading():
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
        raise ImportError
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == mask
    assert gc.isenabled() == collects


def test_other_threads_get_no_signals_of_python_anyway() -> None:
    masks: list[set[int]] = []

    def load() -> None:
        with loading():
            masks.append(signal.pthread_sigmask(signal.SIG_BLOCK, ()))

    thread = threading.Thread(target=load)
    thread.start()
    thread.join()
    assert masks == [set()]


def test_a_bound_on_the_address_space_waits_and_grows_with_what_is_loaded() -> None:
    resource = pytest.importorskip("resource")
    first, most = resource.getrlimit(resource.RLIMIT_AS)
    lift = bound_address_space(1_000)
    try:
        before, _ = resource.getrlimit(resource.RLIMIT_AS)
        assert before != first
        with loading():
            assert resource.getrlimit(resource.RLIMIT_AS) == (most, most)
            held = mmap.mmap(-1, 300 * MIB)
        after, _ = resource.getrlimit(resource.RLIMIT_AS)
        assert 299 * MIB <= after - before <= 400 * MIB
        held.close()
    finally:
        lift()
    assert resource.getrlimit(resource.RLIMIT_AS) == (first, most)
