"""Programs from files: OpenQASM 2 and 3, QPY, Python."""

from __future__ import annotations

import importlib
import importlib.util
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from qismc.common.files import LONGEST_SHOWN, read_all, read_regular, reason_of
from qismc.common.loading import loading
from qismc.common.source import Source
from qismc.errors import ProgramError, QismcError, Stopped, Undecided, UsageError, suggestion
from qismc.program.builder import room_for_nesting
from qismc.program.candidates import candidates
from qismc.program.foreign import is_circuit, said
from qismc.program.includes import Includes
from qismc.program.program import Program
from qismc.program.qasm2 import read_qasm2
from qismc.program.qasm_text import check_text, read_annotations, telling, version_of
from qismc.program.qpy import read_qpy

MODULE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
STDIN = "<stdin>"
TEXT = "<text>"
FORMS = "give file.qasm, file.qpy, file.py:name, package.module:name or OpenQASM text"


def load(spec: str | Path, include: Sequence[str] = ()) -> Program:
    """The program in `file.qasm`, `file.qpy`, `file.py:name`, `package.module:name`, or piped in (`-`).

    `file.py` alone is enough where it has one circuit.

    A string of several lines is no name but the OpenQASM text itself. Files that it includes lie below its
    own folder, or below one of `include`.
    """
    text = str(spec)
    if isinstance(spec, str) and "\n" in text.strip():
        return read_text(text, TEXT, include)
    if text == "-":
        return read_text(standard_input(), STDIN, include)
    if text.endswith(".qpy"):
        return read_qpy(Path(text), _read(_existing(text)))
    if text.endswith((".qasm", ".qasm2", ".qasm3", ".inc")):
        return _load_qasm(_existing(text), include)
    path, _, name = text.rpartition(":")
    if path.endswith(".py"):
        return _read_object(_import_file(_existing(path)), name, text)
    if MODULE.fullmatch(text):
        return _read_object(_import_module(path), name, text)
    if text.endswith(".py"):
        return _only_circuit(text)
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
        with loading():
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


def _import_file(path: Path) -> ModuleType:
    with loading():
        from qismc.program.recording import trace  # noqa: PLC0415 - Qiskit is slow to load

    name = f"qismc_user_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)
    try:
        with trace(), _users(spec.origin or str(path)):  # as tracebacks name it
            spec.loader.exec_module(module)
    finally:
        if folder in sys.path:
            sys.path.remove(folder)
    return module


def _import_module(name: str) -> ModuleType:
    with loading():
        from qismc.program.recording import trace  # noqa: PLC0415 - Qiskit is slow to load

    try:
        found = importlib.util.find_spec(name)
    except ModuleNotFoundError as error:
        raise UsageError(f"no module named '{error.name}'", hint=FORMS) from None
    except (ImportError, AttributeError, ValueError):  # a parent is no package
        found = None
    except Undecided:
        raise
    except Exception as error:  # a parent package is loaded to find out
        raise _python_error(error, name) from error
    if found is None:
        raise UsageError(f"no module named '{name}'", hint=FORMS)
    with trace(), _users(name):
        return importlib.import_module(name)


@contextmanager
def _users(where: str) -> Iterator[None]:
    """Whatever the user's own code raises (sys.exit(0), say) is a mistake of the program, not an answer."""
    try:
        yield
    except (Stopped, QismcError, Undecided):
        raise
    except KeyboardInterrupt as error:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            raise  # nobody can tell it from Ctrl-C
        raise _python_error(error, where) from error
    except BaseException as error:
        raise _python_error(error, where) from error


def _python_error(error: BaseException, where: str) -> ProgramError:
    """The user's program failed: say where in the user's own file."""
    source, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == where:
            source = Source(where, trace.tb_lineno)
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.lineno is not None:
        source = Source(error.filename or where, error.lineno, error.offset)
    return ProgramError(said(error), source=source)


def _only_circuit(text: str) -> Program:
    """`file.py` alone: the one circuit in it, or what stands there to choose from."""
    module = _import_file(_existing(text))
    with _users(_file_of(module, text)):
        found = candidates(module)
    if len(found.sure) == 1 and not found.perhaps:
        return _read_object(module, found.sure[0], f"{text}:{found.sure[0]}")
    sure, perhaps = ", ".join(found.sure), ", ".join(found.perhaps)
    listed = "; ".join([*([sure] if sure else []), *([f"perhaps {perhaps}"] if perhaps else [])])
    hint = "it has no circuit, nor a function that returns one"
    if listed:
        hint = f"as in {text}:{(*found.sure, *found.perhaps)[0]}; there are {listed}"
    raise UsageError(f"'{text}' does not say which circuit", hint=hint)


def _read_object(module: ModuleType, name: str, spec: str) -> Program:
    with loading():
        from qismc.program.from_qiskit import read_circuit  # noqa: PLC0415 - Qiskit is slow to load
        from qismc.program.recording import trace  # noqa: PLC0415 - Qiskit is slow to load

    with trace(), _users(_file_of(module, name)):
        if not hasattr(module, name):
            found = candidates(module)
            names = [*found.sure, *found.perhaps]
            hint = suggestion(name, names) or (f"there are {', '.join(names)}" if names else None)
            raise UsageError(f"'{spec}': there is no '{name}'", hint=hint)
        thing: Any = getattr(module, name)
        if callable(thing) and not is_circuit(thing):
            thing = thing()
        if not is_circuit(thing):
            kind = type(thing).__name__
            raise UsageError(
                f"'{spec}' is of type {kind}, not a QuantumCircuit or a function that returns one"
            )
    return read_circuit(thing, name)


def _file_of(module: ModuleType, otherwise: str) -> str:
    """As tracebacks name it."""
    return vars(module).get("__file__") or otherwise
