"""Making many small objects quickly."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def bulk_allocation() -> Iterator[None]:
    """Pause the cyclic garbage collector: programs and locations are a million objects and no garbage."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def rare_collection() -> Iterator[None]:
    """Look for cyclic garbage seldom: what a check keeps grows large, and looking through it is dear."""
    before = gc.get_threshold()
    gc.set_threshold(*RARELY)
    try:
        yield
    finally:
        gc.set_threshold(*before)


RARELY = (100_000, 20, 100)
"""New objects before the young ones are looked through, and so on; Python's own numbers are 700, 10, 10."""
