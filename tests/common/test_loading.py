"""Signals wait until modules are loaded."""

from __future__ import annotations

import ast
import contextlib
import gc
import mmap
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import qismc
from qismc.common.loading import WAITING, loading
from qismc.common.process import MIB, bound_address_space

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no timer")

NATIVE = ("matplotlib", "qiskit", "scipy")
THEIR_USERS = (
    "qismc.api",
    "qismc.campaigns",
    "qismc.distributions",
    "qismc.evidence.circuit",
    "qismc.repairs",
    "qismc.report",
)
BEFORE_LIMITS = {"main.py", "equivalent.py", "campaign.py"}
"""Commands load these before they watch anything."""


@contextlib.contextmanager
def another_thread() -> Iterator[None]:
    """One that takes what the main thread does not."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGALRM])
def test_signals_arrive_when_the_modules_are_there(number: int) -> None:
    seen: list[str] = []
    handler = lambda *_: seen.append("signal")  # noqa: E731 - compared below
    before = signal.signal(number, handler)
    try:
        with another_thread():
            with loading():
                os.kill(os.getpid(), number)
                time.sleep(0.05)
                seen.append("loaded")
            assert seen == ["loaded", "signal"]
            assert signal.getsignal(number) is handler
    finally:
        signal.signal(number, before)


def test_both_may_wait_and_raise() -> None:
    def fail(number: int, _: object) -> None:
        raise {signal.SIGINT: KeyboardInterrupt, signal.SIGALRM: TimeoutError}[signal.Signals(number)]

    before = signal.signal(signal.SIGINT, fail), signal.signal(signal.SIGALRM, fail)
    try:
        with pytest.raises((KeyboardInterrupt, TimeoutError)) as caught, loading():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGALRM)
        kinds = {type(caught.value), type(caught.value.__context__)}
        assert kinds == {KeyboardInterrupt, TimeoutError}
        assert signal.getsignal(signal.SIGINT) is fail and signal.getsignal(signal.SIGALRM) is fail
    finally:
        signal.signal(signal.SIGINT, before[0])
        signal.signal(signal.SIGALRM, before[1])


def test_what_was_before_comes_back_after_an_error() -> None:
    handlers, collects = [signal.getsignal(number) for number in WAITING], gc.isenabled()
    with pytest.raises(ImportError), loading():
        raise ImportError
    assert [signal.getsignal(number) for number in WAITING] == handlers
    assert gc.isenabled() == collects


def test_other_threads_get_no_signals_of_python_anyway() -> None:
    handlers: list[object] = []

    def load() -> None:
        with loading():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=load)
    thread.start()
    thread.join()
    assert handlers == [signal.getsignal(signal.SIGINT)]


def test_a_bound_of_the_host_stays() -> None:
    resource = pytest.importorskip("resource")
    first, most = resource.getrlimit(resource.RLIMIT_AS)
    own = 1 << 40
    resource.setrlimit(resource.RLIMIT_AS, (own, most))
    try:
        with loading():
            assert resource.getrlimit(resource.RLIMIT_AS) == (own, most)
        assert resource.getrlimit(resource.RLIMIT_AS) == (own, most)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (first, most))


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


def late(tree: ast.AST, packages: tuple[str, ...], guarded: bool = False) -> Iterator[str]:
    """What functions import of these packages while handlers do not wait."""
    for node in ast.iter_child_nodes(tree):
        inside = guarded or (isinstance(node, ast.With) and ast.unparse(node.items[0]).startswith("loading("))
        if isinstance(node, ast.Import | ast.ImportFrom) and not inside:
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [n.name for n in node.names]
            yield from (name for name in names if f"{name}.".startswith(tuple(f"{p}." for p in packages)))
        yield from late(node, packages, inside)


def test_native_packages_are_loaded_so() -> None:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    for file in Path(qismc.__file__).parent.rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        packages = NATIVE if file.name in BEFORE_LIMITS else (*NATIVE, *THEIR_USERS)
        found = [n for node in ast.walk(tree) if isinstance(node, functions) for n in late(node, packages)]
        assert not found, f"{file.name} loads {found}"
