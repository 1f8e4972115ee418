"""Options that a test session gives to every assertion, unless the call says otherwise; its warnings."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import FrameType
from typing import Any

PACKAGE = str(Path(__file__).parents[1])
OVERRULED = {"limits": ("timeout", "memory"), "method": ("numbers",), "numbers": ("method",)}
"""Options of the session that a call leaves aside, because it gives another one of the same kind."""
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
    """The options of a call, completed by those of the session that do not contradict them."""
    overruled = {name for given in options for name in OVERRULED.get(given, ())}
    session = _GIVEN.get() or {}
    return {**{name: value for name, value in session.items() if name not in overruled}, **options}


def in_session() -> bool:
    """Does a test session give options, if only none?"""
    return _GIVEN.get() is not None


def warn(text: str, category: type[Warning]) -> None:
    """A warning at the line that called the library."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    if frame is None:
        warnings.warn(text, category, stacklevel=2)
    else:
        warnings.warn_explicit(text, category, frame.f_code.co_filename, frame.f_lineno)
