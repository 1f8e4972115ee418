"""The kept inputs, and a few damaged versions of each."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from .mutation import mutated
from .targets import CORPUS, TARGETS, accepts

DAMAGED = 6
"""Versions of each input here; `nox -s fuzz` makes more."""
FILES = sorted(file for file in CORPUS.rglob("*") if file.is_file())


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.name}")
def test_inputs(file: Path) -> None:
    target = file.parent.name
    others = [other.read_bytes() for other in FILES if other.parent == file.parent]
    data, random = file.read_bytes(), Random(file.name)
    accepts(target, data)
    for _ in range(DAMAGED):
        accepts(target, mutated(data, others, random))


def test_every_reader_reads_something() -> None:
    for target in TARGETS:
        assert any(accepts(target, f.read_bytes()) for f in FILES if f.parent.name == target), target
