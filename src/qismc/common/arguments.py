"""Arguments of the Python interface: the wrong kind of thing is a UsageError that names the argument."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from os import PathLike, fsencode, fspath
from pathlib import Path
from typing import Any

from qismc.common.wording import quoted
from qismc.errors import UsageError, suggestion

LARGEST_SEED = (1 << 64) - 1
MOST_RECHECKS = 1_000
"""More primes than this tell nothing more, and take for ever."""

MOST_THREADS = 1_024
"""More than any machine has; numbers beyond are mistakes."""


def shown(value: Any) -> str:
    """The offender, shortened."""
    return f"{type(value).__name__} {quoted(value)}"


def one_of(name: str, value: Any, known: Sequence[str]) -> None:
    if isinstance(value, str) and value in known:
        return
    near = suggestion(value, known) if isinstance(value, str) else None
    listed = " or ".join([", ".join(repr(k) for k in known[:-1]), repr(known[-1])])
    raise UsageError(f"{name} = {quoted(value)} is unknown", hint=near or f"give {listed}")


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """A whole number within bounds; True and 3.0 are none."""
    try:
        number = index(value) if not isinstance(value, bool) else None
    except Exception:  # some are no numbers, some only pretend to be
        number = None
    if number is None:
        raise UsageError(f"{name} is {shown(value)}; it must be a whole number")
    if number < least or (most is not None and number > most):
        bounds = f"at least {least}" if most is None or number < least else f"at most {most}"
        raise UsageError(f"{name} = {quoted(value)} must be {bounds}")
    return number


def seed(name: str, value: Any) -> int | None:
    return None if value is None else whole(name, value, 0, LARGEST_SEED)


def flag(name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise UsageError(f"{name} is {shown(value)}; it must be True or False")


def mapping(name: str, value: Any, keys: type | tuple[type, ...] = str) -> None:
    """None, or a dictionary whose keys are names."""
    if value is None:
        return
    if not isinstance(value, Mapping):
        raise UsageError(f"{name} is {shown(value)}; it must be a dictionary of names and subspaces")
    for key in value:
        if not isinstance(key, keys) or isinstance(key, bool) or key == "":
            raise UsageError(f"{name} has the key {shown(key)}, which is no name")
        place(name, key)


def instance(name: str, value: Any, kind: type) -> None:
    """None, or an object of a class."""
    if value is not None and not isinstance(value, kind):
        raise UsageError(f"{name} is {shown(value)}; it must be a qismc.{kind.__name__}")


def path(name: str, value: Any) -> None:
    """None, or the name of a file."""
    if value is None:
        return
    if not isinstance(value, str | PathLike) or not isinstance(fspath(value), str) or not fspath(value):
        raise UsageError(f"{name} is {shown(value)}; it must be the name of a file")
    try:
        fsencode(value)
    except ValueError:
        raise UsageError(f"{name} is {shown(value)}, which is no name of a file") from None
    if "\0" in fspath(value):
        raise UsageError(f"{name} is {shown(value)}, which is no name of a file")


def text(name: str, value: Any) -> None:
    if not isinstance(value, str):
        raise UsageError(f"{name} is {shown(value)}; it must be text")


def place(name: str, value: Any) -> None:
    """A mark, a built-in name, or the number of a location."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise UsageError(f"{name} is {shown(value)}; it must be the name of a mark, or a number")
    if isinstance(value, int) and abs(value) > LARGEST_SEED:
        raise UsageError(f"{name} is {shown(value)}; no location has such a number")


def positive(name: str, value: Any) -> None:
    """None, or a positive number."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or not value > 0):
        raise UsageError(f"{name} is {shown(value)}; it must be a positive number")


def write_text(file: str | PathLike[str], text: str) -> None:
    """Write a file; what keeps it from being written is a UsageError."""
    try:
        Path(file).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"'{file!s:.200}' cannot be written: {reason}") from None
