"""Time against size, both logarithmic; matplotlib is needed for this only."""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Sequence
from pathlib import Path

from benchmarks.row import Row
from qismc.errors import UsageError

Points = list[tuple[int, float]]


def require_matplotlib() -> None:
    """Say so before hours of measuring, not after them."""
    if importlib.util.find_spec("matplotlib") is None:
        raise UsageError("--plot needs matplotlib", hint="pip install matplotlib")


def series(rows: Sequence[Row]) -> dict[str, Points]:
    """Points (gates or locations, seconds) by family: names without their numbers."""
    found: dict[str, Points] = {}
    for row in rows:
        size = row.gates or row.locations
        if row.answered and size and row.total:
            found.setdefault(_family(row.name), []).append((size, row.total))
            for peer, seconds in row.peers.items():
                if seconds:
                    found.setdefault(peer, []).append((size, seconds))
    return {family: sorted(points) for family, points in found.items()}


def _family(name: str) -> str:
    """`grover-64-linear-broken-oracle` and `grover-32-linear` are of the family grover-linear.

    >>> _family("grover-64-linear-broken-oracle")
    'grover-linear'
    """
    stem = name.removesuffix("+pauli").split("-broken")[0]
    return "-".join(word for word in re.split("[-_]", stem) if word.isalpha()) or stem


def plot(rows: Sequence[Row], file: Path) -> None:
    """Write the picture; its format follows from the name of the file."""
    require_matplotlib()
    figure_module = importlib.import_module("matplotlib.figure")
    figure = figure_module.Figure(figsize=(9, 6), layout="constrained")
    axes = figure.add_subplot(xscale="log", yscale="log")
    for family, points in series(rows).items():
        axes.plot(*zip(*points, strict=True), marker="o", markersize=3, label=family)
    axes.set(xlabel="gates (locations for CTL)", ylabel="seconds: build + fixed point + check")
    axes.grid(True, which="both", alpha=0.3)
    if axes.lines:
        axes.legend(fontsize="x-small", ncols=2)
    try:
        figure.savefig(file)
    except (OSError, ValueError) as error:
        raise UsageError(f"'{file}' cannot be written: {error}") from error
