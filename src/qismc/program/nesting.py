"""Room on the stack for programs whose blocks stand in each other hundreds deep."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from qismc.errors import ProgramError

FRAMES = 10_000
"""A nested block takes about a dozen of them in the slowest reader."""


@contextmanager
def room_for_nesting() -> Iterator[None]:
    """More than Python's own limit of about 200 blocks; still deeper ones are refused."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, FRAMES))
    try:
        yield
    except RecursionError:
        raise ProgramError("the program is nested too deeply", hint="take blocks or gates apart") from None
    finally:
        sys.setrecursionlimit(before)
