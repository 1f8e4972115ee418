"""The house rule of CONTRIBUTING: rooms import from the doors of rooms above them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "qismc"
ROW = re.compile(r"^\| `(\w+)/` \|", re.MULTILINE)
OPEN = ("_core", "common", "errors", "limits", "verdict")
"""What every room may import, module by module: none of it imports a room."""
ENDS = ("", "__main__", "demo", "pytest_plugin")
"""What no room imports: the package's own face, and other starts."""


class Import(NamedTuple):
    """`from module import ...`, wherever it stands in a file."""

    file: Path
    module: tuple[str, ...]
    """Behind `qismc`."""

    @property
    def text(self) -> str:
        return f"{self.file.relative_to(SOURCES)} imports qismc.{'.'.join(self.module)}"


def room_of(path: Path) -> str:
    """The folder below the package that a file stands in, or the file's own name."""
    parts = path.relative_to(SOURCES).with_suffix("").parts
    return "" if parts == ("__init__",) else parts[0]


def imports(path: Path) -> Iterator[Import]:
    """All of them: at the top, inside of functions, and for types only."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "qismc":
            names = tuple((node.module or "").split(".")[1:])
            yield from (Import(path, names or (_module(alias.name),)) for alias in node.names)
        elif isinstance(node, ast.Import):
            found = (tuple(alias.name.split(".")) for alias in node.names)
            yield from (Import(path, names[1:] or ("",)) for names in found if names[0] == "qismc")


def _module(name: str) -> str:
    """What `from qismc import name` imports: a module, or the package's own face."""
    return name if name in OPEN or (SOURCES / name).is_dir() else ""


FILES = sorted(SOURCES.rglob("*.py"))
ROOMS = ROW.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Working")[0])
IMPORTS = [found for file in FILES for found in imports(file)]


def inside(*rooms: str) -> list[Import]:
    """The imports of some rooms."""
    return [found for found in IMPORTS if room_of(found.file) in rooms]


def test_the_table_names_every_room() -> None:
    folders = {path.parent.name for path in SOURCES.glob("*/__init__.py")}
    assert sorted(ROOMS) == sorted(folders - {"common"})


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_from_rooms_above(room: str) -> None:
    above = {*ROOMS[: ROOMS.index(room) + 1], *OPEN, *(ENDS if room == "cli" else ())}
    assert not [found.text for found in inside(room) if found.module[0] not in above]


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_are_entered_by_their_doors(room: str) -> None:
    others = [found for found in inside(*ROOMS) if room_of(found.file) != room]
    assert not [found.text for found in others if found.module[0] == room and len(found.module) > 1]


def test_what_is_open_to_all_imports_no_room() -> None:
    assert not [found.text for found in inside(*OPEN) if found.module[0] not in OPEN]


def test_doors_say_what_is_behind_them() -> None:
    for room in ROOMS:
        assert ast.get_docstring(ast.parse((SOURCES / room / "__init__.py").read_text(encoding="utf-8")))


def test_the_checker_of_certificates_shares_nothing_with_the_solver() -> None:
    assert {found.module[0] for found in inside("verifier")} <= {"verifier", "program", "language", *OPEN}


@pytest.mark.parametrize("name", ["model", "engines", "simulation", "conditions"])
def test_models_do_not_change(name: str) -> None:
    """What a method finds out is a new model, or kept in a field that says that it is found by trial."""
    tree = ast.parse((SOURCES / "model" / f"{name}.py").read_text(encoding="utf-8"))
    changed = [
        f"{function.name}: {ast.unparse(target)}"
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef) and function.name != "__init__"
        for node in ast.walk(function)
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id == "self"
    ]
    assert not changed
