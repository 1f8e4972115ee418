"""Errors of code that is not ours: of the user's modules and gates, of readers of other formats."""

from __future__ import annotations

from qismc.common.source import Source
from qismc.errors import ProgramError, QismcError, Undecided

PASSING = (QismcError, Undecided, MemoryError, RecursionError, KeyboardInterrupt)
"""What means the same wherever it comes from. Panics of native code are no `Exception`."""


def said(error: BaseException) -> str:
    """Kind and text of an error; those of the user's own classes may fail as well."""
    try:
        text = str(error)
    except Exception:
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def unreadable(what: str, error: BaseException, source: Source | None = None) -> ProgramError:
    """The error for something that cannot be read because of another one."""
    return ProgramError(f"{what} cannot be read: {said(error)}", source=source)
