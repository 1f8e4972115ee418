"""Propositions on few qubits written out: as lists of spanning vectors, and as everything or nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Literal

from typing_extensions import assert_never

from qismc.engines import DenseEngine, Engine, Vector
from qismc.errors import NoCompactForm, Undecided
from qismc.limits import Budget, Limits
from qismc.program import Base, Factor, Operator
from qismc.propositions.codes import Representatives
from qismc.propositions.propositions import (
    Join,
    Meet,
    Nothing,
    Perp,
    Proposition,
    SpanOf,
    Stabilised,
    Support,
    Whole,
    relabel,
    support,
)
from qismc.propositions.states import Recorded, embed, letter, make
from qismc.system import Application

EXPANSION_LIMIT = 8
"""Up to this many qubits a subspace of any kind can be written out as a basis."""


def expand(engine: Engine, proposition: Proposition) -> list[Vector]:
    """Vectors of the engine that span the proposition (they need not be independent)."""
    if isinstance(proposition, Whole):
        return basis(engine)
    if isinstance(proposition, Nothing):
        return []
    if isinstance(proposition, SpanOf):
        qubits = proposition.qubits or tuple(range(engine.num_qubits))
        return [
            make(engine, s) for state in proposition.states for s in embed(state, qubits, engine.num_qubits)
        ]
    if isinstance(proposition, Support):
        hint = "join it as a whole, without `on`, or ask the parts in formulas of their own"
        raise NoCompactForm("sp(…) on some qubits is part of a \\/ or a start", hint=hint)
    if isinstance(proposition, Stabilised):
        return _code(engine, proposition)
    if isinstance(proposition, Perp):
        return engine.complement(expand(engine, proposition.operand))
    if isinstance(proposition, Join):
        return expand(engine, proposition.left) + expand(engine, proposition.right)
    if isinstance(proposition, Meet):
        left, right = expand(engine, proposition.left), expand(engine, proposition.right)
        return engine.complement(engine.complement(left) + engine.complement(right))
    assert_never(proposition)


def basis(engine: Engine) -> list[Vector]:
    """The computational basis."""
    return _kets(engine, ["".join(digits) for digits in product("01", repeat=engine.num_qubits)])


def _kets(engine: Engine, words: list[str]) -> list[Vector]:
    return engine.kets({name: letter(engine.ring, name) for name in "01"}, words) if words else []


def _code(engine: Engine, proposition: Stabilised) -> list[Vector]:
    """One vector for each dimension of a code."""
    width = engine.num_qubits
    strings = on_qubits(proposition, range(width))
    words = Representatives(tuple(strings), width).words()
    parts = (stabilised_part(engine, proposition, vector) for vector in _kets(engine, words))
    return [part for part in parts if part is not None]


def on_qubits(code: Stabilised, qubits: Sequence[int]) -> Iterator[tuple[int, str]]:
    """The signed strings of a code, over other qubits than its own."""
    for sign, string in code.paulis:
        letters = dict(zip(code.qubits, string, strict=True))
        yield sign, "".join(letters.get(q, "I") for q in qubits)


def stabiliser_generators(proposition: Stabilised) -> list[Application]:
    """The signed Pauli strings as operators on their qubits."""
    return [Application(_pauli(sign, string), proposition.qubits) for sign, string in proposition.paulis]


def _pauli(sign: int, string: str) -> Operator:
    factors = [Factor(Base(p.lower()), (k,)) for k, p in enumerate(string) if p != "I"]
    if sign < 0:
        factors.append(Factor(Base("phase", (math.pi,)), ()))
    return Operator("pauli", len(string), tuple(factors))


def stabilised_part(engine: Engine, proposition: Stabilised, vector: Vector) -> Vector | None:
    """The image under the code's projector, the product of (1 + g)/2; None if it is zero."""
    half = engine.ring.rational(1) / engine.ring.rational(2)
    for generator in stabiliser_generators(proposition):
        same = engine.run(engine.compile([]), vector)
        image = engine.run(engine.compile([generator]), vector)
        vector = engine.combine([half, half], [same, image])
        if engine.is_zero(vector):
            return None
    return vector


Extent = Literal["whole", "zero"]
WIDEST = 6
"""Most qubits of a proposition that is written out to see whether it is everything or nothing."""
MOST_REMEMBERED = 1 << 10
"""Number of answers that are kept."""


@lru_cache(maxsize=MOST_REMEMBERED)
def extent(proposition: Proposition, num_qubits: int) -> Extent | None:
    """Is it everything, or nothing? None where it is neither, or where that takes long to tell."""
    if isinstance(proposition, Whole | Nothing):
        return "whole" if isinstance(proposition, Whole) else "zero"
    qubits = sorted(support(proposition, num_qubits))
    if not 0 < len(qubits) <= WIDEST or not _may_be_trivial(proposition, 1 << len(qubits)):
        return None
    local = DenseEngine(len(qubits), Budget(Limits()))
    span = local.span()
    try:
        for vector in expand(local, relabel(proposition, {qubit: k for k, qubit in enumerate(qubits)})):
            span.add(vector)
    except Undecided:  # rounding would decide
        return None
    return "zero" if not span.dimension else "whole" if span.dimension == 1 << len(qubits) else None


def _may_be_trivial(proposition: Proposition, dimension: int) -> bool:
    """Are there enough states, or several parts, so that it has to be computed?"""
    match proposition:
        case Perp(operand):
            return _may_be_trivial(operand, dimension)
        case SpanOf(states, qubits):
            return len(states) >= (dimension if qubits is None else 1 << len(qubits)) and _is_written(
                proposition
            )
        case Stabilised(paulis):
            return len(paulis) > 1
        case Meet() | Join():
            return _is_written(proposition)
    return False


def _is_written(proposition: Proposition) -> bool:
    """Is it made of what the user wrote, and not of computed states?"""
    match proposition:
        case SpanOf(states) | Support(states):
            return not any(isinstance(state, Recorded) for state in states)
        case Perp(operand):
            return _is_written(operand)
        case Meet(left, right) | Join(left, right):
            return _is_written(left) and _is_written(right)
    return True
