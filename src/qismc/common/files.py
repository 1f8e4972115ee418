"""Files: read if they are regular and of bounded size, written as a whole or not at all, kept in a cache."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
import sys
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from qismc.errors import UsageError

MOST_BYTES = 1 << 30
"""Larger files are not read."""
PIECE_BYTES = 1 << 20
LONGEST_SHOWN = 200
"""Letters of a file name in messages."""
WITHOUT_WAITING = getattr(os, "O_NONBLOCK", 0)
"""To open a pipe must not wait for somebody at its other end."""
BINARY = getattr(os, "O_BINARY", 0)
"""Windows would change ends of lines."""


def _opened_to_read(name: str, flags: int) -> int:
    return os.open(name, flags | WITHOUT_WAITING | BINARY)


def read_regular(file: str | PathLike[str], most: int = MOST_BYTES) -> bytes:
    """The content of a regular file of at most so many bytes; raises OSError or ValueError."""
    with open(file, "rb", opener=_opened_to_read) as stream:
        known = os.fstat(stream.fileno())
        if not stat.S_ISREG(known.st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        if known.st_size > most:
            raise _too_large(most)
        return read_all(stream, most)


def read_all(stream: BinaryIO, most: int = MOST_BYTES) -> bytes:
    """What a stream still has, piece by piece: its end is where it ends, whatever size the system tells."""
    data = bytearray()
    while len(data) <= most and (piece := stream.read(PIECE_BYTES)):
        data += piece
    if len(data) > most:
        raise _too_large(most)
    return bytes(data)


def _too_large(most: int) -> OSError:
    return OSError(errno.EFBIG, f"it is larger than {most:,} bytes")


def reason_of(error: OSError | ValueError) -> str:
    """What keeps a file from being read or written."""
    return (isinstance(error, OSError) and error.strerror) or str(error)


def write_text(file: str | PathLike[str], text: str) -> None:
    """Write a file; what keeps it from being written is a UsageError, and then it is as it was."""
    try:
        data = text.encode("utf-8", "backslashreplace")  # names of files are any bytes
        if _is_replaceable(file):
            _replace(os.path.realpath(file), data)  # of a link, what it leads to
        else:
            _write_into(file, data)
    except (OSError, ValueError) as error:
        raise unwritable(file, error) from None


def check_writable(*files: str | None) -> None:
    """Raise UsageError if a file that is written later cannot be; nothing is changed."""
    for file in files:
        try:
            if file is not None and _is_replaceable(file):
                _replace(os.path.realpath(file), None)
        except (OSError, ValueError) as error:
            raise unwritable(file or "", error) from None


def unwritable(file: str | PathLike[str], error: OSError | ValueError) -> UsageError:
    return UsageError(f"'{file!s:.{LONGEST_SHOWN}}' cannot be written: {reason_of(error)}")


def _is_replaceable(file: str | PathLike[str]) -> bool:
    """Is it a regular file, or none yet? Devices, pipes and names of open files are written into."""
    if Path(os.path.abspath(file)).is_relative_to("/dev"):  # noqa: PTH100 - links are not followed
        return False
    try:
        mode = os.stat(file).st_mode  # noqa: PTH116 - errors are wanted
    except FileNotFoundError:
        return True
    if stat.S_ISDIR(mode):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
    return stat.S_ISREG(mode)


def _replace(path: str, data: bytes | None) -> None:
    """Write a new file beside it, which then takes its place; without data, see whether one can be."""
    exists = os.path.exists(path)  # noqa: PTH110
    if exists and not os.access(path, os.W_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES))
    beside = str(Path(path).with_name(f".qismc-{os.getpid()}-{secrets.token_hex(4)}"))
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o666)
    try:
        with open(descriptor, "wb") as stream:  # noqa: PTH123
            stream.write(data or b"")
        if data is not None:
            if exists:
                shutil.copymode(path, beside)
            os.replace(beside, path)  # noqa: PTH105
    finally:
        Path(beside).unlink(missing_ok=True)


def _write_into(file: str | PathLike[str], data: bytes) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | WITHOUT_WAITING)
    if WITHOUT_WAITING:
        os.set_blocking(descriptor, True)
    with open(descriptor, "wb") as stream:  # noqa: PTH123
        stream.write(data)


def kept_at(name: str) -> str | None:
    """A file in the user's own cache folder, made where it is missing; None where there can be none.

    For what takes long to make, can always be made again, and is worth keeping between processes.
    """
    try:
        folder = _caches() / "qismc"
        str(folder).encode()  # tables are kept under a digest of it
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError, ValueError):  # no home, none that can be written, or no text
        return None
    return str(folder / name) if os.access(folder, os.W_OK) else None


def _caches() -> Path:
    """As the system has it: what others may write to is no place for what is loaded unseen."""
    if sys.platform == "win32":
        return Path(os.environ["LOCALAPPDATA"]) if "LOCALAPPDATA" in os.environ else Path.home()
    given = os.environ.get("XDG_CACHE_HOME", "")
    return Path(given) if os.path.isabs(given) else Path.home() / ".cache"  # noqa: PTH117 - no file is meant
