"""Propositions as few spanning vectors on all qubits: what seeds of sp and wp need."""

from __future__ import annotations

from qismc.errors import NoCompactForm
from qismc.subspace.engine import Engine, Vector
from qismc.subspace.expansion import EXPANSION_LIMIT, expand
from qismc.subspace.propositions import Join, Nothing, Proposition, SpanOf, support
from qismc.subspace.states import make

START = "init"
"""What a start is called."""


def spanning(engine: Engine, proposition: Proposition, what: str) -> list[Vector]:
    """Vectors that span the proposition, in an order that does not depend on the engine."""
    if isinstance(proposition, Nothing):
        return []
    if isinstance(proposition, SpanOf) and covers_all(proposition, engine.num_qubits):
        return [make(engine, state) for state in proposition.states]
    if isinstance(proposition, Join) and engine.num_qubits > EXPANSION_LIMIT:
        return spanning(engine, proposition.left, what) + spanning(engine, proposition.right, what)
    if engine.num_qubits > EXPANSION_LIMIT:
        raise NoCompactForm(
            f"{what} has no small spanning set over {engine.num_qubits} qubits",
            hint=_hint(proposition, engine.num_qubits, what),
        )
    return expand(engine, proposition)


def _hint(proposition: Proposition, num_qubits: int, what: str) -> str:
    """What to do; of a start that leaves qubits free, one vector with partners carries all states."""
    kets = f"give kets on all qubits (up to {EXPANSION_LIMIT} qubits anything goes)"
    free = what == START and len(support(proposition, num_qubits)) < num_qubits
    return f"write 'any on ...' in the place of 'full on ...', or {kets}" if free else kets


def covers_all(proposition: SpanOf, num_qubits: int) -> bool:
    """Does the span speak of all qubits, in their order?"""
    return proposition.qubits is None or proposition.qubits == tuple(range(num_qubits))
