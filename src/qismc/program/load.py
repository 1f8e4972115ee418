"""Programs from files: OpenQASM 2 and 3, QPY, Python."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import qiskit
from qiskit import qpy

from qismc.errors import ProgramError, UsageError, suggestion
from qismc.program.annotations import read_annotations
from qismc.program.from_qiskit import read_circuit
from qismc.program.program import Program
from qismc.program.qasm2 import read_qasm2
from qismc.program.qasm2_text import check_text
from qismc.program.recording import trace
from qismc.program.source import Source
from qismc.program.version import telling, version_of

MODULE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
STDIN = "<stdin>"
FORMS = "give file.qasm, file.qpy, file.py:name or package.module:name"


def load(spec: str | Path) -> Program:
    """The program in `file.qasm`, `file.qpy`, `file.py:name`, `package.module:name`, or piped in (`-`)."""
    text = str(spec)
    if text == "-":
        return read_text(standard_input(), STDIN)
    if text.endswith(".qpy"):
        return _load_qpy(_existing(text))
    if text.endswith((".qasm", ".qasm2", ".qasm3", ".inc")):
        return _load_qasm(_existing(text))
    path, _, name = text.rpartition(":")
    if path.endswith(".py"):
        return _read_object(_import_file(_existing(path)), name, text)
    if MODULE.fullmatch(text):
        return _read_object(_import_module(path), name, text)
    if text.endswith(".py"):
        raise UsageError(f"'{text}' does not say which circuit", hint="write file.py:name")
    if Path(text).is_file():
        return _load_qasm(Path(text))
    raise UsageError(f"'{text}' is not a program", hint=FORMS)


def _existing(text: str) -> Path:
    path = Path(text)
    if not path.is_file():
        raise UsageError(f"no such file: '{text}'")
    return path


def _load_qasm(path: Path) -> Program:
    return read_text(_decode(path.read_bytes(), str(path)), str(path))


def standard_input() -> str:
    """The OpenQASM text that is piped in."""
    return _decode(sys.stdin.buffer.read(), STDIN)


def read_text(text: str, file: str) -> Program:
    """The program of an OpenQASM text; `file` is named in positions and finds includes."""
    annotations = read_annotations(text, file)
    check_text(text, file)
    version = version_of(text, file)
    read = read_qasm2
    if version.number == 3:
        from qismc.program.qasm3 import read_qasm3  # noqa: PLC0415 - its parser is slow to load

        read = read_qasm3
    with telling(version):
        program = read(text, file, Path(file).name, annotations)
    return replace(program, lines={file: text.split("\n")})


def _decode(data: bytes, file: str) -> str:
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        place = Source(file, before.count(b"\n") + 1, error.start - (before.rfind(b"\n") + 1) + 1)
        message = f"the byte 0x{data[error.start]:02x} is not valid UTF-8"
        raise ProgramError(message, source=place, hint="save the file as UTF-8") from None


def _load_qpy(path: Path) -> Program:
    try:
        with path.open("rb") as stream:
            circuits = qpy.load(stream)
    except Exception as error:  # the reader of a broken file fails in many ways
        raise ProgramError(f"'{path}' is not a readable QPY file: {error}") from None
    if len(circuits) != 1:
        raise ProgramError(f"'{path}' holds {len(circuits)} circuits", hint="save one circuit per file")
    return read_circuit(circuits[0], circuits[0].name or path.name)


def _import_file(path: Path) -> ModuleType:
    name = f"qismc_user_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)
    try:
        with trace():
            spec.loader.exec_module(module)
    except Exception as error:
        raise _python_error(error, str(path)) from error
    finally:
        sys.path.remove(folder)
    return module


def _import_module(name: str) -> ModuleType:
    try:
        with trace():
            return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise UsageError(f"no module named '{error.name}'", hint=FORMS) from None
    except Exception as error:
        raise _python_error(error, name) from error


def _python_error(error: BaseException, where: str) -> ProgramError:
    """The user's program failed: say where in the user's own file."""
    source, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == where:
            source = Source(where, trace.tb_lineno)
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.lineno is not None:
        source = Source(error.filename or where, error.lineno, error.offset)
    return ProgramError(f"{type(error).__name__}: {error}", source=source)


def _read_object(module: ModuleType, name: str, spec: str) -> Program:
    if not hasattr(module, name):
        names = [n for n, v in vars(module).items() if isinstance(v, qiskit.QuantumCircuit) or callable(v)]
        raise UsageError(f"'{spec}': there is no '{name}'", hint=suggestion(name, names))
    thing: Any = getattr(module, name)
    if callable(thing) and not isinstance(thing, qiskit.QuantumCircuit):
        try:
            with trace():
                thing = thing()
        except Exception as error:
            raise _python_error(error, getattr(module, "__file__", None) or name) from error
    if not isinstance(thing, qiskit.QuantumCircuit):
        kind = type(thing).__name__
        raise UsageError(f"'{spec}' is of type {kind}, not a QuantumCircuit or a function that returns one")
    return read_circuit(thing, name)
