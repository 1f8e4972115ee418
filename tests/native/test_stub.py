"""The committed type stub says what the module offers."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from qismc import _core

ROOT = Path(__file__).parents[2]


def test_committed_stub_is_up_to_date(tmp_path: Path) -> None:
    pytest.importorskip("nanobind.stubgen")
    pytest.importorskip("ruff")
    stub = tmp_path / "_core.pyi"
    shutil.copy(_core.__file__, tmp_path)  # away from rooms whose names are those of standard modules
    patterns = ROOT / "native" / "bindings" / "stub_patterns.txt"
    generate = [
        "nanobind.stubgen",
        "-q",
        "-m",
        "_core",
        "-i",
        str(tmp_path),
        "-p",
        str(patterns),
        "-o",
        str(stub),
    ]
    settings = str(ROOT / "pyproject.toml")
    for command in (generate, ["ruff", "format", "-q", "--config", settings, str(stub)]):
        subprocess.run([sys.executable, "-m", *command], check=True)
    committed = (ROOT / "src" / "qismc" / "_core.pyi").read_text()
    assert stub.read_text() == committed, "run: cmake --build <folder> --target core_stub"
