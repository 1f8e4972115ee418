"""Phases and the matrices made of them, by arithmetic with Python's integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from qismc import _core

P, Q = 4611686018427387847, 2305843009213693951
"""Primes of 62 and 61 bits; P = 3 modulo 4."""


def words(*numbers: int) -> npt.NDArray[np.uint64]:
    return np.array(numbers, dtype=np.uint64)


def places(*numbers: int) -> npt.NDArray[np.int32]:
    return np.array(numbers, dtype=np.int32)


SHAPE: tuple[Any, ...] = (places(0, 2, 3), places(0, ~1, 1), places(1, 3), places(0, 1, 1, 0, 2, 2))
"""Products 1, x/y, y; sums c0 x/y and c1 + c2 y."""
ENTRIES = places(1, 0, 0, 1)


def test_residues() -> None:
    g, h = 1234567, P - 5
    phases = _core.Phases("fp", P, 0, words(g, h), places(1, 3, 3), places(0, 0, 1), words(7, P - 3, 9))
    x, y = pow(g, 7, P), pow(g, -2, P) * pow(h, 9, P) % P
    assert len(phases) == 3
    c = 3, 5, P - 1
    rows = phases.matrices(2, words(*c), *SHAPE, ENTRIES, places(0, 1, ~1, 2))
    assert rows.shape == (2, 4)
    for row, (a, b) in zip(rows.tolist(), [(x, y), (pow(y, -1, P), 1)], strict=True):
        first, second = c[0] * a * pow(b, -1, P) % P, (c[1] + c[2] * b) % P
        assert row == [second, first, first, second]


def test_two_primes_have_exponents_of_their_own() -> None:
    phases = _core.Phases("twin", P, Q, words(3, 5), places(1), places(0), words(10, 20))
    one = words(1, 1)
    row = phases.matrices(1, one, places(1), places(~0), places(1), places(0, 0), places(0), places(0))
    assert row.tolist() == [[[pow(3, -10, P), pow(5, -20, Q)]]]


def test_conjugates_of_pairs() -> None:
    """(4 + 3i) / 5 has norm 1."""
    fifth = pow(5, -1, P)
    unit = 4 * fifth % P, 3 * fifth % P
    phases = _core.Phases("fp2", P, 0, words(*unit), places(1), places(0), words(2))
    square = (unit[0] ** 2 - unit[1] ** 2) % P, 2 * unit[0] * unit[1] % P
    shape = places(1, 2), places(0, ~0), places(1, 2), places(0, 0, 0, 1), places(0, 1)
    (row,) = phases.matrices(1, words(1, 0), *shape, places(0)).tolist()
    assert row == [list(square), [square[0], -square[1] % P]]


@pytest.mark.parametrize(
    ("ends", "which", "exponents"),
    [
        (places(1), places(1), words(1)),
        (places(1), places(-1), words(1)),
        (places(2), places(0), words(1)),
        (places(1, 0), places(0), words(1)),
        (places(1), places(0), words(1, 2)),
    ],
)
def test_tables_that_do_not_fit(ends: Any, which: Any, exponents: Any) -> None:
    with pytest.raises(ValueError, match="phases"):
        _core.Phases("fp", P, 0, words(3), ends, which, exponents)


@pytest.mark.parametrize("changed", range(7))
def test_shapes_that_do_not_fit(changed: int) -> None:
    phases = _core.Phases("fp", P, 0, words(3), places(1), places(0), words(2))
    good: list[Any] = [words(1, 1, 1), *SHAPE, ENTRIES, places(0, ~0)]
    assert phases.matrices(2, *good).shape == (1, 4)
    good[changed] = good[changed][:-1] if changed in (0, 1, 2, 3, 6) else good[changed] + 7
    with pytest.raises(ValueError, match="phases"):
        phases.matrices(2, *good)


def test_a_kind_without_phases() -> None:
    with pytest.raises(ValueError, match="complex"):
        _core.Phases("complex", P, 0, words(3), places(1), places(0), words(2))
