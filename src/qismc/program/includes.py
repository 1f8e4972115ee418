"""Files that a program includes: a stranger's program must not read what is not its own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from qismc.common.files import LONGEST_SHOWN, read_regular, reason_of
from qismc.common.source import Source
from qismc.errors import ProgramError

MOST_BYTES = 1 << 24
"""Maximum size, in bytes, of all files that a program includes."""
MOST_FILES = 200
"""Maximum number of included files, those inside of each other counted."""
ALLOW = "--include-path FOLDER, or include=[FOLDER] in Python, allows it"


class Includes:
    """Regular files below the program's folder, or below folders that the user names; each is read once."""

    def __init__(self, file: str, folders: Sequence[str] = ()) -> None:
        self._folders = tuple(folders)
        self._roots = [os.path.realpath(folder) for folder in (str(Path(file).parent), *folders)]
        self._asked: dict[str, tuple[str, Source]] = {}
        """Of each included file, by what name it was asked for, and where."""
        self._left = MOST_BYTES

    def read(self, name: str, beside: str, source: Source) -> tuple[str, str] | None:
        """The path and the text of the file that is included; None if it was included before."""
        path = self._found(name, beside, source)
        if path in self._asked:
            return None
        if len(self._asked) >= MOST_FILES:
            raise _unreadable(name, source, f"{MOST_FILES} files are included before it")
        self._asked[path] = name, source
        try:
            data = read_regular(path, self._left)
            self._left -= len(data)
            return path, data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise _unreadable(name, source, "it is no UTF-8") from None
        except (OSError, ValueError) as error:
            raise _unreadable(
                name, source, f"looked for '{path:.{LONGEST_SHOWN}}': {reason_of(error)}"
            ) from None

    def _found(self, name: str, beside: str, source: Source) -> str:
        """The first file of that name: beside the one that includes it, then in the user's folders."""
        if "\0" in name:
            raise _unreadable(name, source, "a name has no null byte")
        paths = [str(Path(folder) / name) for folder in (str(Path(beside).parent), *self._folders)]
        allowed = [path for path in paths if self._allows(path)]
        if not allowed:
            message = f"the included file '{name:.{LONGEST_SHOWN}}' lies outside of the program's folder"
            raise ProgramError(message, source=source, hint=ALLOW)
        exists = os.path.exists  # that of pathlib raises for what cannot be a name
        return next((path for path in allowed if exists(path)), allowed[0])

    def _allows(self, path: str) -> bool:
        """Does the file that the path leads to, links followed, lie below an allowed folder?"""
        true = Path(os.path.realpath(path))
        return any(true.is_relative_to(root) for root in self._roots)

    @contextmanager
    def discreet(self) -> Iterator[None]:
        """Errors in included files say where they are but quote nothing: the file may be private."""
        try:
            yield
        except ProgramError as error:
            if error.source is None or error.source.file not in self._asked:
                raise
            path, line, column = error.source
            name, source = self._asked[path]
            while source.file in self._asked:  # a file that another included one includes
                source = self._asked[source.file][1]
            place = f"line {line}" if column is None else f"line {line}, column {column}"
            message = f"the included file '{name}' is wrong in {place}"
            raise type(error)(message, source=source, hint=f"`qismc check {path}` says why") from None


def _unreadable(name: str, source: Source, why: str) -> ProgramError:
    return ProgramError(f"cannot read the included file '{name:.{LONGEST_SHOWN}}'", source=source, hint=why)
