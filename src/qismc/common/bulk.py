"""Making many small objects quickly. Every check passes here, so these are no generators."""

from __future__ import annotations

import gc
from threading import Lock
from typing import ClassVar


class bulk_allocation:  # noqa: N801 - read as a function
    """Pause the cyclic garbage collector: programs and locations are a million objects and no garbage."""

    def __enter__(self) -> None:
        self._was_enabled = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        if self._was_enabled:
            gc.enable()


class rare_collection:  # noqa: N801 - read as a function
    """Look for cyclic garbage seldom: what a check keeps grows large, and looking through it is dear.

    The numbers belong to the process: of checks on several threads the last one that ends brings them back.
    """

    _lock: ClassVar = Lock()
    _inside: ClassVar[int] = 0
    _before: ClassVar[tuple[int, int, int]]

    def __enter__(self) -> None:
        cls = rare_collection
        with cls._lock:
            if cls._inside == 0:
                cls._before = gc.get_threshold()
                gc.set_threshold(*RARELY)
            cls._inside += 1

    def __exit__(self, *_: object) -> None:
        cls = rare_collection
        with cls._lock:
            cls._inside -= 1
            if cls._inside == 0:
                gc.set_threshold(*cls._before)


RARELY = (100_000, 20, 100)
"""New objects before the young ones are looked through, and so on; Python's own numbers are 700, 10, 10."""
