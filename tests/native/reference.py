"""A slow, obvious dense reference for the native core, and circuits in its flat format."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from qismc import _core

P_FP2 = 2_305_843_009_213_693_951  # 2^61 - 1 = 7 mod 8
P_FP = 2_305_843_009_213_693_921  # 1 mod 8
P_OTHER = 2_305_843_009_213_693_907
P_LONG = 3602633801084052100 * 2**64 + 1
P_LONG2 = 2478427866938051784 * 2**64 - 1
PRIMES = {
    "fp": (P_FP,),
    "fp2": (P_FP2,),
    "twin": (P_FP, P_OTHER),
    "long": (P_LONG,),
    "long2": (P_LONG2,),
    "complex": (),
}
WORDS = {"fp": 1, "fp2": 2, "twin": 2, "long": 2, "long2": 4, "complex": 1}
KINDS = list(PRIMES)

Array = npt.NDArray[Any]


class Scalars:
    """Scalars as Python numbers: int mod p, Gaussian (re, im) mod p as an object with + and *, or complex.

    Twins are integers modulo the product of two primes.
    """

    def __init__(self, kind: str) -> None:
        self.kind, self.primes = kind, PRIMES[kind]
        self.p = math.prod(self.primes)

    @property
    def integers(self) -> bool:
        return self.kind in ("fp", "twin", "long")

    def space(self, levels: int, seed: int = 0, **how: Any) -> _core.Space:
        first, second = (
            (*self.primes, 0, 0)[:2] if "long" not in self.kind else (self.p % 2**64, self.p >> 64)
        )
        return _core.Space(self.kind, levels, first, seed, second_prime=second, **how)

    def random(self, rng: random.Random) -> Any:
        if self.integers:
            return rng.randrange(self.p)
        if self.kind in ("fp2", "long2"):
            return Gaussian(rng.randrange(self.p), rng.randrange(self.p), self.p)
        return complex(rng.gauss(0, 1), rng.gauss(0, 1))

    def of(self, n: int) -> Any:
        if self.integers:
            return n % self.p
        return complex(n) if self.kind == "complex" else Gaussian(n % self.p, 0, self.p)

    def clean(self, array: Array) -> Array:
        return array % self.p if self.integers else array

    def pack(self, values: Sequence[Any] | Array) -> Array:
        """The array that crosses the border."""
        array = np.asarray(values, dtype=object)
        if self.kind == "fp":
            return array.astype(np.uint64)
        if self.kind == "complex":
            return array.astype(np.complex128)
        if self.kind == "twin":
            pairs = [tuple(number % prime for prime in self.primes) for number in array.ravel()]
        elif self.kind == "long":
            pairs = [(number % 2**64, number >> 64) for number in array.ravel()]
        elif self.kind == "long2":
            pairs = [(g.re % 2**64, g.re >> 64, g.im % 2**64, g.im >> 64) for g in array.ravel()]
        else:
            pairs = [(g.re, g.im) for g in array.ravel()]
        return np.array(pairs, dtype=np.uint64).reshape((*array.shape, WORDS[self.kind]))

    def unpack(self, array: Array) -> Array:
        """Python numbers from an array that crossed the border."""
        if self.kind == "fp":
            return np.asarray(array).astype(object)
        if self.kind == "complex":
            return np.asarray(array).astype(object)
        shape = array.shape[:-1]
        out = np.empty(int(np.prod(shape)), dtype=object)
        for i, words in enumerate(array.reshape(-1, WORDS[self.kind]).tolist()):
            out[i] = self._number(*words)
        return out.reshape(shape)

    def _number(self, first: int, second: int, *others: int) -> Any:
        if self.kind == "twin":
            return _remainder(first, second)
        if self.kind == "fp2":
            return Gaussian(first, second)
        low = first + (second << 64)
        return Gaussian(low, others[0] + (others[1] << 64), self.p) if others else low

    def same(self, a: Array, b: Array) -> bool:
        if self.kind == "complex":
            return bool(np.allclose(np.asarray(a, complex), np.asarray(b, complex), atol=1e-9))
        return bool(np.all(np.asarray(a) == np.asarray(b)))


def _remainder(first: int, second: int) -> int:
    """The number with these remainders by the two primes."""
    return first + P_FP * ((second - first) * pow(P_FP, -1, P_OTHER) % P_OTHER)


@dataclass(frozen=True)
class Gaussian:
    """An element of F_p(i)."""

    re: int
    im: int
    p: int = P_FP2

    def __add__(self, other: Any) -> Gaussian:
        other = other if isinstance(other, Gaussian) else Gaussian(other, 0)
        return Gaussian((self.re + other.re) % self.p, (self.im + other.im) % self.p, self.p)

    __radd__ = __add__

    def __neg__(self) -> Gaussian:
        return Gaussian(-self.re % self.p, -self.im % self.p, self.p)

    def __mul__(self, other: Any) -> Gaussian:
        other = other if isinstance(other, Gaussian) else Gaussian(other, 0)
        re = (self.re * other.re - self.im * other.im) % self.p
        return Gaussian(re, (self.re * other.im + self.im * other.re) % self.p, self.p)

    __rmul__ = __mul__

    def conjugate(self) -> Gaussian:
        return Gaussian(self.re, -self.im % self.p, self.p)


@dataclass(frozen=True)
class Op:
    """If every (level, value) control matches, the matrix on the targets (first target = lowest bit)."""

    controls: tuple[tuple[int, int], ...]
    targets: tuple[int, ...]
    matrix: Array


def compile_ops(space: _core.Space, scalars: Scalars, ops: Sequence[Op]) -> _core.Block:
    def offsets(sizes: list[int], dtype: Any) -> Array:
        return np.concatenate([[0], np.cumsum(sizes)]).astype(dtype)

    entries = [scalars.pack(op.matrix.ravel()) for op in ops]
    width = (0,) if WORDS[scalars.kind] == 1 else (0, WORDS[scalars.kind])
    empty = np.zeros(width, np.complex128 if scalars.kind == "complex" else np.uint64)
    return space.compile(
        offsets([len(op.controls) for op in ops], np.int32),
        np.array([c for op in ops for c, _ in op.controls], np.int32),
        np.array([v for op in ops for _, v in op.controls], np.uint8),
        offsets([len(op.targets) for op in ops], np.int32),
        np.array([t for op in ops for t in op.targets], np.int32),
        np.arange(len(ops), dtype=np.int32),
        offsets([op.matrix.size for op in ops], np.int64),
        np.concatenate([empty, *entries]),
    )


def apply(scalars: Scalars, n: int, op: Op, vector: Array) -> Array:
    """The operation entry by entry, level 0 the most significant bit."""

    def bit(index: int, level: int) -> int:
        return (index >> (n - 1 - level)) & 1

    out = np.array([scalars.of(0)] * len(vector), dtype=object)
    for i in range(len(vector)):
        if any(bit(i, c) != v for c, v in op.controls):
            out[i] = out[i] + vector[i]
            continue
        column = sum(bit(i, t) << j for j, t in enumerate(op.targets))
        base = i & ~sum(1 << (n - 1 - t) for t in op.targets)
        for row in range(1 << len(op.targets)):
            to = base | sum(((row >> j) & 1) << (n - 1 - t) for j, t in enumerate(op.targets))
            out[to] = out[to] + op.matrix[row, column] * vector[i]
    return scalars.clean(out)


def product_vector(scalars: Scalars, pairs: Array) -> Array:
    out = np.array([scalars.of(1)], dtype=object)
    for a, b in pairs:
        out = scalars.clean(np.array([x * y for x in out for y in (a, b)], dtype=object))
    return out


def random_matrix(scalars: Scalars, rng: random.Random, targets: int) -> Array:
    side = 1 << targets
    style = rng.choice(["general", "projector", "flip", "diagonal", "lower", "zero_one"])
    m = np.array([[scalars.of(0)] * side for _ in range(side)], dtype=object)
    for i in range(side):
        for j in range(side):
            if style == "general" or (style == "diagonal" and i == j):
                m[i, j] = scalars.random(rng)
            elif style == "zero_one":
                m[i, j] = scalars.of(rng.randrange(2))
        if style == "flip":
            m[i, side - 1 - i] = scalars.of(1)
    if style == "projector":
        k = rng.randrange(side)
        m[k, k] = scalars.of(1)
    if style == "lower":
        m[0, rng.randrange(side)] = scalars.of(1)
    return m


def unitary_matrix(scalars: Scalars, rng: random.Random) -> Array:
    """A one-level gate that is invertible: X, Z, a Hadamard without its factor, or a random diagonal."""
    one, zero = scalars.of(1), scalars.of(0)
    minus = scalars.of(-1) if scalars.kind != "fp2" else Gaussian(P_FP2 - 1, 0)
    choices = [
        [[zero, one], [one, zero]],
        [[one, zero], [zero, minus]],
        [[one, one], [one, minus]],
        [[one, zero], [zero, scalars.random(rng)]],
    ]
    return np.array(rng.choice(choices), dtype=object)


def random_op(scalars: Scalars, rng: random.Random, n: int, max_targets: int = 3) -> Op:
    levels = rng.sample(range(n), n)
    targets = rng.choice([0, 1, 1, 1, 2, min(3, max_targets)])
    targets = min(targets, n)
    controls = rng.randrange(min(3, n - targets) + 1)
    matrix = unitary_matrix(scalars, rng) if targets == 1 and rng.random() < 0.6 else None
    return Op(
        tuple((level, rng.randrange(2)) for level in levels[targets : targets + controls]),
        tuple(levels[:targets]),
        random_matrix(scalars, rng, targets) if matrix is None else matrix,
    )
