"""Independent vectors on several threads: the same results, limits and interrupts as on one."""

from __future__ import annotations

import random
import signal
import threading
import time
from types import FrameType

import numpy as np
import pytest

from qismc import _core

from . import reference as ref
from .test_space import make_space, random_pairs

LEVELS = {"train": 20, "dense": 11}
THREADS = [1, 2, 4]


@pytest.fixture(params=ref.KINDS)
def scalars(request: pytest.FixtureRequest) -> ref.Scalars:
    return ref.Scalars(request.param)


def work(
    scalars: ref.Scalars, form: str, layers: int = 2
) -> tuple[_core.Space, _core.Block, list[_core.Vector]]:
    """A space, gates between neighbours, and vectors: enough that threads are worth their start."""
    rng, levels = random.Random(4), LEVELS[form]
    space = make_space(scalars, levels, form)
    pairs = [(k, k + 1) for k in range(levels - 1)] * layers
    ops = [ref.Op(((a, 1),), (b,), ref.unitary_matrix(scalars, rng)) for a, b in pairs]
    block = ref.compile_ops(space, scalars, ops)
    starts = [space.product(scalars.pack(random_pairs(scalars, rng, levels))) for _ in range(6)]
    return space, block, [space.run(block, start) for start in starts]


@pytest.mark.parametrize("form", ["train", "dense"])
def test_images_do_not_depend_on_threads(scalars: ref.Scalars, form: str) -> None:
    expected, counted = [], []
    for threads in THREADS:
        space, block, vectors = work(scalars, form)
        one_by_one = [space.run(block, v).dump() for v in vectors]
        space.threads = threads
        expected.append([image.dump() for image in space.run_all(block, vectors)])
        assert expected[-1] == one_by_one
        counted.append({k: v for k, v in space.statistics.items() if k != "peak_bytes"})
    assert expected[1:] == expected[:-1] and counted[1:] == counted[:-1]


@pytest.mark.parametrize("kind", ["fp", "fp2"])
def test_spans_do_not_depend_on_threads(kind: str) -> None:
    scalars, found = ref.Scalars(kind), []
    for threads in THREADS:
        space, block, vectors = work(scalars, "dense")
        space.threads = threads
        span = space.span()
        vectors = [*vectors, *space.run_all(block, vectors), vectors[0]]
        vectors.append(space.combine(scalars.pack([scalars.of(k + 1) for k in range(len(vectors))]), vectors))
        found.append(span.add_all(vectors))  # one of them is named twice
    assert found == [[True] * 12 + [False] * 2] * len(THREADS)


def test_there_is_a_thread() -> None:
    space = make_space(ref.Scalars("fp"), 2)
    assert space.threads == 1 and space.run_all(ref.compile_ops(space, ref.Scalars("fp"), []), []) == []
    with pytest.raises(ValueError, match="there must be a thread"):
        space.threads = 0


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("kind", ["operations", "time", "memory"])
def test_limits_hold_on_every_thread(threads: int, kind: str) -> None:
    space, block, vectors = work(ref.Scalars("fp"), "dense", layers=20)
    space.threads = threads
    limits = {
        "operations": _core.Limits(operations=int(space.statistics["work"]) + 200_000),
        "time": _core.Limits(seconds=0.0),
        "memory": _core.Limits(memory_bytes=1),
    }
    space.limits = limits[kind]
    with pytest.raises(_core.LimitReached) as raised:
        space.run_all(block, vectors)
    assert raised.value.kind == kind
    space.limits = _core.Limits()
    assert len(space.run_all(block, vectors)) == len(vectors)


@pytest.mark.parametrize("threads", THREADS)
def test_the_limit_of_operations_is_for_all_threads_together(threads: int) -> None:
    """Each vector alone stays far below it."""
    space, block, vectors = work(ref.Scalars("fp"), "dense")
    before = int(space.statistics["work"])
    space.run(block, vectors[0])
    one = int(space.statistics["work"]) - before
    space.threads = threads
    space.limits = _core.Limits(operations=before + one + len(vectors) * one)
    assert len(space.run_all(block, vectors)) == len(vectors)
    space.limits = _core.Limits(operations=int(space.statistics["work"]) + len(vectors) * one - 1)
    with pytest.raises(_core.LimitReached, match=r"more than \d+ operations"):
        space.run_all(block, vectors)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no timer")
@pytest.mark.parametrize("threads", THREADS)
def test_interrupts_reach_all_threads(threads: int) -> None:
    scalars = ref.Scalars("fp")
    space, block, vectors = work(scalars, "dense", layers=400)
    space.threads = threads

    def stop(signum: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            while True:
                vectors = space.run_all(block, vectors)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert not space.is_zero(vectors[0])


def test_other_python_threads_run_during_long_calls() -> None:
    scalars = ref.Scalars("fp")
    space = make_space(scalars, 16, "dense")
    flip = np.array([[0, 1], [1, 1]], dtype=object)
    block = ref.compile_ops(space, scalars, [ref.Op(((k % 15, 1),), (15,), flip) for k in range(3_000)])
    vector = space.product(scalars.pack([[1, 1]] * 16))
    turns, over = [0], threading.Event()

    def count() -> None:
        while not over.is_set():
            turns[0] += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    try:
        seen, calls = turns[0], 0
        while turns[0] < seen + 20 and calls < 20:
            space.run(block, vector)
            calls += 1
        assert turns[0] - seen > 3 * calls  # a call that keeps the interpreter allows a turn or two
    finally:
        over.set()
        counter.join()
