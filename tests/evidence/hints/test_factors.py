"""The factors of a span give it back, and tell by themselves whether a state is inside."""

from __future__ import annotations

from functools import reduce

import numpy as np
import numpy.typing as npt
import pytest

from qismc.evidence.hints.factors import Factor, factors, outside_text
from qismc.evidence.hints.reduced import density

Array = npt.NDArray[np.complex128]
CUTS = [((0,), (1,), (2,)), ((0, 2), (1,)), ((0, 3), (1, 2)), ((0, 1, 2, 3),), ((0,), (1, 3), (2, 4))]


def random_rows(rng: np.random.Generator, dimension: int, width: int) -> Array:
    return rng.normal(size=(dimension, 2**width)) + 1j * rng.normal(size=(dimension, 2**width))


def placed(parts: list[Array], cut: tuple[tuple[int, ...], ...]) -> Array:
    """The operators on the places of a cut as one operator on all places in order."""
    order = [place for places in cut for place in places]
    count = len(order)
    whole = reduce(np.kron, parts).reshape((2,) * (2 * count))
    axes = [order.index(k) for k in range(count)]
    return np.asarray(whole.transpose([*axes, *(count + a for a in axes)]).reshape(2**count, 2**count))


def projector(rows: Array) -> Array:
    left, lengths, _ = np.linalg.svd(rows.T, full_matrices=False)
    kept = left[:, lengths > 1e-9]
    return np.asarray(kept @ kept.conj().T)


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("seed", range(3))
def test_factors_of_a_product(cut: tuple[tuple[int, ...], ...], seed: int) -> None:
    rng = np.random.default_rng(seed)
    dimensions = [int(rng.integers(1, 2 ** len(places))) for places in cut]
    parts = [projector(random_rows(rng, d, len(p))) for d, p in zip(dimensions, cut, strict=True)]
    whole = placed(parts, cut)
    found = factors(_mixed(rng, whole))
    assert sorted(factor.places for factor in found) == sorted(cut)  # no random factor is a product itself
    again = [factor.basis @ factor.basis.conj().T for factor in found]
    assert np.allclose(placed(again, tuple(factor.places for factor in found)), whole)


def _mixed(rng: np.random.Generator, whole: Array) -> Array:
    """States that span what a projector projects on, more than are needed."""
    dimension = round(float(np.real(np.trace(whole))))
    return np.asarray(random_rows(rng, dimension + 1, len(whole).bit_length() - 1) @ whole.T)


@pytest.mark.parametrize("seed", range(4))
def test_a_state_is_inside_iff_every_factor_has_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cut = ((0, 2), (1,), (3,))
    parts = [projector(random_rows(rng, d, len(p))) for d, p in zip((2, 1, 1), cut, strict=True)]
    whole = placed(parts, cut)
    found = factors(_mixed(rng, whole))
    for broken in range(-1, len(cut)):
        chosen = [np.eye(len(p)) - p if k == broken else p for k, p in enumerate(parts)]
        state = placed(chosen, cut) @ random_rows(rng, 1, 4)[0]
        outside = [f.places for f in found if not f.contains(density(state, 4, f.places))]
        assert outside == ([] if broken < 0 else [cut[broken]])
        assert np.allclose(whole @ state, state) == (not outside)


def test_everything_and_texts() -> None:
    rows = np.zeros((2, 4), dtype=complex)
    rows[0, 0] = rows[1, 1] = 1
    first, second = factors(rows)
    assert (first.text, second.text) == ("|0>", "span(|0>, |1>)")
    assert second.is_everything and not first.is_everything
    pair = factors(np.array([[1, 0, 0, 0], [0, 0, 0, 1]], dtype=complex))
    assert [f.text for f in pair] == ["span(|00>, |11>)"]


def test_the_part_outside() -> None:
    (pair,) = factors(np.array([[1, 0, 0, 0], [0, 0, 0, 1]], dtype=complex))
    state = np.array([3, 4, 0, 0], dtype=complex) / 5
    assert outside_text(pair, np.outer(state, state)) == (
        "the part outside of span(|00>, |11>) is |01>, squared length 0.64"
    )
    inside, across = np.eye(4)[0], np.eye(4)[1]
    assert outside_text(pair, np.outer(inside, inside).astype(complex)) is None
    assert outside_text(pair, np.outer(across, across).astype(complex)) is None


def test_many_states_are_counted() -> None:
    rng = np.random.default_rng(0)
    assert "3 more)" in Factor((0, 1, 2), np.linalg.qr(random_rows(rng, 7, 3).T)[0]).text
