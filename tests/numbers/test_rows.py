"""Rows over F_p, F_p(i) and the complex numbers span what brute force says."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qismc.errors import NumericDoubt
from qismc.limits import Tolerance
from qismc.numbers.rows import FieldArithmetic, FloatArithmetic, LongArithmetic, RowArithmetic, unit

from ..reference import complement, same
from .pairs import PAIRS, P, combinations, pair_rows, plus, times


def words(rows: Any) -> np.ndarray[Any, Any]:
    return np.array(rows, dtype=np.uint64)


@given(pair_rows)
def test_spans_over_pairs(rows: list[list[tuple[int, int]]]) -> None:
    kept, expected = list[Any](), list[bool]()
    for row in rows:
        expected.append(tuple(row) not in combinations(kept, 3))
        kept += [row] if expected[-1] else []
    assert FieldArithmetic("fp2", P).span(3).extend(words(rows)) == expected


@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=5))
def test_spans_over_residues(rows: list[list[int]]) -> None:
    span = FieldArithmetic("fp", 5).span(3)
    known = {(0, 0, 0)}
    for row in rows:
        assert span.extend(words([row])) == [tuple(row) not in known]
        known = {
            tuple((x + c * y) % 5 for x, y in zip(old, row, strict=True)) for old in known for c in range(5)
        }


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
    found = FieldArithmetic("fp2", P).null_space(words(rows))
    basis = [[tuple(map(int, entry)) for entry in v] for v in found]
    assert combinations(basis, 3) == kernel
    assert len(kernel) == (P * P) ** len(basis)


def test_images_are_products_with_matrices() -> None:
    row, matrix = [(1, 2), (0, 1)], [[(1, 0), (2, 2)], [(1, 1), (0, 2)]]
    expected = [plus(times(row[0], matrix[0][k]), times(row[1], matrix[1][k])) for k in range(2)]
    (image,) = FieldArithmetic("fp2", P).image(words([row]), words(matrix))
    assert [tuple(map(int, entry)) for entry in image] == expected
    plain = FieldArithmetic("fp", 7).image(words([[3, 5]]), words([[1, 2], [4, 6]]))
    assert plain.tolist() == [[(3 + 20) % 7, (6 + 30) % 7]]


@pytest.mark.parametrize("kind", ["fp", "fp2", "twin"])
@pytest.mark.parametrize(("rows", "columns", "rank"), [(70, 50, 50), (40, 90, 23), (33, 33, 33), (64, 40, 0)])
def test_elimination_in_blocks(kind: str, rows: int, columns: int, rank: int) -> None:
    """Products of random matrices have the rank of their middle; Python's integers check the form."""
    prime, other = (1 << 61) - 1, 2_305_843_009_213_693_907
    draw = np.random.default_rng(rows)
    algebra = FieldArithmetic(kind, *((prime, other) if kind == "twin" else (prime,)))
    prime = min(prime, other) if kind == "twin" else prime
    pair = () if kind == "fp" else (2,)
    left = draw.integers(0, prime, (rows, rank, *pair), dtype=np.uint64)
    matrix = algebra.image(left, draw.integers(0, prime, (rank, columns, *pair), dtype=np.uint64))
    reduced, pivots = algebra.echelon(matrix)
    assert reduced.shape[:2] == (rank, columns) and len(pivots) == rank
    assert np.array_equal(reduced[:, pivots], algebra.identity(rank))
    again = algebra.image(matrix[:, pivots], reduced) if rank else np.zeros_like(matrix)
    assert np.array_equal(again, matrix)  # so the rows of the form span those of the matrix
    assert sum(algebra.span(columns).extend(matrix)) == rank
    assert not algebra.image(matrix, algebra.null_space(matrix).swapaxes(0, 1)).any()
    if kind == "fp" and rank:
        wide = matrix[:, pivots].astype(object).dot(reduced.astype(object)) % prime
        assert np.array_equal(wide.astype(np.uint64), matrix)


ARITHMETICS: dict[str, Callable[[], RowArithmetic]] = {
    "residues": lambda: FieldArithmetic("fp", 5),
    "pairs": lambda: FieldArithmetic("fp2", P),
    "floats": lambda: FloatArithmetic(Tolerance()),
}


@pytest.mark.parametrize("name", ARITHMETICS)
def test_the_identity_has_full_rank_and_keeps_rows(name: str) -> None:
    arithmetic = ARITHMETICS[name]()
    rows, span = arithmetic.identity(3), arithmetic.span(3)
    assert span.extend(rows) == [True] * 3
    assert span.extend(rows[:1] + rows[1:2]) == [False]
    assert np.array_equal(arithmetic.image(rows, rows), rows)


def test_floating_point_spans_have_a_grey_band() -> None:
    span = FloatArithmetic(Tolerance()).span(2)
    assert span.extend(np.array([[1, 1j], [2j, -2], [1, 1j + 1e-11]])) == [True, False, False]
    with pytest.raises(NumericDoubt):
        span.extend(np.array([[1, 1j + 1e-7]]))
    assert span.extend(np.array([[1, 1j + 1e-3]])) == [True]


LONG = {"long": 3602633801084052100 * 2**64 + 1, "long2": 2478427866938051784 * 2**64 - 1}


@pytest.mark.parametrize("kind", LONG)
@given(data=st.data())
def test_primes_of_two_words(kind: str, data: st.DataObject) -> None:
    p, parts = LONG[kind], 1 if kind == "long" else 2
    arithmetic = LongArithmetic(kind, p % 2**64, p >> 64)

    def draw() -> list[list[int]]:
        entry = st.integers(0, p - 1) | st.sampled_from([0, 1, p - 1, 2**64, 2**64 - 1])
        return data.draw(st.lists(st.lists(entry, min_size=parts, max_size=parts), min_size=3, max_size=3))

    def packed(numbers: list[list[int]]) -> np.ndarray[Any, Any]:
        return words([[word for n in number for word in (n % 2**64, n >> 64)] for number in numbers])

    left, right = draw(), draw()
    assert arithmetic.parts(packed(left)).tolist() == left
    sums = [[(a + b) % p for a, b in zip(x, y, strict=True)] for x, y in zip(left, right, strict=True)]
    assert arithmetic.plus(packed(left), packed(right)).tolist() == packed(sums).tolist()
    assert arithmetic.minus(packed(left)).tolist() == packed([[-a % p for a in x] for x in left]).tolist()
    if kind == "long2":
        conjugates = packed([[re, -im % p] for re, im in left])
        assert arithmetic.conjugate(packed(left)).tolist() == conjugates.tolist()
    assert (
        arithmetic.image(packed(left)[None], arithmetic.identity(3)).tolist() == packed(left)[None].tolist()
    )


sixes = st.lists(
    st.lists(st.sampled_from([0, 0, 1, -1, 1j, 2]), min_size=6, max_size=6), min_size=0, max_size=5
)


@given(sixes)
def test_complements_are_orthogonal_and_reduced(entries: list[list[complex]]) -> None:
    given_rows = np.array(entries, dtype=complex).reshape(-1, 6)
    units = np.array([unit(row) for row in given_rows]).reshape(-1, 6)
    found = FloatArithmetic(Tolerance()).orthogonal(units)
    assert found.dtype == complex
    assert same(np.linalg.qr(found.T)[0], complement(given_rows.T)) if len(found) else True
    leads = [int(np.flatnonzero(np.abs(row) > 1e-9)[-1]) for row in found]
    assert leads == sorted(set(leads))
    assert np.allclose(found[:, leads], np.eye(len(found)))


def test_a_doubtful_lead_is_doubt() -> None:
    row = unit([1e-8, -1])  # orthogonal to (1, 1e-8)
    with pytest.raises(NumericDoubt, match="lead"):
        FloatArithmetic(Tolerance()).orthogonal(row.reshape(1, -1))


@pytest.mark.parametrize("scale", [1e-300, 1e-170, 1, 1e200])
def test_unit_vectors_of_any_size(scale: float) -> None:
    assert np.allclose(unit(scale * np.array([3, 4j])), [0.6, 0.8j])


def test_zero_stays_zero() -> None:
    assert not unit(np.zeros(4)).any()
