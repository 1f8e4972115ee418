"""Loading modules that are large or have native code."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from qismc.common.bulk import bulk_allocation
from qismc.limits import unbounded_address_space


@contextmanager
def loading() -> Iterator[None]:
    """Inside, no limit and no Ctrl-C raises an exception; both do when the modules are there.

    Native code does not expect exceptions of signal handlers while it sets itself up: Qiskit's ended the
    process. Nor does it say that address space was missing, but that something is broken. The garbage
    collector pauses, because modules are a hundred thousand objects and no garbage.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "pthread_sigmask"):
        with bulk_allocation():
            yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGALRM})
    try:
        with bulk_allocation(), unbounded_address_space():
            yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
