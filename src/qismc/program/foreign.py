"""What is not ours: objects of Qiskit, the user's Python modules, and the errors that their code raises.

Qiskit is not loaded to recognise its objects: who has such an object has loaded it.

Where a module is searched for circuits, and for functions that return one, no function is called to find out.
A function counts if it can be called without arguments. Whether it returns a circuit is read off its return
annotation, else off the text of its `return` statements; where neither tells, it may.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import re
import signal
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from typing_extensions import TypeIs

from qismc.common.loading import loading
from qismc.common.source import Source
from qismc.errors import ProgramError, QismcError, Stopped, Undecided, UsageError, suggestion
from qismc.program.program import Program

if TYPE_CHECKING:
    from qiskit import QuantumCircuit
    from qiskit.quantum_info import Statevector


def is_circuit(thing: Any) -> TypeIs[QuantumCircuit]:
    """A QuantumCircuit of Qiskit, or of a class made of it."""
    qiskit = sys.modules.get("qiskit")
    return qiskit is not None and isinstance(thing, qiskit.QuantumCircuit)


def is_statevector(thing: Any) -> TypeIs[Statevector]:
    """A Statevector of Qiskit."""
    states = sys.modules.get("qiskit.quantum_info")
    return states is not None and isinstance(thing, states.Statevector)


PASSING = (QismcError, Undecided, MemoryError, RecursionError, KeyboardInterrupt)
"""Errors that are passed on unchanged from the user's code. Panics of native code are no `Exception`."""


def said(error: BaseException) -> str:
    """Class and text of an error; the class alone if the text fails, as with classes of the user."""
    try:
        text = str(error)
    except Exception:
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def unreadable(what: str, error: BaseException, source: Source | None = None) -> ProgramError:
    """The error for something that cannot be read because of another one."""
    return ProgramError(f"{what} cannot be read: {said(error)}", source=source)


CIRCUIT = "QuantumCircuit"
RETURNING = frozenset({"transpile", "from_qasm_str", "from_qasm_file"})
"""Functions of Qiskit whose result is a circuit."""
KEEPING = frozenset(
    {"copy", "compose", "tensor", "decompose", "inverse", "power", "repeat", "control", "reverse_bits"}
)
"""Methods of a circuit that return another one."""
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@dataclass(frozen=True)
class Candidates:
    """The names in a module that stand for programs, and functions of which one cannot tell."""

    sure: tuple[str, ...]
    perhaps: tuple[str, ...]


def candidates(module: ModuleType) -> Candidates:
    """Circuits first, then functions."""
    public = {name: thing for name, thing in vars(module).items() if not name.startswith("_")}
    circuits = [name for name, thing in public.items() if is_circuit(thing)]
    functions = {name: thing for name, thing in public.items() if _is_callable_alone(thing, module)}
    told = {name: _returns_circuit(function, ()) for name, function in functions.items()}
    sure = [name for name, answer in told.items() if answer]
    return Candidates((*circuits, *sure), tuple(name for name, answer in told.items() if answer is None))


def _is_callable_alone(thing: Any, module: ModuleType) -> bool:
    """A function of the module, not one that it imports, that needs no arguments."""
    if not inspect.isfunction(thing) or thing.__module__ != module.__name__:
        return False
    parameters = inspect.signature(thing).parameters.values()
    optional = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return all(p.default is not p.empty or p.kind in optional for p in parameters)


def _returns_circuit(function: Callable[..., Any], callers: tuple[Any, ...]) -> bool | None:
    """True, False, or None if undecidable here; `callers` are functions that return what this one returns."""
    if function in callers:
        return None
    annotated = getattr(function, "__annotations__", {})
    if "return" in annotated:
        return _means_circuit(annotated["return"])
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, TypeError, SyntaxError, IndexError):
        return None
    if not isinstance(tree, ast.FunctionDef):
        return None
    values = [node.value for node in _own_nodes(tree) if isinstance(node, ast.Return)]
    if not any(values) or any(isinstance(node, ast.Yield | ast.YieldFrom) for node in _own_nodes(tree)):
        return False
    reader = _Reader(tree, getattr(function, "__globals__", {}), (*callers, function))
    answers = [reader.is_circuit(value) for value in values if value is not None]
    return True if any(answers) else (False if all(a is False for a in answers) else None)


def _means_circuit(annotation: Any) -> bool:
    """A class of circuits, or its name."""
    if isinstance(annotation, type):
        return any(base.__name__ == CIRCUIT for base in annotation.__mro__)
    return re.fullmatch(rf"(\w+\.)*{CIRCUIT}", str(annotation).strip("'\" ")) is not None


def _own_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """What stands in a function, without the functions and classes inside of it."""
    for child in ast.iter_child_nodes(tree):
        yield child
        if not isinstance(child, SCOPES):
            yield from _own_nodes(child)


class _Reader:
    """Whether expressions of a function are circuits, by what its names were given."""

    def __init__(self, tree: ast.FunctionDef, names: Mapping[str, Any], callers: tuple[Any, ...]) -> None:
        self._globals = names
        self._callers = callers
        self._given: dict[str, ast.expr] = {}
        for node in _own_nodes(tree):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        self._given.setdefault(
                            target.id, node.value
                        )  # the first value: later ones build on it

    def is_circuit(self, value: ast.expr, depth: int = 0) -> bool | None:
        match value:
            case ast.Constant() | ast.JoinedStr() | ast.List() | ast.Tuple() | ast.Dict() | ast.Compare():
                return False
            case ast.Name(id=name) if name in self._given and depth < len(self._given) + 1:
                return self.is_circuit(self._given[name], depth + 1)
            case ast.Name() | ast.Attribute():
                return True if is_circuit(self._known(value)) else None
            case ast.Call(func=function):
                return self._called(function, depth)
        return None

    def _called(self, function: ast.expr, depth: int) -> bool | None:
        known = self._known(function)
        if isinstance(known, type):
            return _means_circuit(known)
        if inspect.isfunction(known):
            if known.__name__ in RETURNING:
                return True
            return _returns_circuit(known, self._callers)
        if isinstance(function, ast.Attribute) and function.attr in KEEPING:
            return self.is_circuit(function.value, depth + 1)
        return None

    def _known(self, value: ast.expr) -> Any:
        """What a name, or an attribute of a module, stands for outside of the function."""
        match value:
            case ast.Name(id=name):
                return self._globals.get(name)
            case ast.Attribute(value=owner, attr=attribute):
                known = self._known(owner)
                return getattr(known, attribute, None) if isinstance(known, ModuleType | type) else None
        return None


def import_file(path: Path) -> ModuleType:
    """The module of a file, with source lines for what it builds."""
    name = f"qismc_user_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)
    try:
        with _users(spec.origin or str(path)):  # as tracebacks name it
            spec.loader.exec_module(module)
    finally:
        if folder in sys.path:
            sys.path.remove(folder)
    return module


def import_module(name: str, hint: str) -> ModuleType:
    """The module of that name; `hint` says what programs are called."""
    with _users(name):
        try:
            found = importlib.util.find_spec(name)  # loads a parent package to find out
        except ModuleNotFoundError as error:
            raise UsageError(f"no module named '{error.name}'", hint=hint) from None
        except (ImportError, AttributeError, ValueError):  # a parent is no package
            found = None
        if found is None:
            raise UsageError(f"no module named '{name}'", hint=hint)
        return importlib.import_module(name)


@contextmanager
def _users(where: str) -> Iterator[None]:
    """The user's own code runs inside, and source lines of circuits are recorded.

    Whatever it raises (sys.exit(0), say) is a mistake of the program, not an answer.
    """
    with loading():
        from qismc.program.recording import trace  # noqa: PLC0415 - Qiskit is slow to load

    try:
        with trace():
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


def only_circuit(module: ModuleType, text: str) -> Program:
    """`file.py` alone: the one circuit in it, or what stands there to choose from."""
    with _users(_file_of(module, text)):
        found = candidates(module)
    if len(found.sure) == 1 and not found.perhaps:
        return read_object(module, found.sure[0], f"{text}:{found.sure[0]}")
    sure, perhaps = ", ".join(found.sure), ", ".join(found.perhaps)
    listed = "; ".join([*([sure] if sure else []), *([f"perhaps {perhaps}"] if perhaps else [])])
    hint = "it has no circuit, nor a function that returns one"
    if listed:
        hint = f"as in {text}:{(*found.sure, *found.perhaps)[0]}; there are {listed}"
    raise UsageError(f"'{text}' does not say which circuit", hint=hint)


def read_object(module: ModuleType, name: str, spec: str) -> Program:
    """The circuit of that name, or the one that the function of that name returns."""
    with loading():
        from qismc.program.from_qiskit import read_circuit  # noqa: PLC0415 - Qiskit is slow to load

    with _users(_file_of(module, name)):
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
