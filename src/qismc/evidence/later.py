"""Values and lists that are worked out when somebody looks at them: most of what could be shown is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class Later(Generic[T]):
    """A value that is made when first asked for.

    A pickled copy holds the value. Where `unmade` is given, a value that nobody asked for travels as that.
    """

    def __init__(self, make: Callable[[], T], unmade: T | None = None) -> None:
        self._make: Callable[[], T] | None = make
        self._unmade = unmade
        self._made: T | None = None

    def __call__(self) -> T:
        if self._make is not None:
            self._made, self._make = self._make(), None
        return self._made  # type: ignore[return-value]

    def __reduce__(self) -> tuple[Callable[[T], Later[T]], tuple[T]]:
        unmade = None if self._make is None else self._unmade
        return already, (self() if unmade is None else unmade,)


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
    """A list whose elements are made when somebody looks. It compares, prints and travels like a tuple."""

    def __init__(self, make: Callable[[], Sequence[T]]) -> None:
        """All elements are made together."""
        found = Later(lambda: tuple(make()))
        self._size: Callable[[], int] = lambda: len(found())
        self._one: Callable[[int], T] = lambda k: found()[k]

    @classmethod
    def each(cls, count: int, make: Callable[[int], T]) -> LaterList[T]:
        """So many elements; `make(k)` makes the k-th one, which is kept."""
        made: LaterList[T] = cls(tuple)
        made._size, made._one = (lambda: count), cache(make)
        return made

    def __len__(self) -> int:
        return self._size()

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        where = range(len(self))[index]
        return self._one(where) if isinstance(where, int) else tuple(map(self._one, where))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LaterList | tuple):
            return NotImplemented
        return self is other or (len(self) == len(other) and tuple(self) == tuple(other))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[Any, tuple[tuple[T, ...]]]:
        return tuple, (tuple(self),)
