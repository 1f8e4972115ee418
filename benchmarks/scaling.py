"""How time grows with size: families of programs over sizes, and the exponents that fit them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from benchmarks.row import Job, Row

SIZES: dict[str, tuple[str, tuple[int, ...], dict[str, Any]]] = {
    "ghz": ("n", (50, 100, 200, 400, 800), {}),
    "grover_linear": ("b", (32, 64, 128, 256), {}),
    "grover_tree": ("b", (16, 32, 64, 128), {}),
    "bernstein_vazirani": ("n", (125, 250, 500, 1000), {"secret": 5}),
    "qft": ("n", (10, 20, 40, 60), {"value": 5}),
    "phase_estimation": ("n", (5, 10, 20, 40), {"numerator": 5}),
    "w_state": ("n", (16, 32, 64, 128), {}),
    "ising_chain": ("n", (50, 100, 200, 400), {}),
    "swap_test": ("n", (25, 50, 100, 200), {}),
    "layered_swap_test": ("n", (10, 20, 40, 80), {}),
    "teleportation_chain": ("hops", (10, 20, 40, 80), {}),
    "all_measured": ("n", (50, 100, 200, 400), {}),
    "semiclassical_qft": ("n", (10, 20, 40, 80), {}),
}
"""By construction: the argument that grows, its values, the other arguments."""


def families() -> list[Job]:
    """Every family at every size."""
    return [
        Job(
            f"{name.replace('_', ' ')} {size}",
            "case",
            name,
            {argument: size, **others},
            family=name,
            size=size,
        )
        for name, (argument, sizes, others) in SIZES.items()
        for size in sizes
    ]


def exponents(rows: Sequence[Row]) -> dict[str, float]:
    """For families with two sizes or more: a in time = c * size^a, by least squares on logarithms."""
    points: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row.family is not None and row.size and row.cpu and row.answered:
            points.setdefault(row.family, []).append((math.log(row.size), math.log(row.cpu)))
    return {name: _slope(found) for name, found in points.items() if len({x for x, _ in found}) > 1}


def _slope(points: list[tuple[float, float]]) -> float:
    middle_x, middle_y = (sum(values) / len(points) for values in zip(*points, strict=True))
    over = sum((x - middle_x) * (y - middle_y) for x, y in points)
    return float(over / sum((x - middle_x) ** 2 for x, _ in points))


def remarks(rows: Sequence[Row]) -> list[str]:
    """One line per family."""
    found = exponents(rows)
    lines = []
    for name, exponent in found.items():
        sizes = [row.size for row in rows if row.family == name and row.size and row.answered]
        lines.append(
            f"{name.replace('_', ' ')}: time grows as size^{exponent:.2f} ({min(sizes)} to {max(sizes)})"
        )
    return lines
