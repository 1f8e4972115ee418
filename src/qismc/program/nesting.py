"""Room on the stack for programs whose blocks stand in each other hundreds deep."""

from __future__ import annotations

import sys

from qismc.errors import ProgramError

FRAMES = 10_000
"""A nested block takes about a dozen of them in the slowest reader."""


class room_for_nesting:  # noqa: N801 - read as a function
    """More than Python's own limit of about 200 blocks; still deeper ones are refused."""

    def __enter__(self) -> None:
        self._before = sys.getrecursionlimit()
        sys.setrecursionlimit(max(self._before, FRAMES))

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        sys.setrecursionlimit(self._before)
        if isinstance(error, RecursionError):
            message = "the program is nested too deeply"
            raise ProgramError(message, hint="take blocks or gates apart") from None
