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


def _must(fits: bool, name: str, value: Any, what: str) -> None:
    if not fits:
        raise UsageError(f"{name} is {shown(value)}{what}")


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
    _must(isinstance(value, bool), name, value, "; it must be True or False")


def mapping(name: str, value: Any, keys: type | tuple[type, ...] = str) -> None:
    """None, or a dictionary whose keys are names."""
    if value is None:
        return
    _must(isinstance(value, Mapping), name, value, "; it must be a dictionary of names and subspaces")
    for key in value:
        if not isinstance(key, keys) or isinstance(key, bool) or key == "":
            raise UsageError(f"{name} has the key {shown(key)}, which is no name")
        place(name, key)


def instance(name: str, value: Any, kind: type) -> None:
    """None, or an object of a class."""
    _must(value is None or isinstance(value, kind), name, value, f"; it must be a qismc.{kind.__name__}")


def path(name: str, value: Any) -> None:
    """None, or the name of a file."""
    if value is None:
        return
    is_text = isinstance(value, str | PathLike) and isinstance(fspath(value), str) and fspath(value) != ""
    _must(is_text, name, value, "; it must be the name of a file")
    try:
        possible = b"\0" not in fsencode(value)
    except ValueError:
        possible = False
    _must(possible, name, value, ", which is no name of a file")


def folders(name: str, value: Any) -> tuple[str, ...]:
    """A list of names of folders."""
    _must(isinstance(value, list | tuple), name, value, "; it must be a list of folders")
    for folder in value:
        path(name, folder)
        if not Path(folder).is_dir():
            raise UsageError(f"{name}: '{folder!s:.200}' is no folder")
    return tuple(fspath(folder) for folder in value)


def text(name: str, value: Any) -> None:
    _must(isinstance(value, str), name, value, "; it must be text")


def name(argument: str, value: Any) -> None:
    """Text that files can hold, and something of it."""
    text(argument, value)
    try:
        encoded = value.encode()
    except UnicodeEncodeError:
        encoded = b""
    _must(encoded != b"", argument, value, ", which is no name")


def place(name: str, value: Any) -> None:
    """A mark, a built-in name, or the number of a location."""
    fits = isinstance(value, str | int) and not isinstance(value, bool)
    _must(fits, name, value, "; it must be the name of a mark, or a number")
    small = isinstance(value, str) or abs(value) <= LARGEST_SEED
    _must(small, name, value, "; no location has such a number")


def positive(name: str, value: Any) -> None:
    """None, or a positive number."""
    fits = isinstance(value, int | float) and not isinstance(value, bool) and value > 0
    _must(value is None or fits, name, value, "; it must be a positive number")
