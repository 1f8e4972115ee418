"""Linear algebra over the field of nine elements, by brute force."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import strategies as st

P = 3
"""-1 is no square modulo 3, so the pairs are a field of nine elements."""
PAIRS = list(product(range(P), repeat=2))


def times(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    return (a[0] * b[0] - a[1] * b[1]) % P, (a[0] * b[1] + a[1] * b[0]) % P


def plus(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    return (a[0] + b[0]) % P, (a[1] + b[1]) % P


def combinations(rows: list[Any], width: int) -> set[tuple[tuple[int, int], ...]]:
    """Every combination of rows of pairs, by brute force."""
    found = {((0, 0),) * width}
    for row in rows:
        found = {
            tuple(plus(x, times(c, y)) for x, y in zip(old, row, strict=True)) for old in found for c in PAIRS
        }
    return found


pair_rows = st.lists(st.lists(st.sampled_from(PAIRS), min_size=3, max_size=3), min_size=1, max_size=4)
