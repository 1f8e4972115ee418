"""The checker shares nothing with the solver but the readers of programs and formulas."""

from __future__ import annotations

import ast
from pathlib import Path

import qismc

ROOT = Path(qismc.__file__).parent
SHARED = (
    "qismc.program",
    "qismc.language",
    "qismc.common.arguments",
    "qismc.common.files",
    "qismc.errors",
    "qismc.common.lazily",
    "qismc.common.process",
    "qismc.common.loading",
    "qismc.common.scalars",
    "qismc.common.source",
    "qismc.common.wording",
    "qismc.limits",
)


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name == "qismc" or name.startswith("qismc.")}


def within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def test_the_checker_imports_the_readers_only() -> None:
    files = list((ROOT / "verifier").glob("*.py"))
    assert len(files) > 8
    for file in files:
        foreign = {name for name in imports(file) if not within(name, ("qismc.verifier", *SHARED))}
        assert not foreign, f"{file.name} imports {foreign}"


def test_the_readers_do_not_import_the_solver() -> None:
    for package in ("program", "language"):
        for file in (ROOT / package).rglob("*.py"):
            foreign = {name for name in imports(file) if not within(name, SHARED)}
            assert not foreign, f"{file.name} imports {foreign}"
