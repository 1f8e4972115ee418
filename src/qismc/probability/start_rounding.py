"""How much rounding there is in the states that a program starts with, before anything acts on them."""

from __future__ import annotations

from typing_extensions import assert_never

from qismc.common.scalars import COMPLEX
from qismc.engines import Numeric
from qismc.propositions import (
    Join,
    KetSum,
    Listed,
    Meet,
    Nothing,
    Perp,
    Prepared,
    Proposition,
    Recorded,
    SpanOf,
    Stabilised,
    State,
    Support,
    Whole,
    make,
    normalised,
)
from qismc.system import roundings


def making(engine: Numeric, proposition: Proposition) -> float:
    """For the dearest of the states that a proposition is written with: as many factors round as much."""
    if isinstance(proposition, SpanOf | Support):
        return max((_steps(engine, state) for state in proposition.states), default=0.0)
    if isinstance(proposition, Perp):
        return making(engine, proposition.operand)
    if isinstance(proposition, Meet | Join):
        return making(engine, proposition.left) + making(engine, proposition.right)
    if isinstance(proposition, Whole | Nothing | Stabilised):
        return 0.0
    assert_never(proposition)


def _steps(engine: Numeric, state: State) -> float:
    if isinstance(state, Prepared):
        return roundings(state.gates)
    if isinstance(state, KetSum):
        return _cancellation(engine, state)
    if isinstance(state, Listed | Recorded):
        return 0.0
    assert_never(state)


def _cancellation(engine: Numeric, state: KetSum) -> float:
    """How much longer the terms of a sum are than the sum: so much larger its rounding becomes."""
    words = [word for _, word in state.terms]
    if len(set(words)) == len(words) and (len(words) == 1 or set("".join(words)) <= set("01")):
        return 0.0  # they are orthogonal
    whole = engine if state.width == engine.num_qubits else engine.sub(range(state.width))
    numbers = [complex(coefficient.value(COMPLEX)) for coefficient, _ in state.terms]
    largest = max(
        abs(normalised(COMPLEX, number, word)) for number, word in zip(numbers, words, strict=True)
    )  # engines are given multiples of this one
    total: float = sum(map(abs, numbers)) / largest
    return total / whole.length(make(whole, state))
