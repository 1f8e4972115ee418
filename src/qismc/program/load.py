"""Whatever stands for a program becomes a `Program`: circuits, functions, OpenQASM, QPY, Python files."""

from __future__ import annotations

import glob
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qismc.common.files import LONGEST_SHOWN, read_all, read_regular, reason_of
from qismc.common.loading import loading
from qismc.common.source import Source
from qismc.common.wording import quoted
from qismc.errors import ProgramError, UsageError
from qismc.program.builder import room_for_nesting
from qismc.program.foreign import import_file, import_module, is_circuit, only_circuit, read_object
from qismc.program.includes import Includes
from qismc.program.program import Program
from qismc.program.qasm2 import read_qasm2
from qismc.program.qasm_text import check_text, read_annotations, telling, version_of
from qismc.program.qpy import read_qpy

MODULE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
STDIN = "<stdin>"
TEXT = "<text>"
FORMS = "give file.qasm, file.qpy, file.py:name, package.module:name or OpenQASM text"

ONE_LINE = re.compile(r"\s*OPENQASM\s[^;]*;")
"""OpenQASM that is written on one line; other texts of one line are names of programs."""


def load(spec: str | Path, include: Sequence[str] = ()) -> Program:
    """The program in `file.qasm`, `file.qpy`, `file.py:name`, `package.module:name`, or piped in (`-`).

    `file.py` alone is enough where it has one circuit.

    A string of several lines, or one that begins with `OPENQASM`, is the text itself. Files that it includes
    lie below its own folder, or below one of `include`.
    """
    text = str(spec)
    if isinstance(spec, str) and ("\n" in text.strip() or ONE_LINE.match(text)):
        return read_text(text, TEXT, include)
    if text == "-":
        return read_text(standard_input(), STDIN, include)
    if text.endswith(".qpy"):
        return read_qpy(Path(text), _read(_existing(text)))
    if text.endswith((".qasm", ".qasm2", ".qasm3", ".inc")):
        return _load_qasm(_existing(text), include)
    path, _, name = text.rpartition(":")
    if path.endswith(".py"):
        return read_object(import_file(_existing(path)), name, text)
    if MODULE.fullmatch(text):
        return read_object(import_module(path, FORMS), name, text)
    if text.endswith(".py"):
        return only_circuit(import_file(_existing(text)), text)
    if _is_file(text):
        return _load_qasm(Path(text), include)
    raise UsageError(f"'{text:.{LONGEST_SHOWN}}' is not a program", hint=FORMS)


def _existing(text: str) -> Path:
    if not _is_file(text):
        raise UsageError(f"no such file: '{text:.{LONGEST_SHOWN}}'")
    return Path(text)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a name, or with a null byte
        return False


def _read(path: Path) -> bytes:
    try:
        return read_regular(path)
    except (OSError, ValueError) as error:
        raise UsageError(f"'{path!s:.{LONGEST_SHOWN}}' cannot be read: {reason_of(error)}") from None


def _load_qasm(path: Path, include: Sequence[str]) -> Program:
    return read_text(_decode(_read(path), str(path)), str(path), include)


def standard_input() -> str:
    """The OpenQASM text that is piped in."""
    if sys.stdin is None:
        raise UsageError("the standard input is closed", hint=FORMS)
    try:
        return _decode(read_all(sys.stdin.buffer), STDIN)
    except OSError as error:
        raise UsageError(f"the standard input cannot be read: {reason_of(error)}") from None


def read_text(text: str, file: str, include: Sequence[str] = ()) -> Program:
    """The program of an OpenQASM text; `file` is named in positions and finds includes, as do folders."""
    annotations = read_annotations(text, file)
    check_text(text, file)
    version = version_of(text, file)
    read = read_qasm2
    if version.number == 3:
        with loading("qismc.program.qasm3"):
            from qismc.program.qasm3 import read_qasm3  # noqa: PLC0415 - its parser is slow to load

        read = read_qasm3
    includes = Includes(file, include)
    with telling(version), room_for_nesting(), includes.discreet():
        program = read(text, file, Path(file).name, annotations, includes)
    return replace(program, lines={file: text.split("\n")}, include=tuple(include))


def _decode(data: bytes, file: str) -> str:
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        place = Source(file, before.count(b"\n") + 1, error.start - (before.rfind(b"\n") + 1) + 1)
        message = f"the byte 0x{data[error.start]:02x} is not valid UTF-8"
        raise ProgramError(message, source=place, hint="save the file as UTF-8") from None


if TYPE_CHECKING:
    from qiskit import QuantumCircuit


def read_program(thing: Any, name: str | None = None, include: Sequence[str] = ()) -> Program:
    """The program of a circuit, of a function that makes one, or of a file (`prog.qasm`, `file.py:name`, …).

    What a function builds with Qiskit's own class knows its source lines. OpenQASM may include files below
    its own folder and below those of `include`.
    """
    if isinstance(thing, Program):
        return thing
    if isinstance(thing, str | Path):
        return load(thing, include)
    if is_circuit(thing) or callable(thing):
        with loading("qismc.program.from_qiskit"):
            from qismc.program.from_qiskit import read_circuit  # noqa: PLC0415 - Qiskit is slow to load

        if is_circuit(thing):
            return read_circuit(thing, name)
        return read_circuit(returned(thing), name or getattr(thing, "__name__", None))
    raise UsageError(
        f"{type(thing).__name__} {quoted(thing)} is not a program",
        hint="give a QuantumCircuit, a function that returns one, or the name of a file",
    )


def returned(function: Callable[[], Any]) -> QuantumCircuit:
    """The circuit that a function returns; its errors are the caller's own."""
    with loading():
        from qismc.program.recording import trace  # noqa: PLC0415 - Qiskit is slow to load

    with trace():
        circuit = function()
    if not is_circuit(circuit):
        called = getattr(function, "__name__", type(function).__name__)
        raise UsageError(f"{called}() returns {type(circuit).__name__}, not a QuantumCircuit")
    return circuit


SUFFIXES = ("qasm", "qasm2", "qasm3")


def files_of(text: str) -> Sequence[str]:
    """The files of a pattern, the OpenQASM files below a folder, or the word itself."""
    if not text:
        raise UsageError("the name of a program is empty", hint="'.' is this folder")
    try:
        if Path(text).is_dir():
            return _below(text)
        if glob.has_magic(text) and not Path(text).exists():
            found = sorted(glob.glob(text, recursive=True))  # noqa: PTH207 - patterns may be absolute
            if files := [str(file) for file in found if Path(file).is_file()]:
                return files
            raise UsageError(f"no file is like '{text:.{LONGEST_SHOWN}}'")
    except (OSError, ValueError):  # too long for a name, or with a null byte: whoever reads it says so
        pass
    return [text]


def _below(folder: str) -> Sequence[str]:
    found = sorted(file for suffix in SUFFIXES for file in Path(folder).rglob(f"*.{suffix}"))
    if not found:
        raise UsageError(f"there are no .qasm files in '{folder}'")
    return [str(file) for file in found]
