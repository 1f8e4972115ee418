"""Trains with few terms become lists of them and trains again, against dense arrays."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest

from qismc import _core

from . import reference as ref

LEVELS = 12


def scrambling(scalars: ref.Scalars, rng: random.Random, count: int) -> list[ref.Op]:
    """Controlled flips, which keep the number of terms and make bonds wide."""
    flip = np.array([[scalars.of(0), scalars.of(1)], [scalars.of(1), scalars.of(0)]], dtype=object)
    ops = []
    for _ in range(count):
        *controls, target = rng.sample(range(LEVELS), 3)
        ops.append(ref.Op(tuple((level, rng.randint(0, 1)) for level in controls), (target,), flip))
    return ops


def mixing(scalars: ref.Scalars, levels: range) -> list[ref.Op]:
    """Sum and difference (over complex numbers divided by the square root of 2) on every level."""
    rows = np.array([[scalars.of(1), scalars.of(1)], [scalars.of(1), scalars.of(-1)]], dtype=object)
    if scalars.kind == "complex":
        rows = rows / np.sqrt(2)
    return [ref.Op((), (level,), rows) for level in levels]


def start(scalars: ref.Scalars) -> ref.Array:
    return np.array([[scalars.of(1), scalars.of(0)]] * LEVELS, dtype=object)


@pytest.mark.parametrize("kind", ref.KINDS)
def test_lists_of_terms_and_back(kind: str) -> None:
    """Few terms in a wide train are listed; when every level is mixed they are too many for a list."""
    scalars, rng = ref.Scalars(kind), random.Random(5)
    space = scalars.space(LEVELS, 1, dense_limit=0, first_look=20_000)
    few = [*mixing(scalars, range(5)), *scrambling(scalars, rng, 150)]
    many = [*mixing(scalars, range(LEVELS)), *scrambling(scalars, rng, 4)]
    expected = ref.product_vector(scalars, start(scalars))
    vector = space.product(scalars.pack(start(scalars)))
    for ops in (few, many):
        vector = space.run(ref.compile_ops(space, scalars, ops), vector)
        for op in ops:
            expected = ref.apply(scalars, LEVELS, op, expected)
        assert space.statistics["term_switches"] >= 1
        assert scalars.same(scalars.unpack(vector.to_numpy()), expected)
        if ops is few:
            assert vector.nodes == 32
    if kind != "complex":  # where even 4,096 terms are no more than a step on the train costs
        assert vector.nodes < np.count_nonzero(expected)


@pytest.mark.parametrize("kind", ref.KINDS)
def test_lists_are_vectors_like_others(kind: str) -> None:
    """Spans, lengths, inner products, combinations and pickles do not ask for the form."""
    scalars, rng = ref.Scalars(kind), random.Random(8)
    listing = scalars.space(LEVELS, 1, dense_limit=0, first_look=0)
    plain = scalars.space(LEVELS, 1, dense_limit=0)
    found: list[list[_core.Vector]] = []
    ops = [mixing(scalars, range(k, k + 3)) + scrambling(scalars, rng, 20) for k in (0, 3, 6)]
    for space in (listing, plain):
        zero = space.product(scalars.pack(start(scalars)))
        vectors = [space.run(ref.compile_ops(space, scalars, one), zero) for one in ops]
        weights = scalars.pack([scalars.of(2), scalars.of(3), scalars.of(0)])
        found.append([*vectors, space.combine(weights, vectors)])
    assert listing.statistics["term_switches"] >= 3
    assert plain.statistics["term_switches"] == 0
    for space, vectors in ((listing, found[0]), (plain, found[1])):
        span = space.span()
        assert span.add_all(vectors) == [True, True, True, False]
        numbers = span.coordinates(vectors[-1])
        assert numbers is not None
        assert scalars.same(
            scalars.unpack(numbers), np.array([scalars.of(k) for k in (2, 3, 0)], dtype=object)
        )
        assert [space.is_zero(vector) for vector in vectors] == [False] * 4
    for a, b in zip(*found, strict=True):
        assert scalars.same(scalars.unpack(a.to_numpy()), scalars.unpack(b.to_numpy()))
        again = pickle.loads(pickle.dumps(a))
        assert again.bonds == a.bonds == b.bonds
        assert scalars.same(scalars.unpack(again.to_numpy()), scalars.unpack(b.to_numpy()))
        if kind == "complex":
            assert listing.norm(a) == pytest.approx(plain.norm(b))
            assert listing.norm(listing.normalise(a)) == pytest.approx(1)
        if kind in ("complex", "fp2"):
            pairs = [s.inner(v, s.conjugate(v)) for s, v in ((listing, a), (plain, b))]
            assert np.allclose(pairs[0], pairs[1]) if kind == "complex" else (pairs[0] == pairs[1]).all()


@pytest.mark.parametrize("kind", ref.KINDS)
def test_thin_arrays_are_lists_until_they_grow(kind: str) -> None:
    """Projectors leave 1/64 of an array; when most levels are mixed again, it is an array again."""
    scalars, rng = ref.Scalars(kind), random.Random(7)
    space = scalars.space(LEVELS, 1)
    expected = np.array([scalars.random(rng) for _ in range(1 << LEVELS)], dtype=object)
    if kind == "complex":
        expected = expected / np.linalg.norm(expected.astype(complex))
    vector = space.array(scalars.pack(expected))
    keep = np.array([[scalars.of(0), scalars.of(0)], [scalars.of(0), scalars.of(1)]], dtype=object)
    projectors = [ref.Op((), (level,), keep) for level in (0, 3, 4, 6, 9, 11)]
    for ops, nodes in (
        (projectors, 64),
        (scrambling(scalars, rng, 5), 64),
        (mixing(scalars, range(LEVELS)), 1 << LEVELS),
    ):
        vector = space.run(ref.compile_ops(space, scalars, ops), vector)
        for op in ops:
            expected = ref.apply(scalars, LEVELS, op, expected)
        assert scalars.same(scalars.unpack(vector.to_numpy()), expected)
        assert vector.nodes == nodes
        squares = [space.bilinear(vector, other) for other in (vector, again(space, vector))]
        assert scalars.same(*(scalars.unpack(np.atleast_1d(square)) for square in squares))


def again(space: _core.Space, vector: _core.Vector) -> _core.Vector:
    """The same vector as an array."""
    return space.array(vector.to_numpy())


@pytest.mark.parametrize("kind", ["fp", "fp2", "twin", "long", "long2"])
@pytest.mark.parametrize(
    "kept", [[4], [0, 11], [1, 2, 5, 7], list(range(1, 12)), [0, 2, 3, 4, 6, 7, 8, 9, 11]]
)
def test_parts_of_lists_are_those_of_arrays(kind: str, kept: list[int]) -> None:
    scalars, rng = ref.Scalars(kind), random.Random(3)
    space, target = scalars.space(LEVELS, 1), scalars.space(len(kept), 1)
    values = np.array([scalars.of(0)] * (1 << LEVELS), dtype=object)
    for index in rng.sample(range(1 << LEVELS), 40):
        values[index] = scalars.random(rng)
    array = space.array(scalars.pack(values))
    none = np.array([[scalars.of(1), scalars.of(0)], [scalars.of(0), scalars.of(0)]], dtype=object)
    listed = space.run(ref.compile_ops(space, scalars, [ref.Op((), (10,), none)]), array)
    assert listed.nodes < 40
    for seed in range(3):
        parts = [space.partial(v, kept, target, seed) for v in (listed, again(space, listed))]
        assert scalars.same(*(scalars.unpack(part.to_numpy()) for part in parts))
