"""Making many small objects quickly. Every check passes here, so these are no generators."""

from __future__ import annotations

import gc


class bulk_allocation:  # noqa: N801 - read as a function
    """Pause the cyclic garbage collector: programs and locations are a million objects and no garbage."""

    def __enter__(self) -> None:
        self._was_enabled = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        if self._was_enabled:
            gc.enable()


class rare_collection:  # noqa: N801 - read as a function
    """Look for cyclic garbage seldom: what a check keeps grows large, and looking through it is dear."""

    def __enter__(self) -> None:
        self._before = gc.get_threshold()
        gc.set_threshold(*RARELY)

    def __exit__(self, *_: object) -> None:
        gc.set_threshold(*self._before)


RARELY = (100_000, 20, 100)
"""New objects before the young ones are looked through, and so on; Python's own numbers are 700, 10, 10."""
