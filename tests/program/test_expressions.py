"""Qiskit expressions, converted and evaluated, against a direct evaluation."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit import Clbit
from qiskit.circuit.classical import expr, types

from qismc.errors import UnsupportedError
from qismc.program.expressions import convert, width_of

from .interpreter import Block, World

A, B = ClassicalRegister(3, "a"), ClassicalRegister(3, "b")
BITS = {bit: k for k, bit in enumerate([*A, *B])}
FLAG = A[0]

NODES = {
    **{f.__name__: f(A, B) for f in (expr.bit_and, expr.bit_or, expr.bit_xor, expr.equal, expr.not_equal)},
    **{f.__name__: f(A, B) for f in (expr.less, expr.less_equal, expr.greater, expr.greater_equal)},
    **{f.__name__: f(A, B) for f in (expr.add, expr.sub, expr.mul)},
    "logic": expr.logic_or(expr.logic_and(FLAG, B[1]), expr.logic_not(A[2])),
    "bit_not": expr.bit_not(A),
    "bit_not of a bool": expr.bit_not(FLAG),
    "shifts": expr.bit_or(expr.shift_left(A, expr.cast(B, types.Uint(3))), expr.shift_right(A, 1)),
    "wider": expr.add(expr.cast(A, types.Uint(5)), 27),
    "narrower": expr.cast(expr.add(A, B), types.Uint(2)),
    "to bool": expr.cast(A, types.Bool()),
    "from bool": expr.add(expr.cast(FLAG, types.Uint(3)), A),
    "index": expr.index(A, expr.bit_and(B, 1)),
    "divide": expr.div(A, expr.bit_or(B, 1)),
    "value": expr.lift(5, types.Uint(4)),
}  # fmt: skip


def positions(target: object) -> tuple[int, ...]:
    return (BITS[target],) if isinstance(target, Clbit) else tuple(BITS[bit] for bit in target)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", NODES)
def test_every_store(name: str) -> None:
    node = NODES[name]
    expression = convert(node, positions, None)
    block = Block(QuantumCircuit(QuantumRegister(1)), {}, BITS)
    for bits in itertools.product((0, 1), repeat=6):
        world = World(np.ones(1), bits, {})
        store = sum(bit << k for k, bit in enumerate(bits))
        assert expression.evaluate(store) == block.evaluate(node, world), bits


def test_reals_are_refused() -> None:
    with pytest.raises(UnsupportedError, match=r"type 'float' are not supported \(use Bool or Uint\)"):
        width_of(types.Float(), None)
