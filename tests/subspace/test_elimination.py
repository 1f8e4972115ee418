"""Kernels over F_p(i) against trying everything."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given

from qismc.subspace.elimination import null_space

from .pairs import PAIRS, P, combinations, pair_rows, plus, times


@given(pair_rows)
def test_null_spaces(rows: list[list[tuple[int, int]]]) -> None:
    """The kernel by trying all 729 columns."""

    def is_solution(x: tuple[tuple[int, int], ...]) -> bool:
        for row in rows:
            total = (0, 0)
            for a, b in zip(row, x, strict=True):
                total = plus(total, times(a, b))
            if total != (0, 0):
                return False
        return True

    kernel = {x for x in product(PAIRS, repeat=3) if is_solution(x)}
    basis = [[tuple(map(int, entry)) for entry in v] for v in null_space(np.array(rows, dtype=object), P)]
    assert combinations(basis, 3) == kernel
    assert len(kernel) == (P * P) ** len(basis)
