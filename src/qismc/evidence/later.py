"""What is worked out when somebody looks at it: most of what could be shown is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class Later(Generic[T]):
    """A value that is made when first asked for. A pickled copy holds it."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make: Callable[[], T] | None = make
        self._made: T | None = None

    def __call__(self) -> T:
        if self._make is not None:
            self._made, self._make = self._make(), None
        return self._made  # type: ignore[return-value]

    def __reduce__(self) -> tuple[Callable[[T], Later[T]], tuple[T]]:
        return already, (self(),)


def already(value: T) -> Later[T]:
    """A value that need not be made."""
    return Later(lambda: value)


class Late(Generic[T]):
    """A field of a frozen dataclass that is None by default and may be given as a `Later`.

    Whoever reads it sees the value; whoever copies the object with `copy` leaves it unmade.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"_{name}"

    @overload
    def __get__(self, instance: None, owner: type) -> None: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T | None: ...
    def __get__(self, instance: object | None, owner: type) -> T | None:
        value = None if instance is None else instance.__dict__[self._name]
        return value() if isinstance(value, Later) else value

    def __set__(self, instance: object, value: T | Later[T] | None) -> None:
        instance.__dict__[self._name] = value


class LaterList(Sequence[T]):
    """The same for a list, which looks like a tuple to everybody."""

    def __init__(self, make: Callable[[], Sequence[T]]) -> None:
        self._found = Later(lambda: tuple(make()))

    def __len__(self) -> int:
        return len(self._found())

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return self._found()[index]

    def __eq__(self, other: object) -> bool:
        return tuple(other) == self._found() if isinstance(other, LaterList | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._found())

    def __repr__(self) -> str:
        return repr(self._found())

    def __reduce__(self) -> tuple[Any, tuple[tuple[T, ...]]]:
        return tuple, (self._found(),)
