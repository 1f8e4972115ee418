"""Series by family, and a picture of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.plot import plot, series
from benchmarks.row import Row, unanswered
from qismc.errors import UsageError


def row(name: str, gates: int, seconds: float, **peers: float | None) -> Row:
    times = {"build": seconds, "fixpoint": 0.0, "check": 0.0}
    return Row(name, "holds", gates=gates, seconds=times, peers=peers)


ROWS = [
    row("grover-64-linear", 482, 0.25, aer=2.0),
    row("grover-32-linear", 240, 0.125, aer=None),
    row("grover-32", 478, 0.5),
    row("grover-32-broken-oracle", 477, 0.75),
    unanswered("grover-128", "unknown", "limit"),
]


def test_points_are_grouped_and_sorted() -> None:
    assert series(ROWS) == {
        "grover-linear": [(240, 0.125), (482, 0.25)],
        "aer": [(482, 2.0)],
        "grover": [(477, 0.75), (478, 0.5)],
    }


def test_the_picture_has_every_family(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "times.svg"
    plot(ROWS, file)
    assert "<svg" in file.read_text(encoding="utf-8")


def test_without_rows_the_picture_is_empty(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plot([], tmp_path / "empty.png")
    assert (tmp_path / "empty.png").stat().st_size > 0


def test_unwritable_files_are_named(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    with pytest.raises(UsageError, match="cannot be written"):
        plot(ROWS, tmp_path / "missing" / "times.png")
