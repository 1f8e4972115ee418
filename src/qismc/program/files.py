"""The programs that a word of the command line stands for."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from pathlib import Path

from qismc.errors import UsageError

SUFFIXES = ("qasm", "qasm2", "qasm3")
LONGEST_SHOWN = 200


def files_of(text: str) -> Sequence[str]:
    """The files of a pattern, the OpenQASM files below a folder, or the word itself."""
    if not text:
        raise UsageError("the name of a program is empty", hint="'.' is this folder")
    try:
        if Path(text).is_dir():
            return _below(text)
        if glob.has_magic(text) and not Path(text).exists():
            found = sorted(glob.glob(text, recursive=True))  # noqa: PTH207 - patterns may be absolute
            return [str(file) for file in found if Path(file).is_file()] or _none(text)
    except (OSError, ValueError):  # too long for a name, or with a null byte: whoever reads it says so
        pass
    return [text]


def _below(folder: str) -> Sequence[str]:
    found = sorted(file for suffix in SUFFIXES for file in Path(folder).rglob(f"*.{suffix}"))
    if not found:
        raise UsageError(f"there are no .qasm files in '{folder}'")
    return [str(file) for file in found]


def _none(pattern: str) -> Sequence[str]:
    raise UsageError(f"no file is like '{pattern:.{LONGEST_SHOWN}}'")
