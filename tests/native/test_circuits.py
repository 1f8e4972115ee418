"""Known circuits over F_p(i), larger than any dense reference."""

import signal
from collections.abc import Sequence
from types import FrameType

import numpy as np
import pytest

from qismc import _core

from . import reference as ref

SCALARS = ref.Scalars("fp2")
FIELD = _core.Field(ref.P_FP2)
ONE, ZERO, MINUS = SCALARS.of(1), SCALARS.of(0), ref.Gaussian(ref.P_FP2 - 1, 0)
ROOT = FIELD.sqrt(2)
assert ROOT is not None
HALF = ref.Gaussian(FIELD.inv(ROOT), 0)  # 1 / sqrt 2
H = np.array([[HALF, HALF], [HALF, -HALF]], dtype=object)
X = np.array([[ZERO, ONE], [ONE, ZERO]], dtype=object)
Z = np.array([[ONE, ZERO], [ZERO, MINUS]], dtype=object)

Ops = list[ref.Op]


def one(matrix: ref.Array, level: int) -> ref.Op:
    return ref.Op((), (level,), matrix)


def product(space: _core.Space, states: Sequence[str]) -> _core.Vector:
    amplitudes = {"0": [ONE, ZERO], "1": [ZERO, ONE], "+": [ONE, ONE], "-": [ONE, MINUS]}
    return space.product(SCALARS.pack(np.array([amplitudes[s] for s in states], dtype=object)))


def run(space: _core.Space, ops: Ops, start: _core.Vector) -> _core.Vector:
    return space.run(ref.compile_ops(space, SCALARS, ops), start)


def member(space: _core.Space, v: _core.Vector, basis: Sequence[_core.Vector]) -> bool:
    span = space.span()
    assert all(span.add(b) for b in basis)
    return span.contains(v)


def ghz(n: int) -> Ops:
    spread = [one(H, k) for k in range(n - 1)]
    star = [ref.Op(((k, 1),), (n - 1,), X) for k in range(n - 2, -1, -1)]
    return [*spread, one(X, n - 1), *star, *spread, one(H, n - 1)]


@pytest.mark.parametrize("n", [3, 40, 300])
@pytest.mark.parametrize("broken", [False, True])
def test_ghz_star(n: int, broken: bool) -> None:
    space = _core.Space("fp2", n, ref.P_FP2)
    ops = ghz(n)
    if broken:
        ops[n + 1] = one(Z, 0)  # in place of the second controlled gate
    final = run(space, ops, product(space, "0" * n))
    assert member(space, final, [product(space, "0" * n), product(space, "1" * n)]) is not broken


def grover(b: int, tree: bool) -> tuple[int, list[int], Ops]:
    """Number of qubits, their levels (helpers beside their inputs) and the gates; |0..0> is marked."""
    if tree:
        toffolis = [(2 * i, 2 * i + 1, b + i, i < b // 2, i < b // 2) for i in range(b - 1)]
        last, order = 2 * b - 2, _tree_order(b, 2 * b - 2)
    else:
        toffolis = [(0, 1, b, True, True), *((i, b + i - 2, b + i - 1, True, False) for i in range(2, b))]
        last, order = 2 * b - 2, [0, *(q for i in range(1, b) for q in (i, b + i - 1))]
    level = [order.index(q) for q in range(len(order))]
    forth = [ref.Op(((level[c], 1 - n0), (level[d], 1 - n1)), (level[t],), X) for c, d, t, n0, n1 in toffolis]
    mark = [*forth, one(Z, level[last]), *reversed(forth)]
    spread = [one(H, level[q]) for q in range(b)]
    return len(order), level, [*spread, *mark, *spread, *mark, *spread]


def _tree_order(b: int, q: int) -> list[int]:
    if q < b:
        return [q]
    return [*_tree_order(b, 2 * (q - b)), q, *_tree_order(b, 2 * (q - b) + 1)]


@pytest.mark.parametrize(("b", "tree"), [(4, True), (16, True), (64, True), (8, False), (150, False)])
def test_grover_stays_in_its_plane(b: int, tree: bool) -> None:
    n, level, ops = grover(b, tree)
    space = _core.Space("fp2", n, ref.P_FP2)
    uniform = ["0"] * n
    for q in range(b):
        uniform[level[q]] = "+"
    plane = [product(space, "0" * n), product(space, uniform)]
    assert member(space, run(space, ops, plane[0]), plane)
    oracle = [k for k, op in enumerate(ops) if op.controls][1]
    controls = ((ops[oracle].controls[0][0], 1 - ops[oracle].controls[0][1]), *ops[oracle].controls[1:])
    ops[oracle] = ref.Op(controls, ops[oracle].targets, X)
    assert not member(space, run(space, ops, plane[0]), plane)


def test_hidden_string_of_200_bits() -> None:
    n = 200
    secret = [k for k in range(n - 1) if k % 3 == 0 or k % 7 == 2]
    spread = [one(H, k) for k in range(n - 1)]
    ops = [*spread, one(X, n - 1), one(H, n - 1), *(ref.Op(((k, 1),), (n - 1,), X) for k in secret), *spread]
    space = _core.Space("fp2", n, ref.P_FP2)
    final = run(space, ops, product(space, "0" * n))
    expected = product(space, ["1" if k in secret else "0" for k in range(n - 1)] + ["-"])
    assert member(space, final, [expected]) and final.bonds == [1] * (n + 1)


def test_interrupts_are_seen_inside_native_loops() -> None:
    space = _core.Space("complex", 22)
    rng = np.random.default_rng(1)
    start = space.from_amplitudes(rng.normal(size=1 << 22).astype(complex))
    scalars = ref.Scalars("complex")
    h = np.array([[1, 1], [1, -1]], dtype=object) / 2**0.5
    block = ref.compile_ops(space, scalars, [ref.Op(((k % 21, 1),), (21,), h) for k in range(2000)])

    def stop(signum: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(KeyboardInterrupt):
            space.run(block, start)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert not space.is_zero(start)
