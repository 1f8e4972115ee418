"""The packages that QisMC asks for: they fit together, and the oldest versions that it allows are tested."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from importlib.metadata import Distribution, distributions, requires
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BOUND = re.compile(r"(?P<name>[\w-]+)(?:\[[\w,]+\])?[^;]*>=(?P<version>[\d.]+)")


def shared(installed: Iterable[Distribution]) -> dict[str, set[str]]:
    """The files that two or more distributions say are theirs."""
    owners = defaultdict(set)
    for distribution in installed:
        for file in distribution.files or ():
            if file.suffix != ".pyc":
                owners[str(file)].add(distribution.metadata["Name"])
    return {file: names for file, names in owners.items() if len(names) > 1}


def test_no_two_distributions_own_the_same_file() -> None:
    assert shared(distributions()) == {}


def test_a_shared_file_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "lark").mkdir()
    (tmp_path / "lark" / "lark.py").touch()
    for name in ("lark-1.0.dist-info", "lark_parser-0.12.dist-info"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "METADATA").write_text(f"Name: {name.partition('-')[0]}\nVersion: 1\n")
        (tmp_path / name / "RECORD").write_text("lark/lark.py,,\n")
    assert shared(distributions(path=[str(tmp_path)])) == {"lark/lark.py": {"lark", "lark_parser"}}


def test_the_oldest_versions_are_the_lower_bounds() -> None:
    """Every requirement of the package and its extras has a lower bound, and the gate tests that version."""
    lines = (ROOT / ".ci" / "oldest.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(line.split("==") for line in lines if not line.startswith("#"))
    asked = [BOUND.match(text) for text in requires("qismc") or ()]
    if None in asked:
        pytest.fail(f"a requirement without a lower bound: {requires('qismc')}")
    assert {match["name"].lower(): match["version"] for match in asked if match} == pinned
