"""Attributes, answers and hashes that are worked out when they are asked for; dataclasses by a base class."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Generic, TypeVar, cast, overload

from typing_extensions import dataclass_transform

T = TypeVar("T")


class cached_property(Generic[T]):  # noqa: N801 - read as a decorator
    """That of functools without its lock, which costs more than most of what is asked for (Python < 3.12).

    Two threads that ask first at the same time both find the same.
    """

    def __init__(self, find: Callable[[Any], T]) -> None:
        self._find = find
        self._name = find.__name__
        self.__doc__ = find.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> cached_property[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> cached_property[T] | T:
        if instance is None:
            return self
        found = instance.__dict__[self._name] = self._find(instance)
        return found


Method = TypeVar("Method", bound=Callable[..., Any])


def cached_method(find: Method) -> Method:
    """A method whose answers the object keeps, by its arguments, which are given by position."""
    place = f"_{find.__name__}_found"

    @wraps(find)
    def ask(self: Any, *key: Hashable) -> Any:
        known = self.__dict__.setdefault(place, {})
        if key not in known:
            known[key] = find(self, *key)
        return known[key]

    return cast(Method, ask)


REMEMBERED = "_hash"


def hashed_once(cls: type[T]) -> type[T]:
    """A frozen dataclass that remembers its hash: a tree that is looked up much more often than made.

    The hash does not travel between processes: hashes of texts differ there.
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


@dataclass_transform(frozen_default=True)
class Frozen:
    """Classes made of it are frozen dataclasses."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class Tree(Frozen):
    """Classes made of it are frozen dataclasses that remember their hashes."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        hashed_once(cls)
