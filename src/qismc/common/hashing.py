"""Trees that remember their hash: they are keys of many tables, and looked up much more often than made."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")
REMEMBERED = "_hash"


def hashed_once(cls: type[T]) -> type[T]:
    """A frozen dataclass whose hash is worked out when it is first asked for.

    It does not travel between processes: hashes of texts differ there.
    """
    compute = cls.__hash__

    def remembered(self: T) -> int:
        try:
            found: int = self.__dict__[REMEMBERED]
        except KeyError:
            found = self.__dict__[REMEMBERED] = compute(self)
        return found

    def state(self: T) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != REMEMBERED}

    cls.__hash__ = remembered  # type: ignore[method-assign,assignment]
    cls.__getstate__ = state  # type: ignore[attr-defined,method-assign,assignment,unused-ignore]
    return cls
