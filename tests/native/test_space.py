"""Vectors and gates of the native core against a dense reference, over every kind of scalar."""

import pickle
import random

import numpy as np
import pytest

from qismc import _core

from . import reference as ref

FORMS = {
    "train": {"dense_limit": 0},
    "dense": {"dense_fraction": 0.0},
    "terms": {"dense_limit": 0, "first_look": 0},
    "auto": {},
}


@pytest.fixture(params=ref.KINDS)
def scalars(request: pytest.FixtureRequest) -> ref.Scalars:
    return ref.Scalars(request.param)


@pytest.fixture(params=list(FORMS))
def form(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def make_space(scalars: ref.Scalars, levels: int, form: str = "auto", seed: int = 1) -> _core.Space:
    return scalars.space(levels, seed, **FORMS[form])


def random_pairs(scalars: ref.Scalars, rng: random.Random, n: int) -> ref.Array:
    """Half of them states that controlled gates leave alone: |0>, |1>, |+>, |->, up to a factor."""
    kets = [(1, 0), (0, 1), (1, 1), (1, -1)]
    values = []
    for _ in range(n):
        pair = [scalars.random(rng), scalars.random(rng)]
        if rng.random() < 0.5:
            pair = [pair[0] * scalars.of(letter) for letter in rng.choice(kets)]
        values.append(pair)
    return scalars.clean(np.array(values, dtype=object))


def test_products(scalars: ref.Scalars, form: str) -> None:
    rng = random.Random(3)
    for n in (1, 2, 5):
        pairs = random_pairs(scalars, rng, n)
        v = make_space(scalars, n, form).product(scalars.pack(pairs))
        assert scalars.same(scalars.unpack(v.to_numpy()), ref.product_vector(scalars, pairs))


@pytest.mark.parametrize("seed", range(12))
def test_random_circuits(scalars: ref.Scalars, form: str, seed: int) -> None:
    rng = random.Random(seed)
    n = rng.choice([1, 2, 3, 5, 6])
    pairs = random_pairs(scalars, rng, n)
    space = make_space(scalars, n, form)
    v, expected = space.product(scalars.pack(pairs)), ref.product_vector(scalars, pairs)
    ops = [ref.random_op(scalars, rng, n) for _ in range(10)]
    block = ref.compile_ops(space, scalars, ops)
    assert len(block) == len(ops)
    for k in range(len(ops) + 1):
        got = space.run(block, v, 0, k)
        assert _matches(scalars, got, expected)
        if k < len(ops):
            expected = ref.apply(scalars, n, ops[k], expected)
            step = space.run(block, got, k, k + 1)
            assert _matches(scalars, step, expected)


def _matches(scalars: ref.Scalars, v: _core.Vector, expected: ref.Array) -> bool:
    got = scalars.unpack(v.to_numpy())
    if scalars.kind != "complex":
        return scalars.same(got, expected)
    size = max(1.0, float(np.linalg.norm(expected.astype(complex))))
    return scalars.same(got / size, expected / size)


@pytest.mark.parametrize("seed", range(8))
def test_stars_of_controlled_gates(scalars: ref.Scalars, form: str, seed: int) -> None:
    """Gates that share a level are fused into one operator; the result must not know."""
    rng = random.Random(seed)
    n = 5
    hub = rng.randrange(n)
    ops = []
    for _ in range(14):
        other = rng.choice([k for k in range(n) if k != hub])
        control, target = (hub, other) if rng.random() < 0.5 else (other, hub)
        if rng.random() < 0.3:
            control, target = other, rng.choice([k for k in range(n) if k != other])
        controls = () if rng.random() < 0.25 else ((control, rng.randrange(2)),)
        ops.append(ref.Op(controls, (target,), ref.unitary_matrix(scalars, rng)))
    pairs = random_pairs(scalars, rng, n)
    space = make_space(scalars, n, form)
    v, expected = space.product(scalars.pack(pairs)), ref.product_vector(scalars, pairs)
    for op in ops:
        expected = ref.apply(scalars, n, op, expected)
    assert _matches(scalars, space.run(ref.compile_ops(space, scalars, ops), v), expected)


@pytest.mark.parametrize("seed", range(4))
def test_swaps(scalars: ref.Scalars, form: str, seed: int) -> None:
    """Levels that are entangled and levels that are not change places, some of them under controls."""
    rng, n = random.Random(seed), 6
    rows = [[1, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1]]
    swap = np.array([[scalars.of(x) for x in row] for row in rows], dtype=object)
    ops = [ref.Op(((0, 1),), (2,), ref.unitary_matrix(scalars, rng))]
    for _ in range(8):
        a, b, control = rng.sample(range(n), 3)
        ops.append(ref.Op(((control, rng.randrange(2)),) if rng.random() < 0.3 else (), (a, b), swap))
        ops.append(ref.Op((), (a,), ref.unitary_matrix(scalars, rng)))  # finds a wrong gauge
    pairs = random_pairs(scalars, rng, n)
    space = make_space(scalars, n, form)
    v, expected = space.product(scalars.pack(pairs)), ref.product_vector(scalars, pairs)
    for op in ops:
        expected = ref.apply(scalars, n, op, expected)
    image = space.run(ref.compile_ops(space, scalars, ops), v)
    assert _matches(scalars, image, expected)
    if scalars.kind == "complex":
        size = np.linalg.norm(expected.astype(complex))
        assert space.norm(image) == pytest.approx(size)


def ranks(scalars: ref.Scalars, amplitudes: ref.Array, n: int) -> list[int]:
    """Schmidt ranks at every cut, by elimination over F_p."""
    return [1, *(_rank_mod(amplitudes.reshape(1 << k, -1), scalars.p) for k in range(1, n)), 1]


def _rank_mod(matrix: ref.Array, p: int) -> int:
    rows, rank = [list(row) for row in matrix], 0
    for col in range(matrix.shape[1]):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][col] % p), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        inverse = pow(rows[rank][col], -1, p)
        for i in range(rank + 1, len(rows)):
            factor = rows[i][col] * inverse % p
            rows[i] = [(a - factor * b) % p for a, b in zip(rows[i], rows[rank], strict=True)]
        rank += 1
    return rank


@pytest.mark.parametrize("seed", range(20))
def test_bonds_are_schmidt_ranks(seed: int) -> None:
    scalars, rng, n = ref.Scalars("fp"), random.Random(seed), 5
    space = make_space(scalars, n, "train")
    v = space.product(scalars.pack(random_pairs(scalars, rng, n)))
    for _ in range(12):
        v = space.run(ref.compile_ops(space, scalars, [ref.random_op(scalars, rng, n)]), v)
        amplitudes = scalars.unpack(v.to_numpy())
        if space.is_zero(v):
            assert not any(amplitudes)
            break
        assert v.bonds == ranks(scalars, amplitudes, n)
        assert v.nodes == sum(a * b for a, b in zip(v.bonds, v.bonds[1:], strict=False))


def test_amplitudes_there_and_back(scalars: ref.Scalars, form: str) -> None:
    rng, n = random.Random(5), 4
    values = np.array([scalars.random(rng) for _ in range(1 << n)], dtype=object)
    space = make_space(scalars, n, form)
    v = space.from_amplitudes(scalars.pack(values))
    assert scalars.same(scalars.unpack(v.to_numpy()), values)
    for index in (0, 5, 15):
        bits = np.array([index >> (n - 1 - k) & 1 for k in range(n)], np.uint8)
        assert scalars.same(scalars.unpack(space.amplitude(v, bits)), values[index])


@pytest.mark.parametrize("seed", range(6))
def test_the_first_basis_state_that_is_there(scalars: ref.Scalars, form: str, seed: int) -> None:
    """Few amplitudes are not zero; gates, projectors and sums must leave no state behind that is none."""
    rng, n = random.Random(seed), 5
    space = make_space(scalars, n, form)
    values = np.array([scalars.random(rng) * (rng.random() < 0.15) for _ in range(1 << n)], dtype=object)
    v = space.from_amplitudes(scalars.pack(scalars.clean(values)))
    if scalars.kind == "complex":
        with pytest.raises(ValueError, match="rounding"):
            space.first(v)
        return
    one, nothing = scalars.of(1), scalars.of(0)
    project = [np.array([[one * (x == y == k) for x in (0, 1)] for y in (0, 1)], object) for k in (0, 1)]
    for _ in range(6):
        there = [k for k, z in enumerate(scalars.unpack(v.to_numpy())) if not scalars.same(z, nothing)]
        bits = space.first(v)
        assert bits == ([there[0] >> (n - 1 - k) & 1 for k in range(n)] if there else [])
        level = rng.randrange(n)
        op = rng.choice([ref.Op((), (level,), rng.choice(project)), ref.random_op(scalars, rng, n)])
        image = space.run(ref.compile_ops(space, scalars, [op]), v)
        v = space.combine(scalars.pack([one, scalars.clean(-1 * one)]), [image, v]) if level == 0 else image


def test_many_terms_are_added_in_parts(scalars: ref.Scalars) -> None:
    rng, n = random.Random(16), 6
    space = make_space(scalars, n, "train")
    pairs = [random_pairs(scalars, rng, n) for _ in range(5)]
    pairs += [pairs[0], pairs[3], pairs[3]]  # bonds stay those of five
    weights = [scalars.random(rng) for _ in pairs]
    total = space.combine(scalars.pack(weights), [space.product(scalars.pack(p)) for p in pairs])
    vectors = [ref.product_vector(scalars, p) for p in pairs]
    expected = scalars.clean(sum(v * w for w, v in zip(weights, vectors, strict=True)))
    assert scalars.same(scalars.unpack(total.to_numpy()), expected)
    assert max(total.bonds) <= 5


@pytest.mark.parametrize("inside", [(2, 5), (0, 3), (4, 6), (3, 4)])
def test_terms_that_differ_inside_only(scalars: ref.Scalars, inside: tuple[int, int]) -> None:
    rng, n = random.Random(17), 6
    space = make_space(scalars, n, "train")
    outside = random_pairs(scalars, rng, n)
    terms = [random_pairs(scalars, rng, n) for _ in range(6)]
    for term in terms:
        term[: inside[0]], term[inside[1] :] = outside[: inside[0]], outside[inside[1] :]
    weights = [scalars.random(rng) for _ in terms]
    vectors = [space.product(scalars.pack(term)) for term in terms]
    dense = [ref.product_vector(scalars, term) for term in terms]
    expected = scalars.clean(sum(v * w for w, v in zip(weights, dense, strict=True)))
    total = space.combine(scalars.pack(weights), vectors)
    assert scalars.same(scalars.unpack(total.to_numpy()), expected)
    signs = scalars.pack([w for weight in weights[:3] for w in (weight, scalars.clean(-1 * weight))])
    assert space.is_zero(space.combine(signs, [v for vector in vectors[:3] for v in (vector, vector)]))


def test_combinations_and_products(scalars: ref.Scalars) -> None:
    rng, n = random.Random(6), 4
    train, dense = make_space(scalars, n, "train"), make_space(scalars, n, "dense")
    values = [np.array([scalars.random(rng) for _ in range(1 << n)], dtype=object) for _ in range(3)]
    mixed = [s.from_amplitudes(scalars.pack(a)) for s, a in zip((train, dense, train), values, strict=True)]
    weights = [scalars.random(rng) for _ in range(3)]
    expected = scalars.clean(sum(a * w for w, a in zip(weights, values, strict=True)))
    assert mixed[1].dense and not mixed[0].dense
    total = train.combine(scalars.pack(weights), mixed)
    assert scalars.same(scalars.unpack(total.to_numpy()), expected)
    two = train.combine(scalars.pack(weights[:2]), [mixed[0], mixed[2]])
    partial_sum = scalars.clean(values[0] * weights[0] + values[2] * weights[1])
    assert not two.dense and scalars.same(scalars.unpack(two.to_numpy()), partial_sum)
    for u, a in zip(mixed, values, strict=True):
        for v, b in zip(mixed, values, strict=True):
            bilinear = scalars.clean(np.array(sum(x * y for x, y in zip(a, b, strict=True)), dtype=object))
            assert scalars.same(scalars.unpack(train.bilinear(u, v)), bilinear)
            if not scalars.integers:
                inner = np.array(sum(x.conjugate() * y for x, y in zip(a, b, strict=True)), dtype=object)
                assert scalars.same(scalars.unpack(train.inner(u, v)), inner)


def test_conjugation_needs_a_conjugate() -> None:
    space = _core.Space("fp", 1, ref.P_FP)
    v = space.product(np.array([[1, 2]], np.uint64))
    for action in (lambda: space.inner(v, v), lambda: space.conjugate(v)):
        with pytest.raises(ValueError, match="fp2 or complex"):
            action()


def test_scale_conjugate_and_equality(scalars: ref.Scalars, form: str) -> None:
    rng, n = random.Random(7), 3
    values = np.array([scalars.random(rng) for _ in range(1 << n)], dtype=object)
    space, factor = make_space(scalars, n, form), scalars.random(rng)
    v = space.from_amplitudes(scalars.pack(values))
    scaled = space.scale(v, scalars.pack(np.array(factor, dtype=object)))
    assert scalars.same(scalars.unpack(scaled.to_numpy()), scalars.clean(values * factor))
    assert space.difference_is_zero(v, v) and not space.difference_is_zero(v, scaled)
    assert space.difference_is_zero(space.canonical(v), v)
    zero = space.scale(v, scalars.pack(np.array(scalars.of(0), dtype=object)))
    assert space.is_zero(zero) and not space.is_zero(v)
    if not scalars.integers:
        conjugated = scalars.unpack(space.conjugate(v).to_numpy())
        assert scalars.same(conjugated, np.array([x.conjugate() for x in values], dtype=object))


def test_norms() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=16) + 1j * rng.normal(size=16)
    for form in FORMS:
        space = make_space(ref.Scalars("complex"), 4, form)
        v = space.from_amplitudes(values)
        assert space.norm(v) == pytest.approx(np.linalg.norm(values))
        assert np.allclose(space.normalise(v).to_numpy(), values / np.linalg.norm(values))
    exact = _core.Space("fp", 1, ref.P_FP)
    with pytest.raises(ValueError, match="no norm"):
        exact.norm(exact.product(np.array([[1, 2]], np.uint64)))


def test_canonical_trains_of_equal_vectors_are_equal() -> None:
    scalars, rng, n = ref.Scalars("fp2"), random.Random(8), 4
    space = make_space(scalars, n, "train")
    v = space.product(scalars.pack(random_pairs(scalars, rng, n)))
    h = np.array(
        [[scalars.of(1), scalars.of(1)], [scalars.of(1), ref.Gaussian(ref.P_FP2 - 1, 0)]], dtype=object
    )
    x = np.array([[scalars.of(0), scalars.of(1)], [scalars.of(1), scalars.of(0)]], dtype=object)
    forth = [ref.Op((), (0,), h), ref.Op(((0, 1),), (3,), x), ref.Op(((1, 0),), (2,), x)]
    w = space.run(ref.compile_ops(space, scalars, forth), v)
    again = space.run(ref.compile_ops(space, scalars, [forth[1], forth[2], forth[2], forth[1]]), w)
    assert space.canonical(again).dump() == space.canonical(w).dump()


def test_random_circuits_leave_the_train() -> None:
    """A train that costs more than an array becomes one, and both forms go on to the same vector."""
    scalars, rng, n = ref.Scalars("fp"), random.Random(9), 10
    auto, train = make_space(scalars, n), make_space(scalars, n, "train")
    pairs = scalars.pack(
        np.array([[scalars.random(rng), scalars.random(rng)] for _ in range(n)], dtype=object)
    )
    ops = []
    for _ in range(60):
        control, target = rng.sample(range(n), 2)
        ops += [
            ref.Op(((control, 1),), (target,), ref.unitary_matrix(scalars, rng)),
            ref.Op((), (control,), ref.unitary_matrix(scalars, rng)),
        ]
    v = auto.run(ref.compile_ops(auto, scalars, ops), auto.product(pairs))
    w = train.run(ref.compile_ops(train, scalars, ops), train.product(pairs))
    assert v.dense and not w.dense and v.to_numpy().tolist() == w.to_numpy().tolist()
    assert auto.statistics["gates"] == len(ops) and auto.statistics["dense_switches"] == 1
    assert train.statistics["peak_bond"] == max(w.bonds) == 32
    assert auto.statistics["work"] < train.statistics["work"]
    again = auto.canonical(v)
    assert not again.dense and again.bonds == w.bonds and auto.difference_is_zero(again, w)


def test_bad_calls_are_explained() -> None:
    with pytest.raises(ValueError, match="unknown kind 'real'"):
        _core.Space("real", 2)
    with pytest.raises(ValueError, match="at least one level, got 0"):
        _core.Space("complex", 0)
    scalars = ref.Scalars("fp")
    space, other = make_space(scalars, 2), make_space(scalars, 3)
    v = space.product(np.array([[1, 0], [1, 0]], np.uint64))
    with pytest.raises(ValueError, match=r"shape \(2,2,\), got \(1,2,\)"):
        space.product(np.array([[1, 0]], np.uint64))
    with pytest.raises(TypeError, match="uint64"):
        space.product(np.array([[1, 0], [1, 0]], np.float64))
    with pytest.raises(ValueError, match="has 2 levels, the space 3"):
        other.is_zero(v)
    with pytest.raises(ValueError, match="not over this space's field"):
        _core.Space("complex", 2).is_zero(v)
    x = np.array([[0, 1], [1, 0]], dtype=object)
    with pytest.raises(ValueError, match="gate 0: level 5"):
        ref.compile_ops(space, scalars, [ref.Op((), (5,), x)])
    with pytest.raises(ValueError, match="gate 0: level 1 appears twice"):
        ref.compile_ops(space, scalars, [ref.Op(((1, 1),), (1,), x)])
    with pytest.raises(ValueError, match="gate 0: matrix 0 has 4 entries, but 2 targets need 16"):
        ref.compile_ops(space, scalars, [ref.Op((), (0, 1), x)])
    with pytest.raises(ValueError, match="another space"):
        other.run(ref.compile_ops(space, scalars, [ref.Op((), (0,), x)]), v)


def twin(first: int, second: int) -> np.ndarray:
    return np.array([[[first, second], [1, 1]]], np.uint64)


def test_what_one_of_two_primes_calls_zero_ends_the_computation() -> None:
    """A multiple of one prime is not zero, and no field has it: nothing may be decided with it."""
    space = ref.Scalars("twin").space(1)
    with pytest.raises(_core.PrimesDisagree, match="one of two primes"):
        space.product(twin(0, 5))
    v, w = space.product(twin(3, 5)), space.product(twin(3, 6))  # the same modulo the first prime
    signs = np.array([[1, 1], [ref.P_FP - 1, ref.P_OTHER - 1]], np.uint64)
    with pytest.raises(_core.PrimesDisagree):
        space.combine(signs, [v, w])
    span = space.span()
    assert span.add(v)
    with pytest.raises(_core.PrimesDisagree):
        span.contains(w)
    assert space.is_zero(space.combine(signs, [v, v])) and span.contains(v)


def test_twins_have_two_different_primes() -> None:
    for second, message in ((0, "prime"), (ref.P_FP, "two different primes")):
        with pytest.raises(ValueError, match=message):
            _core.Space("twin", 1, ref.P_FP, second_prime=second)
    with pytest.raises(ValueError, match="only the kinds twin, long"):
        _core.Space("fp", 1, ref.P_FP, second_prime=ref.P_OTHER)


def test_stored_twins_remember_both_primes() -> None:
    space = ref.Scalars("twin").space(1)
    other = _core.Space("twin", 1, ref.P_FP, second_prime=2_305_843_009_213_693_951)
    v = space.product(twin(3, 5))
    assert space.difference_is_zero(pickle.loads(pickle.dumps(v)), v)
    with pytest.raises(ValueError, match="not over this space's field"):
        other.is_zero(v)
