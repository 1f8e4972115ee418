"""What in a Python module is a circuit, or a function that returns one; no function is called to find out.

A function counts if it can be called without arguments. Whether it returns a circuit is read off its return
annotation, else off the text of its `return` statements; where neither tells, it may.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from qismc.program.foreign import is_circuit

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
    """Does it? None where that cannot be told; `callers` were asked before, for whose sake this is asked."""
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
