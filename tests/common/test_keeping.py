"""What is kept between processes may be missing, damaged, or have no place: then it is made again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from qismc.common.keeping import kept_at

ASK = "from qismc.language.parser import parse_formula; print(parse_formula('AG leaf'))"
ANSWER = "Temporal(quantifier='A', op='G', operands=(Atom(name='leaf'),))"


def answer(caches: Path) -> str:
    """What another process with this cache folder parses."""
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "XDG_CACHE_HOME": str(caches), "LOCALAPPDATA": str(caches)},
    )
    assert not done.stderr
    return done.stdout.strip()


def test_the_tables_of_the_grammar_are_kept_and_made_again_when_damaged(tmp_path: Path) -> None:
    assert answer(tmp_path) == ANSWER
    (kept,) = (tmp_path / "qismc").iterdir()
    half = kept.read_bytes()[: kept.stat().st_size // 2]
    kept.write_bytes(half)
    assert answer(tmp_path) == ANSWER
    assert kept.stat().st_size > len(half)
    assert answer(tmp_path) == ANSWER


def test_without_a_place_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "no folder"
    file.write_text("")
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(file))
    assert kept_at("anything") is None
    assert answer(file) == ANSWER
