"""The house rule of CONTRIBUTING: stages import stages to their left only."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "qismc"
ROW = re.compile(r"^\| [^|]+ \| (`[^|]+`) \|", re.MULTILINE)
SHARED = "common"
PLAIN = {"errors", "limits", "verdict"}
"""Shared things that users meet by their own names."""
ENDS = {"__init__", "_core", "cli", "demo", "pytest_plugin"}
"""What nobody imports (the package's own face, commands), and the native module."""


def unit(path: Path) -> str:
    """The folder below the package that a file stands in, or the file's own name."""
    parts = path.relative_to(SOURCES).parts
    return named(parts[0] if len(parts) > 1 else path.stem)


def named(name: str) -> str:
    return SHARED if name in PLAIN else name


def imported(path: Path) -> Iterator[str]:
    """The units that a file imports when it is loaded; imports inside functions are made on demand."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "qismc":
            names = (node.module or "").split(".")[1:]
            yield from map(named, names[:1] or [alias.name for alias in node.names])


def imports() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for path in SOURCES.rglob("*.py"):
        found[unit(path)] |= set(imported(path)) - {unit(path)}
    return found


def stages() -> list[set[str]]:
    """The units of each row of the table, in order."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Working")[0]
    rows = ROW.findall(page)
    return [{name.strip("`/ ").removesuffix(".py") for name in row.split(",")} for row in rows]


def test_every_folder_has_its_place_in_the_table() -> None:
    folders = {path.name for path in SOURCES.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert folders - ENDS - {SHARED} <= set().union(*stages())


def test_no_unit_imports_itself_by_a_detour() -> None:
    """Loading order exists: the units form no cycle."""
    graph = {name: targets - ENDS for name, targets in imports().items() if name not in ENDS}
    assert list(TopologicalSorter(graph).static_order())


@pytest.mark.parametrize("number", range(len(stages())))
def test_stages_import_to_the_left(number: int) -> None:
    rows = stages()
    right = set().union(*rows[number + 1 :])
    found = imports()
    for name in rows[number]:
        assert not found[name] & right, f"{name} imports {found[name] & right}"


def test_the_checker_of_certificates_shares_nothing_with_the_solver() -> None:
    assert imports()["verifier"] <= {"program", "spec", SHARED}
