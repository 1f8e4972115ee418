"""Hints at causes, looked for when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable

from qismc.evidence import Hint


class Suspects:
    """The causes of a violation, found at the first call; none if nobody says how to find them.

    They do not travel unless they were found before: a pickled copy holds what is known.
    """

    def __init__(self, find: Callable[[], tuple[Hint, ...]] | None = None) -> None:
        self._find = find
        self._found: tuple[Hint, ...] = ()

    def __reduce__(self) -> tuple[type[Suspects], tuple[()], dict[str, object]]:
        return Suspects, (), {"_find": None, "_found": self._found}

    def found(self) -> tuple[Hint, ...]:
        """Hints, likely causes first."""
        if self._find is not None:
            find, self._find = self._find, None
            self._found = find()
        return self._found
