"""Options that a test session gives to every assertion, unless the call says otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_GIVEN: ContextVar[Mapping[str, Any] | None] = ContextVar("qismc_defaults", default=None)


@contextmanager
def by_default(**options: Any) -> Iterator[None]:
    """Assertions inside of the block take these options."""
    token = _GIVEN.set({**(_GIVEN.get() or {}), **options})
    try:
        yield
    finally:
        _GIVEN.reset(token)


def completed(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a call, completed by those of the session."""
    return {**(_GIVEN.get() or {}), **options}
