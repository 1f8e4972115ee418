"""Spans and meets of the native core against ranks computed by elimination or SVD."""

import random

import numpy as np
import pytest

from qismc import _core

from . import reference as ref
from .test_space import FORMS, make_space


@pytest.fixture(params=ref.KINDS)
def scalars(request: pytest.FixtureRequest) -> ref.Scalars:
    return ref.Scalars(request.param)


def random_values(scalars: ref.Scalars, rng: random.Random, n: int) -> ref.Array:
    return np.array([scalars.random(rng) for _ in range(1 << n)], dtype=object)


@pytest.mark.parametrize("form", list(FORMS))
def test_span_grows_by_independent_vectors_only(scalars: ref.Scalars, form: str) -> None:
    rng, n, k = random.Random(1), 3, 5
    space = make_space(scalars, n, form)
    span = space.span()
    base = [random_values(scalars, rng, n) for _ in range(k)]
    vectors = [space.from_amplitudes(scalars.pack(a)) for a in base]
    for i, v in enumerate(vectors):
        assert span.coordinates(v) is None and not span.contains(v)
        assert span.add(v) and span.dimension == i + 1
        weights = [scalars.random(rng) for _ in range(i + 1)]
        inside = space.combine(scalars.pack(weights), vectors[: i + 1])
        assert span.contains(inside) and not span.add(inside)
        found = span.coordinates(inside)
        assert found is not None and scalars.same(scalars.unpack(found), np.array(weights, dtype=object))
    assert span.dimension == k


def test_whole_space_contains_everything(scalars: ref.Scalars) -> None:
    rng, n = random.Random(2), 2
    space = make_space(scalars, n)
    span = space.span()
    added = [span.add(space.from_amplitudes(scalars.pack(random_values(scalars, rng, n)))) for _ in range(7)]
    assert added == [True] * 4 + [False] * 3


def test_zero_vector_is_in_every_span(scalars: ref.Scalars) -> None:
    space = make_space(scalars, 3)
    zero = space.product(scalars.pack(np.array([[scalars.of(0)] * 2] * 3, dtype=object)))
    span = space.span()
    assert span.contains(zero) and not span.add(zero) and span.dimension == 0


@pytest.mark.parametrize("seed", range(6))
def test_meet_of_two_spans(scalars: ref.Scalars, seed: int) -> None:
    """span(c, a) and span(c, b) share exactly span(c) for random a, b, c with few enough vectors."""
    rng, n = random.Random(seed), 4
    space = make_space(scalars, n)
    common, only_a, only_b = rng.randrange(4), rng.randrange(1, 4), rng.randrange(1, 4)
    core = [space.from_amplitudes(scalars.pack(random_values(scalars, rng, n))) for _ in range(common)]

    def mixed(extra: int) -> list[_core.Vector]:
        size = common + extra
        own = [space.from_amplitudes(scalars.pack(random_values(scalars, rng, n))) for _ in range(extra)]
        return [
            space.combine(scalars.pack([scalars.random(rng) for _ in range(size)]), core + own)
            for _ in range(size)
        ]

    a, b = mixed(only_a), mixed(only_b)
    basis = _core.meet(space, a, b)
    assert len(basis) == common
    in_core, found = space.span(), space.span()
    for v in core:
        in_core.add(v)
    for coefficients in basis:
        w = space.combine(coefficients, a)
        assert in_core.contains(w) and found.add(w)


def test_meet_of_dependent_lists(scalars: ref.Scalars) -> None:
    space, rng = make_space(scalars, 3), random.Random(3)
    u, v, w = [space.from_amplitudes(scalars.pack(random_values(scalars, rng, 3))) for _ in range(3)]
    with pytest.raises(ValueError, match="first list of a meet is dependent"):
        _core.meet(space, [u, u], [v])
    assert len(_core.meet(space, [u, v], [w, w, v, v, w, u])) == 2
    assert _core.meet(space, [u], [v, v, w]) == []
    assert _core.meet(space, [u], []) == []


def test_exact_spans_see_what_floats_cannot() -> None:
    """|+..+> and |+..+> + |0..0> on 150 levels differ by 2^-75 in direction."""
    scalars, n = ref.Scalars("fp2"), 150
    space = make_space(scalars, n)
    plus = space.product(scalars.pack(np.array([[scalars.of(1), scalars.of(1)]] * n, dtype=object)))
    zero = space.product(scalars.pack(np.array([[scalars.of(1), scalars.of(0)]] * n, dtype=object)))
    total = space.combine(scalars.pack([scalars.of(1), scalars.of(1)]), [plus, zero])
    assert total.bonds == [1] + [2] * (n - 1) + [1]
    span = space.span()
    assert span.add(plus) and not span.contains(total)
    assert span.add(zero) and span.contains(total)


@pytest.mark.parametrize(("angle", "verdict"), [(1e-7, True), (1e-4, None), (1e-2, False)])
def test_grey_band_is_doubt(angle: float, verdict: bool | None) -> None:
    space = _core.Space("complex", 1)
    near = space.product(np.array([[np.cos(angle), np.sin(angle)]], complex))
    axis = space.product(np.array([[1, 0]], complex))
    span = space.span()
    span.add(axis)
    if verdict is None:
        with pytest.raises(_core.NumericDoubt, match="squared distance from a span is 1e-08"):
            span.contains(near)
        with pytest.raises(_core.NumericDoubt):
            space.difference_is_zero(axis, near)
        with pytest.raises(_core.NumericDoubt, match="squared sine"):
            _core.meet(space, [axis], [near])
    else:
        assert span.contains(near) is verdict
        assert space.difference_is_zero(axis, near) is verdict
        assert len(_core.meet(space, [axis], [near])) == verdict


@pytest.mark.parametrize("levels", [1, 30])
@pytest.mark.parametrize("angle", [0, 1e-13, 1e-9, 1e-7])
def test_measured_distances_see_what_squares_do_not(levels: int, angle: float) -> None:
    """Two states that differ by an angle whose square is lost in rounding, and an image of that length."""
    space = _core.Space("complex", levels, measured=1e-11)
    rest = [[0.6, 0.8]] * (levels - 1)
    near = space.product(np.array([[np.cos(angle), np.sin(angle)], *rest], complex))
    axis = space.product(np.array([[1, 0], *rest], complex))
    across = space.product(np.array([[angle, 0], *rest], complex))
    span = space.span()
    span.add(axis)
    for decide in (
        lambda: span.contains(near),
        lambda: not span.add(near),
        lambda: space.difference_is_zero(axis, near),
        lambda: len(_core.meet(space, [axis], [near])) == 1,
        lambda: space.is_zero(across),
    ):
        if angle < 1e-11:
            assert decide()
        else:
            with pytest.raises(_core.NumericDoubt, match="more than rounding leaves"):
                decide()


def test_seeds_and_spaces_do_not_matter_to_exact_answers() -> None:
    """Vectors made in one space are asked in another with other random points."""
    scalars, rng = ref.Scalars("fp"), random.Random(4)
    first, second = make_space(scalars, 3, seed=1), make_space(scalars, 3, seed=2)
    a, b = [first.from_amplitudes(scalars.pack(random_values(scalars, rng, 3))) for _ in range(2)]
    total = second.combine(scalars.pack([3, 5]), [a, b])
    for space in (first, second, first):
        span = space.span()
        assert span.add(a) and span.add(b) and span.contains(total)


def test_nearly_dependent_spans_are_doubt() -> None:
    """Clearly outside by this tolerance, but so close that no digit of the next distance would be right."""
    space = _core.Space("complex", 2, zero=1e-15, clear=1e-14)
    span = space.span()
    for tilted in ([1, 0, 0, 0], [1, 2e-7, 0, 0]):
        assert span.add(space.from_amplitudes(np.array(tilted, complex)))
    for asked in ([1, 0, 2e-7, 0], [1, 1e-7, 0, 0]):
        with pytest.raises(_core.NumericDoubt, match="close to dependent"):
            span.contains(space.from_amplitudes(np.array(asked, complex)))


def framed(rng: random.Random, n: int) -> np.ndarray:
    """A vector of small integers: any on some levels, one letter or |0> + 2|1> on each of the others."""
    loose = set(rng.sample(range(n), rng.choice([0, 1, 3, n])))
    tensor = np.ones((1,) * n, dtype=int)
    for k in set(range(n)) - loose:
        letter = rng.choice([(1, 0), (1, 0), (1, 0), (0, 1), (1, 2)])
        tensor = tensor * np.array(letter).reshape([2 if level == k else 1 for level in range(n)])
    shape = [2 if level in loose else 1 for level in range(n)]
    entries = [rng.choice([0, 0, 1, -1, 2]) for _ in range(2 ** len(loose))]
    return np.broadcast_to(tensor * np.array(entries).reshape(shape), (2,) * n).reshape(-1)


@pytest.mark.parametrize("form", list(FORMS))
@pytest.mark.parametrize("seed", range(4))
def test_many_at_once_are_told_apart_as_one_by_one(scalars: ref.Scalars, form: str, seed: int) -> None:
    """Common factors, sparse and full spaces, vectors of every kind; ranks by SVD of integers."""
    rng, n = random.Random(seed), 5
    space = make_space(scalars, n, form)
    span = space.span()
    seen = np.zeros((0, 2**n))
    while span.dimension < 2**n:
        batch = [framed(rng, n) for _ in range(rng.choice([1, 2, 5, 20]))]
        expected = []
        for entries in batch:
            rank = 0 if not len(seen) else np.linalg.matrix_rank(seen)
            seen = np.vstack([seen, entries])
            expected.append(bool(np.linalg.matrix_rank(seen) > rank))
        numbers = [np.array([scalars.of(int(x)) for x in entries], dtype=object) for entries in batch]
        vectors = [space.from_amplitudes(scalars.pack(a)) for a in numbers]
        assert span.add_all(vectors) == expected
        assert span.dimension == np.linalg.matrix_rank(seen)
        assert all(span.contains(v) for v in vectors)
    assert span.add_all(vectors) == [False] * len(vectors)


def test_many_orthogonal_vectors_are_no_doubt() -> None:
    """The rounding of what is asked counts, not that of the worst question about so many vectors."""
    space, n = _core.Space("complex", 7, zero=1e-18, clear=1e-12), 6
    basis = [[(0.6, 0.8), (0.8, -0.6)], [(1, 0), (0, 1)]]
    words = [[k >> level & 1 for level in range(n)] for k in range(2**n)]
    pairs = [[*(basis[level % 2][x] for level, x in enumerate(word)), (1, 0)] for word in words]
    vectors = [space.product(np.array(p, complex)) for p in pairs]
    span = space.span()
    assert span.add_all(vectors) == [True] * 2**n
    weights = np.random.default_rng(1).normal(size=2**n).astype(complex)
    assert span.contains(space.combine(weights, vectors))
    found = span.coordinates(space.combine(weights, vectors))
    assert found is not None and np.allclose(found, weights)
    assert not span.contains(space.product(np.array([(1, 0)] * n + [(0, 1)], complex)))


class Labelled:
    """Random vectors over six levels in blocks: those of a block have the same letters on three levels."""

    LEVELS, LABELS, DIMENSIONS = 6, (0, 2, 5), 5

    def __init__(self, scalars: ref.Scalars, form: str, seed: int) -> None:
        self.scalars, self.rng = scalars, random.Random(seed)
        self.space = make_space(scalars, self.LEVELS, form)
        self.bases = {label: [self._vector(label) for _ in range(self.DIMENSIONS)] for label in range(8)}

    def _vector(self, label: int) -> _core.Vector:
        values = np.array([self.scalars.of(0)] * (1 << self.LEVELS), dtype=object)
        for index in range(1 << self.LEVELS):
            digits = [index >> (self.LEVELS - 1 - level) & 1 for level in self.LABELS]
            if digits == [label >> k & 1 for k in range(3)]:
                values[index] = self.scalars.random(self.rng)
        return self.space.from_amplitudes(self.scalars.pack(values))

    def mixed(self, vectors: list[_core.Vector]) -> _core.Vector:
        """A random combination."""
        weights = [self.scalars.random(self.rng) for _ in vectors]
        return self.space.combine(self.scalars.pack(weights), vectors)

    def inside(self, label: int) -> _core.Vector:
        return self.mixed(self.bases[label])

    def outside(self, label: int) -> _core.Vector:
        return self.mixed([*self.bases[label], self._vector(label)])


@pytest.mark.parametrize("form", list(FORMS))
@pytest.mark.parametrize("together", [1, 7, 100])
def test_vectors_with_labels(scalars: ref.Scalars, form: str, together: int) -> None:
    """Of a block of five dimensions the first five vectors are new, whatever comes in between."""
    case = Labelled(scalars, form, seed=together)
    labels = [label for label in range(8) for _ in range(case.DIMENSIONS + 2)]
    case.rng.shuffle(labels)
    vectors = [case.inside(label) for label in labels]
    span, fresh = case.space.span(), list[bool]()
    for begin in range(0, len(vectors), together):
        fresh += span.add_all(vectors[begin : begin + together])
    assert fresh == [labels[:k].count(label) < case.DIMENSIONS for k, label in enumerate(labels)]
    kept = [vector for vector, new in zip(vectors, fresh, strict=True) if new]
    assert span.dimension == len(kept) == 8 * case.DIMENSIONS
    for label in range(8):
        assert span.contains(case.inside(label)) and not span.contains(case.outside(label))
        assert span.coordinates(case.outside(label)) is None
    # vectors without labels tie blocks together
    two = case.mixed([case.inside(1), case.inside(6)])
    for vector in (case.inside(3), two):
        found = span.coordinates(vector)
        assert found is not None
        assert case.space.difference_is_zero(case.space.combine(found, kept), vector)
    assert span.contains(two) and not span.contains(case.mixed([case.inside(1), case.outside(6)]))
    assert not span.add(case.mixed([case.inside(k) for k in range(8)]))
    assert span.add(case.mixed([case.inside(2), case.outside(7)])) and span.dimension == len(kept) + 1
    assert not span.contains(case.outside(2)) and span.contains(case.inside(7))


def test_labels_that_nothing_has(scalars: ref.Scalars) -> None:
    case = Labelled(scalars, "train", seed=5)
    span = case.space.span()
    assert all(span.add_all([vector for label in range(7) for vector in case.bases[label]]))
    assert not span.contains(case.inside(7)) and span.coordinates(case.inside(7)) is None
    assert span.add(case.bases[7][0]) and span.contains(case.bases[7][0])
