"""Rows over F_p, F_p(i) and the complex numbers span what brute force says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qismc.errors import NumericDoubt
from qismc.limits import Tolerance
from qismc.subspace.rows import Arithmetic, FloatArithmetic, PrimeArithmetic, QuadraticArithmetic

from .pairs import P, combinations, pair_rows, plus, times


@given(pair_rows)
def test_spans_over_pairs(rows: list[list[tuple[int, int]]]) -> None:
    span, kept = QuadraticArithmetic(P).span(), list[Any]()
    for row in rows:
        outside = tuple(row) not in combinations(kept, 3)
        assert span.add(np.array(row, dtype=object)) == outside
        kept += [row] if outside else []
    assert len(span.rows) == len(kept)


@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=5))
def test_spans_over_residues(rows: list[list[int]]) -> None:
    span = PrimeArithmetic(5).span()
    known = {(0, 0, 0)}
    for row in rows:
        assert span.add(np.array(row, dtype=object)) == (tuple(row) not in known)
        known = {
            tuple((x + c * y) % 5 for x, y in zip(old, row, strict=True)) for old in known for c in range(5)
        }


def test_images_are_products_with_matrices() -> None:
    row, matrix = [(1, 2), (0, 1)], [[(1, 0), (2, 2)], [(1, 1), (0, 2)]]
    expected = [plus(times(row[0], matrix[0][k]), times(row[1], matrix[1][k])) for k in range(2)]
    image = QuadraticArithmetic(P).image(np.array(row, dtype=object), np.array(matrix, dtype=object))
    assert [tuple(map(int, entry)) for entry in image] == expected
    plain = PrimeArithmetic(7).image(np.array([3, 5], dtype=object), np.array([[1, 2], [4, 6]], dtype=object))
    assert plain.tolist() == [(3 + 20) % 7, (6 + 30) % 7]


@pytest.mark.parametrize(
    "arithmetic", [PrimeArithmetic(5), QuadraticArithmetic(P), FloatArithmetic(Tolerance())]
)
def test_the_identity_has_full_rank_and_keeps_rows(arithmetic: Arithmetic) -> None:
    rows, span = arithmetic.identity(3), arithmetic.span()
    assert all(span.add(row) for row in rows)
    assert not span.add(rows[0] + rows[1])
    unit = np.stack(rows)
    assert all(np.array_equal(arithmetic.image(row, unit), row) for row in rows)


def test_floating_point_spans_have_a_grey_band() -> None:
    span = FloatArithmetic(Tolerance()).span()
    assert span.add(np.array([1, 1j]))
    assert not span.add(np.array([2j, -2]))
    assert not span.add(np.array([1, 1j + 1e-11]))
    with pytest.raises(NumericDoubt):
        span.add(np.array([1, 1j + 1e-7]))
    assert span.add(np.array([1, 1j + 1e-3]))
