"""Spans of arrays that fall into blocks, compared with ranks of whole matrices."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from qismc.engines import dense_span
from qismc.engines.dense_span import DenseSpan
from qismc.errors import LimitReached, NumericDoubt
from qismc.limits import Budget, Limits, Tolerance

SIZE = 64


def sparse(rng: np.random.Generator, blocks: int) -> np.ndarray:
    """A vector that is not zero on one or, now and then, on two of the equal parts of the array."""
    vector = np.zeros(SIZE, dtype=complex)
    width = SIZE // blocks
    for block in rng.choice(blocks, 1 + (rng.random() < 0.1), replace=False):
        part = rng.normal(size=(2, width)) * (rng.random(width) < 0.7)
        vector[block * width : (block + 1) * width] = part[0] + 1j * part[1]
    return vector


def offered(rng: np.random.Generator, blocks: int) -> list[np.ndarray]:
    """Such vectors, some of which are combinations of earlier ones, or zero."""
    vectors = [sparse(rng, blocks)]
    for _ in range(79):
        few = [vectors[k] for k in rng.integers(len(vectors), size=2)]
        made = sum((rng.normal() + 1j) * v for v in few) if rng.random() < 0.3 else sparse(rng, blocks)
        vectors.append(np.zeros(SIZE, dtype=complex) if rng.random() < 0.03 else made)
    return vectors


def rank(vectors: list[np.ndarray]) -> int:
    return int(np.linalg.matrix_rank(np.array(vectors), tol=1e-8)) if vectors else 0


@pytest.mark.parametrize("together", [1, 9, 80])
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    ("moves", "work"), [(0, 1), (0, dense_span.MOST_WORK), (dense_span.MOST_MOVES, 5 * SIZE)]
)
def test_blocks(seed: int, together: int, moves: int, work: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense_span, "MOST_MOVES", moves)
    monkeypatch.setattr(dense_span, "MOST_WORK", work)
    rng = np.random.default_rng(seed)
    blocks = int(rng.choice([2, 4, 16, 32]))
    vectors, span, fresh = offered(rng, blocks), DenseSpan(Tolerance(), Budget(Limits())), list[bool]()
    for begin in range(0, len(vectors), together):
        fresh += span.add_all(vectors[begin : begin + together])
    ranks = [rank(vectors[:k]) for k in range(len(vectors) + 1)]
    assert fresh == [bool(b - a) for a, b in pairwise(ranks)]
    assert span.dimension == ranks[-1]
    kept = [v / np.linalg.norm(v) for v, new in zip(vectors, fresh, strict=True) if new]
    for vector in [*vectors[::7], *(sparse(rng, blocks) for _ in range(10))]:
        inside = rank([*kept, vector]) == len(kept)
        assert span.contains(vector) is inside
        found = span.coordinates(vector)
        assert (found is not None) is inside
        if found is not None:
            assert np.allclose(found @ np.array(kept), vector)


@pytest.mark.parametrize("angle", [1e-8, 3e-7])
def test_doubt_within_a_block(angle: float) -> None:
    """A block is told as carefully as the whole array."""
    span = DenseSpan(Tolerance(), Budget(Limits()))
    assert all(span.add_all(list(np.eye(SIZE, dtype=complex)[:40])))
    near = np.zeros(SIZE, dtype=complex)
    near[3], near[50] = np.cos(angle), np.sin(angle)
    with pytest.raises(NumericDoubt, match="lies between"):
        span.contains(near)
    with pytest.raises(NumericDoubt, match="lies between"):
        span.add(near)
    near[50] *= 1e6
    assert not span.contains(near) and span.add(near)
    near[50] *= 1e-12
    assert span.contains(near)


class Counting(Budget):
    """Counts how often it is looked at; the last time that is allowed, the time is over."""

    def __init__(self, most: float = math.inf) -> None:
        self.now, self.most = 0, most
        super().__init__(Limits(seconds=7), clock=lambda: 0.0 if self.now < self.most else 8.0)

    def spend(self, stage: str) -> float:
        self.now += 1
        return super().spend(stage)


def dense(count: int) -> list[np.ndarray]:
    rng = np.random.default_rng(5)
    return list(rng.normal(size=(count, SIZE)) + 1j * rng.normal(size=(count, SIZE)))


def test_looks_at_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two looks there are no more products than allowed, whatever is asked of the span."""
    work = dense_span.TOGETHER * SIZE
    monkeypatch.setattr(dense_span, "MOST_WORK", work)
    count, vectors = 60, dense(60)
    budget = Counting()
    span = DenseSpan(Tolerance(), budget)
    for vector in vectors:
        span.add(vector)
    assert budget.now >= 2 * sum(range(count)) * SIZE / work
    for ask, products in ((span.contains, 2 * count * SIZE), (span.coordinates, count * count * SIZE)):
        before = budget.now
        ask(vectors[7])
        assert budget.now - before >= products / work
    together = Counting()
    DenseSpan(Tolerance(), together).add_all(vectors)
    assert together.now >= 2 * sum(range(count)) * SIZE / work


@pytest.mark.parametrize("most", [1, 2, 50, 400])
def test_the_limit_ends_it_at_once(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense_span, "MOST_WORK", SIZE)
    budget = Counting(most)
    span = DenseSpan(Tolerance(), budget)
    with pytest.raises(LimitReached, match="the time limit of 7 s passed during comparing states"):
        span.add_all(dense(60))
    assert budget.now == most


def test_many_vectors_of_many_blocks_look_at_the_budget() -> None:
    budget = Counting()
    assert all(DenseSpan(Tolerance(), budget).add_all(list(np.eye(256, dtype=complex))))
    assert budget.now >= 256 / dense_span.TOGETHER
