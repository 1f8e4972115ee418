"""Partial evaluation, contraction, storage and limits of the native core."""

import pickle
import random

import numpy as np
import pytest

from qismc import _core
from qismc.common.process import MIB, resident_memory_mb

from . import reference as ref
from .test_space import make_space
from .test_span import random_values


@pytest.fixture(params=ref.KINDS)
def scalars(request: pytest.FixtureRequest) -> ref.Scalars:
    return ref.Scalars(request.param)


@pytest.mark.parametrize("forms", [("train", "train"), ("dense", "train"), ("train", "dense")])
@pytest.mark.parametrize("levels", [[0], [3], [1, 2], [0, 2, 3], [0, 1, 2]])
def test_contract_against_tensordot(scalars: ref.Scalars, forms: tuple[str, str], levels: list[int]) -> None:
    rng, n, k = random.Random(1), 4, len(levels)
    values, bra = random_values(scalars, rng, n), random_values(scalars, rng, k)
    tensor = np.moveaxis(values.reshape([2] * n), levels, range(k)).reshape(1 << k, -1)
    expected = [sum(x * b for x, b in zip(column, bra, strict=True)) for column in tensor.T]
    space = make_space(scalars, n, forms[0])
    small = make_space(scalars, k, forms[1])
    v, w = space.from_amplitudes(scalars.pack(values)), small.from_amplitudes(scalars.pack(bra))
    got = space.contract(v, levels, w, make_space(scalars, n - k, forms[0]))
    assert scalars.same(scalars.unpack(got.to_numpy()), scalars.clean(np.array(expected, dtype=object)))


def test_contract_refuses_bad_levels(scalars: ref.Scalars) -> None:
    rng = random.Random(2)
    space, small = make_space(scalars, 3), make_space(scalars, 2)
    v = space.from_amplitudes(scalars.pack(random_values(scalars, rng, 3)))
    bra = small.from_amplitudes(scalars.pack(random_values(scalars, rng, 2)))
    one = make_space(scalars, 1)
    with pytest.raises(ValueError, match=r"increasing and in 0\.\.2; got 0 at place 1"):
        space.contract(v, [1, 0], bra, one)
    with pytest.raises(ValueError, match="with 1 levels"):
        space.contract(v, [0, 1], bra, small)
    with pytest.raises(ValueError, match="have 1 levels"):
        space.contract(v, [0], bra, small)
    with pytest.raises(ValueError, match="use bilinear"):
        space.contract(v, [0, 1, 2], bra, one)


@pytest.mark.parametrize("kind", ["fp", "fp2", "twin", "long", "long2"])
@pytest.mark.parametrize("form", ["train", "dense"])
def test_partial_keeps_local_membership(kind: str, form: str) -> None:
    """A vector (a (x) r) + (b (x) s) on kept and other levels evaluates into span(a, b), linearly in v."""
    scalars, rng, n = ref.Scalars(kind), random.Random(3), 4
    kept = [0, 2]
    space, target = make_space(scalars, n, form), make_space(scalars, 2, form)
    a, b = random_values(scalars, rng, 2), random_values(scalars, rng, 2)
    r, s = random_values(scalars, rng, 2), random_values(scalars, rng, 2)

    def product(x: ref.Array, y: ref.Array) -> ref.Array:
        out = np.empty((2, 2, 2, 2), dtype=object)
        for i, j, k, m in np.ndindex(2, 2, 2, 2):
            out[i, j, k, m] = x[2 * i + k] * y[2 * j + m]
        return scalars.clean(out.ravel())

    v = space.from_amplitudes(scalars.pack(scalars.clean(product(a, r) + product(b, s))))
    image = space.partial(v, kept, target, 7)
    span = target.span()
    for x in (a, b):
        assert span.add(target.from_amplitudes(scalars.pack(x)))
    assert span.contains(image) and not target.is_zero(image)
    assert not target.difference_is_zero(image, space.partial(v, kept, target, 8))
    outside = space.from_amplitudes(scalars.pack(random_values(scalars, rng, n)))
    assert not span.contains(space.partial(outside, kept, target, 7))
    assert space.partial(v, list(range(n)), space, 7).to_numpy().tolist() == v.to_numpy().tolist()


@pytest.mark.parametrize("kind", ["fp", "fp2", "twin", "long", "long2"])
@pytest.mark.parametrize("kept", [[0], [4], [1, 3], [0, 1, 2, 4]])
def test_partial_of_arrays_and_trains(kind: str, kept: list[int]) -> None:
    """The functional belongs to the seed, not to the form of the vector."""
    scalars, n = ref.Scalars(kind), 5
    values = scalars.pack(random_values(scalars, random.Random(5), n))
    parts = []
    for form in ("train", "dense"):
        space, target = make_space(scalars, n, form), make_space(scalars, len(kept), form)
        parts.append(space.partial(space.from_amplitudes(values), kept, target, 7).to_numpy())
    assert np.array_equal(*parts)


@pytest.mark.parametrize("kind", ["fp", "fp2", "twin", "long", "long2"])
def test_parts_of_every_level(kind: str) -> None:
    """What is left and right of a level is kept for some functionals; the answers do not depend on it."""
    scalars, n = ref.Scalars(kind), 4
    values = scalars.pack(random_values(scalars, random.Random(6), n))
    space, target = make_space(scalars, n, "train"), make_space(scalars, 1, "train")
    v = space.from_amplitudes(values)
    for seeds in ([1, 2], [3, 1], [2, 3]):
        for level in (2, 0, 3, 1):
            fresh = [space.partial(space.from_amplitudes(values), [level], target, seed) for seed in seeds]
            found = space.parts(v, [level], target, seeds)
            assert [part.to_numpy().tolist() for part in found] == [x.to_numpy().tolist() for x in fresh]
    zero = space.from_amplitudes(np.zeros_like(values))
    assert space.parts(zero, [1], target, [1, 2]) == []


def test_kets_and_superpositions(scalars: ref.Scalars) -> None:
    """Against outer products; level k stands for the qubit order[k]."""
    rng, n = random.Random(7), 3
    pairs = random_values(scalars, rng, 2).reshape(2, 2)
    words, order = ["aba", "bba", "abb", "aba"], [2, 0, 1]
    weights = random_values(scalars, rng, 2)
    space = make_space(scalars, n)

    def listed(word: str) -> ref.Array:
        a, b, c = (pairs["ab".index(word[qubit])] for qubit in order)
        return scalars.clean(np.array([x * y * z for x in a for y in b for z in c], dtype=object))

    text = "ab", scalars.pack(pairs), "".join(words), np.array(order, dtype=np.int32)
    for word, vector in zip(words, space.kets(*text), strict=True):
        assert scalars.same(scalars.unpack(vector.to_numpy()), listed(word))
    columns = zip(*map(listed, words), strict=True)
    total = [sum(weight * x for weight, x in zip(weights, column, strict=True)) for column in columns]
    found = space.superposition(*text, scalars.pack(weights))
    assert scalars.same(scalars.unpack(found.to_numpy()), scalars.clean(np.array(total, dtype=object)))
    with pytest.raises(ValueError, match="one coefficient per ket"):
        space.superposition(*text, scalars.pack(weights[:2]))
    with pytest.raises(ValueError, match="unknown letter"):
        space.kets("ab", scalars.pack(pairs), "abc", np.array(order, dtype=np.int32))
    with pytest.raises(ValueError, match="a letter for each level"):
        space.kets("ab", scalars.pack(pairs), "ab", np.array(order, dtype=np.int32))


def test_partial_is_for_exact_kinds() -> None:
    space, target = _core.Space("complex", 2), _core.Space("complex", 1)
    v = space.product(np.array([[1, 0], [1, 0]], complex))
    with pytest.raises(ValueError, match="floating-point"):
        space.partial(v, [0], target, 1)


@pytest.mark.parametrize("form", ["train", "dense"])
def test_pickling(scalars: ref.Scalars, form: str) -> None:
    space = make_space(scalars, 4, form)
    v = space.from_amplitudes(scalars.pack(random_values(scalars, random.Random(4), 4)))
    copy = pickle.loads(pickle.dumps(v))
    assert copy.dense == v.dense and copy.bonds == v.bonds and copy.bytes == v.bytes
    assert copy.to_numpy().tolist() == v.to_numpy().tolist()
    assert space.difference_is_zero(copy, v)


@pytest.mark.parametrize("form", ["train", "dense"])
def test_damaged_stores_are_refused(form: str) -> None:
    scalars = ref.Scalars("fp")
    space = make_space(scalars, 3, form)
    data = space.from_amplitudes(scalars.pack(random_values(scalars, random.Random(5), 3))).dump()
    huge = b"\xff" * 8
    damaged = [data[:-8], data[:-1], data + bytes(8), b"", bytes(40)]
    damaged += [data[: 8 * k] + huge + data[8 * k + 8 :] for k in (1, 3)]
    damaged += [data[: 8 * k] + bytes(8) + data[8 * k + 8 :] for k in (3, 5)] if form == "train" else []
    for store in damaged:
        with pytest.raises(ValueError, match="stored vector"):
            _core.Vector(store)


def heavy(space: _core.Space, scalars: ref.Scalars, gates: int) -> tuple[_core.Block, _core.Vector]:
    """Random entangling gates on a product of random states."""
    rng, n = random.Random(6), space.levels
    ops = []
    for _ in range(gates):
        control, target = rng.sample(range(n), 2)
        ops.append(ref.Op(((control, 1),), (target,), ref.unitary_matrix(scalars, rng)))
        h = [[scalars.of(1), scalars.of(1)], [scalars.of(1), -scalars.of(1) % scalars.p]]
        ops.append(ref.Op((), (control,), np.array(h, dtype=object)))
    pairs = np.array([[scalars.random(rng), scalars.random(rng)] for _ in range(n)], dtype=object)
    return ref.compile_ops(space, scalars, ops), space.product(scalars.pack(pairs))


@pytest.mark.parametrize("form", ["train", "auto"])
def test_time_limit(form: str) -> None:
    scalars = ref.Scalars("fp")
    space = make_space(scalars, 20, form)
    block, v = heavy(space, scalars, 300)
    space.limits = _core.Limits(seconds=0.02)
    with pytest.raises(_core.LimitReached, match=r"time limit of 0\.02") as caught:
        space.run(block, v)
    assert caught.value.kind == "time" and "time limit" in caught.value.message
    space.limits = _core.Limits()
    assert space.limits.seconds is None
    assert not space.is_zero(space.run(block, v, 0, 4))


@pytest.mark.parametrize("form", ["train", "auto"])
def test_memory_limit(form: str) -> None:
    scalars = ref.Scalars("fp")
    space = make_space(scalars, 20, form)
    block, v = heavy(space, scalars, 300)
    space.limits = _core.Limits(memory_bytes=int(resident_memory_mb() * MIB) + 200_000)
    with pytest.raises(_core.LimitReached) as caught:
        space.run(block, v)
    assert caught.value.kind == "memory" and "MB are needed" in caught.value.message
    assert space.statistics["peak_bytes"] > 0


def test_bad_limit() -> None:
    with pytest.raises(ValueError, match="negative"):
        _core.Limits(seconds=-1)


@pytest.mark.parametrize("kind", ["fp", "fp2", "twin", "long", "long2", "complex"])
@pytest.mark.parametrize("form", ["train", "dense"])
@pytest.mark.parametrize("levels", [[0, 1, 2], [1, 3, 4], [0, 2, 4], [2, 3, 4]])
def test_embedding_puts_zeros_elsewhere(kind: str, form: str, levels: list[int]) -> None:
    scalars, rng, n = ref.Scalars(kind), random.Random(3), 5
    values = random_values(scalars, rng, 3)
    small, large = make_space(scalars, 3, form), make_space(scalars, n)
    got = scalars.unpack(large.embed(small.from_amplitudes(scalars.pack(values)), levels).to_numpy())
    for index, value in enumerate(got):
        digits = [index >> (n - 1 - k) & 1 for k in range(n)]
        inside = int("".join(str(digits[k]) for k in levels), 2)
        elsewhere = any(digits[k] for k in range(n) if k not in levels)
        expected = values[inside] * 0 if elsewhere else values[inside]
        assert scalars.same(np.array([value]), scalars.clean(np.array([expected], dtype=object)))


def test_embedding_needs_vectors_that_fit() -> None:
    for kind, other, levels in (("complex", "complex", [0]), ("fp", "fp", [0]), ("fp", "complex", [0, 1])):
        scalars = ref.Scalars(kind)
        small = make_space(scalars, 2)
        vector = small.from_amplitudes(scalars.pack(random_values(scalars, random.Random(4), 2)))
        with pytest.raises(ValueError, match="same numbers"):
            make_space(ref.Scalars(other), 3).embed(vector, levels)


def test_embedded_vectors_keep_their_gauge() -> None:
    """The length of a complex train is read off its centre."""
    scalars = ref.Scalars("complex")
    vector = make_space(scalars, 4).from_amplitudes(np.arange(1, 17) / 7 + 0.5j)
    large = make_space(scalars, 9)
    found = large.embed(vector, [1, 3, 4, 7])
    assert large.norm(found) == pytest.approx(float(np.linalg.norm(found.to_numpy())), rel=1e-14)
    assert large.norm(found) == pytest.approx(float(np.linalg.norm(np.arange(1, 17) / 7 + 0.5j)), rel=1e-14)
