"""Propositions as few spanning vectors on all qubits: what seeds of sp and wp need."""

from __future__ import annotations

from qismc.errors import NoCompactForm
from qismc.subspace.engine import Engine, Vector
from qismc.subspace.expansion import EXPANSION_LIMIT, expand
from qismc.subspace.propositions import Join, Nothing, Proposition, SpanOf
from qismc.subspace.states import make


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
            hint=f"give kets on all qubits (up to {EXPANSION_LIMIT} qubits anything goes)",
        )
    return expand(engine, proposition)


def covers_all(proposition: SpanOf, num_qubits: int) -> bool:
    """Does the span speak of all qubits, in their order?"""
    return proposition.qubits is None or proposition.qubits == tuple(range(num_qubits))
